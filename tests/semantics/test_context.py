"""Context classes: derived as in windows.md, and true to how `wids` behaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DOMAINS, KINDS, tuples
from transom import rows
from transom.semantics import (
    ContextClass,
    EveryInstant,
    Filtered,
    Function,
    Partitioned,
    Rank,
    RowWindow,
    Session,
    SlideByTuple,
    Window,
    context_class,
    number_arrivals,
    tumbling,
)

CLASSES = {
    "sliding": "CF",
    "tumbling": "CF",
    "landmark": "CF",
    "landmark_from": "CF",
    "landmark_until": "CF",
    "landmark_every": "CF",
    "band": "CF",
    "now": "CF",
    "varying": "CF",
    "rows_in_the_data": "CF",
    "rows": "FCF",
    "every_instant": "FCB",
    "slide_by_tuple": "FCB",
    "slide_by_n_arrivals": "FCB",
    "session": "FCB",
    "slide_by_n_ranks": "FCU",
    "rows_by_rank": "FCU",
}

INTEGERS = DOMAINS["integers"]


def of_class(*names: str) -> list[str]:
    return [kind for kind, name in CLASSES.items() if name in names]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_class_of_each_type(kind: str, data: st.DataObject) -> None:
    window = data.draw(KINDS[kind](INTEGERS))
    assert context_class(window).name == CLASSES[kind]
    assert context_class(Filtered(window, Function("true", bool))).name == CLASSES[kind]
    assert context_class(Partitioned(window, ("p",))).name == CLASSES[kind]


@pytest.mark.parametrize("kind", of_class("CF"))
@given(data=st.data())
def test_context_free_needs_the_tuple_alone(kind: str, data: st.DataObject) -> None:
    window, arrived = data.draw(KINDS[kind](INTEGERS)), data.draw(tuples(INTEGERS))
    known = set(window.windows(arrived))
    for t in arrived:
        alone = [w for w in window.windows([t]) if t in window.extent(w, [t])]
        assert set(alone) <= set(window.wids(t, arrived)) <= known


@pytest.mark.parametrize("kind", of_class("CF", "FCF"))
@given(data=st.data())
def test_forward_context_free_needs_no_later_tuple(kind: str, data: st.DataObject) -> None:
    window, arrived = data.draw(KINDS[kind](INTEGERS)), data.draw(tuples(INTEGERS))
    for t in arrived:
        until_now = [u for u in arrived if u.arrival <= t.arrival]
        assert set(window.wids(t, until_now)) == set(window.wids(t, arrived)) & set(window.windows(until_now))


LATER: dict[str, tuple[Window, list[int], int]] = {
    "every_instant": (EveryInstant(range=5, wattr="a"), [0], 3),
    "slide_by_tuple": (SlideByTuple(range=5, rattr="a"), [0], 3),
    "slide_by_n_arrivals": (SlideByTuple(range=5, rattr="a", slide=rows(2)), [0], 3),
    "session": (Session(gap=5, wattr="a"), [0], -3),
    "slide_by_n_ranks": (SlideByTuple(range=5, rattr="a", slide=rows(2), sattr=Rank("a")), [0], 3),
    "rows_by_rank": (RowWindow(range=rows(1), wattr=Rank("a")), [0], -3),
}


@pytest.mark.parametrize("kind", of_class("FCB", "FCU"))
def test_forward_context_aware_depends_on_a_later_tuple(kind: str) -> None:
    window, earlier, later = LATER[kind]
    arrived = number_arrivals([{"a": a} for a in (*earlier, later)])
    t = arrived[0]
    assert set(window.wids(t, arrived[:-1])) != set(window.wids(t, arrived))


@given(data=st.data())
def test_bounded_ids_are_known_to_lie_in_a_range(data: st.DataObject) -> None:
    window, arrived = data.draw(KINDS["slide_by_n_arrivals"](INTEGERS)), data.draw(tuples(INTEGERS))
    for t in arrived:
        assert all(t["a"] <= w < t["a"] + window.range for w in window.wids(t, arrived))


def test_counting_every_row_needs_no_count() -> None:
    assert context_class(SlideByTuple(range=5, rattr="a", slide=rows(1))) is ContextClass.FCB
    assert context_class(RowWindow(range=rows(5))) is ContextClass.FCF
    assert context_class(tumbling(5, "a")) is ContextClass.CF
