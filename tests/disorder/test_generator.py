"""Generators promise what their clause says."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom import rows
from transom.disorder import Buffered, DropRatio, Generator, Heartbeat, Ordered, Slack
from transom.disorder.dratio.budget import Budget
from transom.disorder.dratio.bursts import Bursts
from transom.disorder.dratio.normal import constant, span
from transom.disorder.histogram.log_histogram import LogHistogram, step_of, top_of
from transom.errors import BadRatio, NotPositive
from transom.semantics import number_arrivals

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


def latenesses(values: list[int]) -> list[int]:
    return [max(0, max(values[:n], default=a) - a) for n, a in enumerate(values)]


@given(values=st.lists(st.integers(-20, 20), max_size=20))
def test_heartbeat_is_the_running_maximum_less_the_largest_lateness(values: list[Any]) -> None:
    for n, promise in enumerate(promises(Heartbeat(), values), start=1):
        assert promise.x == max(values[:n]) - max(latenesses(values[:n]))


@given(values=st.lists(st.integers(-20, 20), max_size=20))
def test_heartbeat_average_is_less_the_average_of_the_largest_lateness(values: list[Any]) -> None:
    for n, promise in enumerate(promises(Heartbeat(average=True), values), start=1):
        largest = [max(latenesses(values[: m + 1])) for m in range(n)]
        assert promise.x == math.floor(max(values[:n]) - Fraction(sum(largest), n))


@given(values=st.lists(st.integers(-20, 20), max_size=20), size=st.integers(1, 6), slack=st.integers(0, 30))
def test_a_buffer_moves_the_frontier_no_further_than_it_must(values: list[Any], size: int, slack: int) -> None:
    for n, promise in enumerate(promises(Buffered(Slack(slack), size), values), start=1):
        least = min(x for x in range(-60, 30) if sum(a >= x for a in values[:n]) <= size)
        assert promise.x == max(max(values[:n]) - slack, least)


def test_normal_promises_nothing_before_thirty_tuples() -> None:
    found = promises(DropRatio(0.01, normal=True), list(range(40)))
    assert found[:29] == [None] * 29
    assert None not in found[29:]


@pytest.mark.parametrize(("ratio", "first"), [(0.9, 30), (0.4, 30), (0.1, 120), (0.01, 1020), (0.001, 1020)])
def test_a_drop_ratio_promises_nothing_before_ten_tuples_may_be_late(ratio: float, first: int) -> None:
    """And not before 30; not later than what does not count. It is looked at every 30 tuples."""
    found = promises(DropRatio(ratio), list(range(1100)))
    assert found[:first] == [None] * first
    assert None not in found[first:]


def test_the_normal_controller_is_that_of_the_paper() -> None:
    """n_p is the least whole number with n^2 - c n - 2 c sigma^2 / theta^2 >= 0, of (5.7)."""
    for ratio, theta, sigma in ((0.01, 2.0, 30.0), (0.05, 1.0, 0.0), (0.2, 7.5, 3.0)):
        c = constant(ratio)
        needed = next(n for n in range(1, 10_000) if n * n - c * n - 2 * c * sigma**2 / theta**2 >= 0)
        assert span(c, theta, sigma**2) == needed * theta
    assert constant(0.5) == constant(0.9) == 0
    assert span(constant(0.5), 1.0, 100.0) == 0
    c = constant(0.01)
    assert math.isclose(span(c, 1e-9, 9.0), span(c, 0.0, 9.0), rel_tol=1e-6)


@given(x=st.integers(0, 2**62) | st.floats(1e-15, 1e15))
def test_steps_are_a_thirtysecond_of_a_power_wide(x: float) -> None:
    top = top_of(step_of(x), whole=isinstance(x, int))
    assert x <= top <= x * (1 + 1 / 16)


def test_what_is_exceeded_by_a_share() -> None:
    counts = LogHistogram(whole=True)
    for x in range(1, 101):
        counts.add(x)
    assert counts.most == 100
    assert [counts.exceeded(share) for share in (0.0, 0.5, 0.999)] == [102, 51, 1]


def test_what_is_saved_is_spent_and_what_is_owed_is_paid_back() -> None:
    assert Budget(0.01, seen=50_000, late=490).share < 0.01 < Budget(0.01, seen=50_000, late=100).share


def test_a_burst_costs_what_was_below_the_frontier_when_it_began() -> None:
    bursts = Bursts(whole=True)
    bursts.begin(high=1000, usual=10, seen=0)
    for a in (1005, 995, 980, 900, 900, 800):
        bursts.see(a)
    bursts.fold()
    assert [bursts.affordable(tuples) for tuples in (0, 1, 2, 3, 4)] == [204, 102, 102, 20, 0]


@given(values=st.lists(st.integers(0, 1000), max_size=30), usual=st.integers(0, 50), tuples=st.integers(0, 10))
def test_no_burst_costs_more_than_what_is_affordable(values: list[int], usual: int, tuples: int) -> None:
    bursts = Bursts(whole=True)
    bursts.begin(high=1000, usual=usual, seen=0)
    for a in values:
        bursts.see(a)
    bursts.fold()
    assert sum(1000 - a > max(usual, bursts.affordable(tuples)) for a in values) <= max(tuples, 0)


@pytest.mark.parametrize("ratio", [-0.1, 0, 1, 1.5])
def test_a_ratio_lies_between_nothing_and_all(ratio: float) -> None:
    with pytest.raises(BadRatio):
        DropRatio(ratio)


def test_a_buffer_of_nothing_is_refused() -> None:
    with pytest.raises(NotPositive):
        Buffered(Slack(1), 0)


def test_negative_slack_is_refused() -> None:
    with pytest.raises(NotPositive):
        Slack(-1)
