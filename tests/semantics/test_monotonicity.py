"""Monotonicity: derived as in windows.md, and true to how tuples leave the window's state."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DOMAINS, KINDS, tuples
from transom import rows
from transom.semantics import (
    Filtered,
    Function,
    Monotonicity,
    Partitioned,
    RowWindow,
    Session,
    Tuple,
    Varying,
    Window,
    monotonicity,
    number_arrivals,
    tumbling,
)

INTEGERS = DOMAINS["integers"]
MONOTONIC = ["landmark", "landmark_from", "landmark_until", "band"]
WEAKEST = [kind for kind in KINDS if kind not in (*MONOTONIC, "varying")]


def states(window: Window, arrived: list[Tuple]) -> list[set[Tuple]]:
    """The states of a window, one evaluation after the other."""
    return [set(window.extent(w, arrived)) for w in window.windows(arrived)]


def departures(window: Window, arrived: list[Tuple]) -> list[set[Tuple]]:
    seen = states(window, arrived)
    return [before - after for before, after in pairwise(seen)]


def leave_in_order(window: Window, arrived: list[Tuple]) -> bool:
    """Whether no tuple leaves before one with a smaller position, and none comes back."""
    positions, gone = window.positions(arrived), set[Tuple]()
    seen = states(window, arrived)
    for before, after in pairwise(seen):
        gone |= before - after
        if gone & after or any(positions[t] > positions[u] for t in before - after for u in after):
            return False
    return True


@pytest.mark.parametrize("kind", MONOTONIC)
@given(data=st.data())
def test_from_a_monotonic_window_no_tuple_leaves(kind: str, data: st.DataObject) -> None:
    window, arrived = data.draw(KINDS[kind](INTEGERS)), data.draw(tuples(INTEGERS))
    assert monotonicity(window) is Monotonicity.MONOTONIC
    assert not any(departures(window, arrived))


@pytest.mark.parametrize("kind", WEAKEST)
@given(data=st.data())
def test_from_a_weakest_non_monotonic_window_tuples_leave_in_order(kind: str, data: st.DataObject) -> None:
    window, arrived = data.draw(KINDS[kind](INTEGERS)), data.draw(tuples(INTEGERS))
    assert monotonicity(window) is Monotonicity.WEAKEST_NON_MONOTONIC
    assert leave_in_order(window, arrived)


def test_a_varying_window_can_take_back_what_it_had_let_go() -> None:
    lengths = {3: 3, 4: 1, 5: 5}
    window = Varying(range=Function("3, 1, 5", lambda end: lengths.get(end, 1)), slide=1, wattr="a", max=5)
    arrived = number_arrivals([{"a": 1}, {"a": 3}, {"a": 4}])
    assert [sorted(t["a"] for t in state) for state in states(window, arrived)] == [[1], [1], [3], [1, 3, 4]]
    assert not leave_in_order(window, arrived)
    assert monotonicity(window) is Monotonicity.WEAK_NON_MONOTONIC


def test_partitions_that_count_their_own_tuples_are_weak() -> None:
    assert monotonicity(Partitioned(RowWindow(range=rows(5)), ("p",))) is Monotonicity.WEAK_NON_MONOTONIC
    assert monotonicity(Partitioned(Session(gap=5, wattr="a"), ("p",))) is Monotonicity.WEAK_NON_MONOTONIC


def test_partitions_on_a_carried_attribute_move_together() -> None:
    assert monotonicity(Partitioned(tumbling(5, "a"), ("p",))) is Monotonicity.WEAKEST_NON_MONOTONIC
    assert monotonicity(Filtered(tumbling(5, "a"), Function("true", bool))) is Monotonicity.WEAKEST_NON_MONOTONIC
