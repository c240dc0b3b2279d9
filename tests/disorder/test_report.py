"""What there is to tell of a query under control: counts, delays, late tuples by age."""

from __future__ import annotations

import json

import numpy as np

from transom.disorder import Buffered, DropRatio, Heartbeat
from transom.disorder.controllers import controller_of
from transom.disorder.figures import report
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.progress.ages import Ages
from transom.kernels.progress.substreams import Substreams


def test_counts_are_summed_up_and_delays_are_the_longest() -> None:
    one, other = (controller_of(Heartbeat(), Axis()) for _ in range(2))
    one.run(np.array([10, 4, 20, 30]))
    other.run(np.array([100] * 40))
    found = report([one, other], 24, Axis())
    counts = {"seen": 44, "late": 1, "waiting": 41}
    assert found == {**counts, "newest": 100, "frontier": 24, "delay": 76, "delay_50": 0, "delay_95": 0}


def test_what_was_asked_for_is_told_too() -> None:
    running = controller_of(Buffered(DropRatio(0.02), 50), Axis(10), 10)
    running.run(np.arange(1000) * 10)
    found = report([running], running.frontier, Axis(10))
    assert found is not None
    assert (found["target"], found["buffer"], found["delay"]) == (0.02, 50, 0)


def test_nothing_is_told_where_nothing_is_controlled() -> None:
    assert Substreams(Generating(), Axis()).about() is None


def test_late_tuples_by_age() -> None:
    ages = Ages(Axis(), timed=False)
    ages.add(np.array([10, 10, 10]), np.array([9, 8, 7]))
    anew = Ages(Axis(), timed=False)
    anew.from_json(json.loads(json.dumps(ages.to_json())))
    assert anew.counts == {1.0: 1, 2.0: 1, 5.0: 1}


def test_ages_of_time_have_round_bounds_and_those_of_earlier_checkpoints_find_theirs() -> None:
    ages = Ages(Axis(), timed=True)
    second = 1_000_000
    ages.add(np.array([100, 100, 100, 2**61]) * np.array([second] * 3 + [1]), np.array([99 * second, 60 * second, 5 * second, 0]))
    assert {bound / second: count for bound, count in ages.counts.items()} == {1: 1, 60: 1, 120: 1, 50_000_000 * 86_400: 1}
    ages.from_json([(20, 3), (22, 1)])
    assert ages.counts == {1e6: 3, 5e6: 1}
