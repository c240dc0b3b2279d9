"""Promises, and how far they reach."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from transom.semantics import Frontier, Punctuation, Tuple

GROUPS = st.fixed_dictionaries({}, optional={"seg": st.sampled_from("ab"), "lane": st.sampled_from([1, 2])})
PROMISES = st.lists(st.builds(Punctuation, st.just("ts"), st.integers(-9, 9), GROUPS), max_size=8)


def frontier(*promises: Punctuation, substreams: tuple[dict[str, Any], ...] = ()) -> Frontier:
    reached = Frontier("ts", substreams)
    for promise in promises:
        reached = reached.after(promise)
    return reached


def reading(**values: Any) -> Tuple:
    return Tuple(1, 1, values)


@given(promises=PROMISES, group=GROUPS)
def test_a_frontier_is_the_largest_promise_and_never_moves_back(promises: list[Punctuation], group: dict[str, Any]) -> None:
    reached = -math.inf
    for n in range(len(promises) + 1):
        here = frontier(*promises[:n]).of_group(group)
        speaking = [p.x for p in promises[:n] if p.group.items() <= group.items()]
        assert here == max(speaking, default=-math.inf)
        assert here >= reached
        reached = here


def test_a_promise_to_a_group_says_nothing_about_others() -> None:
    reached = frontier(Punctuation("ts", 10, {"seg": "a"}))
    assert reached.of_group({"seg": "a"}) == 10
    assert reached.of_group({"seg": "a", "lane": 1}) == 10
    assert reached.of_group({"seg": "b"}) == -math.inf
    assert reached.of_group({}) == -math.inf


def test_a_promise_on_another_attribute_says_nothing() -> None:
    assert frontier(Punctuation("mile", 10)).of_group({}) == -math.inf


def test_the_smallest_of_the_declared_substreams_is_a_frontier_of_all() -> None:
    declared = ({"seg": "a"}, {"seg": "b"})
    a, b = Punctuation("ts", 10, {"seg": "a"}), Punctuation("ts", 7, {"seg": "b"})
    assert frontier(a, substreams=declared).of_group({}) == -math.inf
    assert frontier(a, b, substreams=declared).of_group({}) == 7
    assert frontier(a, b, Punctuation("ts", 9), substreams=declared).of_group({}) == 9


def test_a_tuple_is_late_by_the_promise_made_about_it() -> None:
    reached = frontier(Punctuation("ts", 10, {"seg": "a"}), Punctuation("ts", 4))
    assert reached.of_tuple(reading(seg="a", ts=9)) == 10
    assert reached.of_tuple(reading(seg="b", ts=9)) == 4
