"""Generators promise what their clause says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom import rows
from transom.errors import NotPositive
from transom.semantics import Generator, Ordered, Slack, number_arrivals

VALUES = st.lists(st.integers(-20, 20) | st.none(), max_size=20)


def promises(generator: Generator, values: list[Any]) -> list[Any]:
    running = generator.start("a")
    return [running.promise(t) for t in number_arrivals([{"a": a, "g": (a or 0) % 2} for a in values])]


@given(values=VALUES)
def test_ordered_promises_each_value(values: list[Any]) -> None:
    assert [p and p.x for p in promises(Ordered(), values)] == values


def test_ordered_per_group_promises_to_the_group() -> None:
    assert [(p.x, p.group) for p in promises(Ordered(per=("g",)), [3, 4])] == [(3, {"g": 1}), (4, {"g": 0})]


@given(values=VALUES, slack=st.integers(0, 10))
def test_slack_is_the_running_maximum_less_the_slack(values: list[Any], slack: int) -> None:
    seen: list[int] = []
    for value, promise in zip(values, promises(Slack(slack), values), strict=True):
        seen += [] if value is None else [value]
        assert promise is None if value is None else promise.x == max(seen) - slack


@given(values=VALUES, count=st.integers(0, 5))
def test_slack_in_rows_is_the_value_that_leaves_a_sort_buffer(values: list[Any], count: int) -> None:
    seen: list[int] = []
    for value, promise in zip(values, promises(Slack(rows(count)), values), strict=True):
        seen += [] if value is None else [value]
        if value is None or len(seen) <= count:
            assert promise is None
        else:
            assert promise.x == sorted(seen, reverse=True)[count]


def test_negative_slack_is_refused() -> None:
    with pytest.raises(NotPositive):
        Slack(-1)
