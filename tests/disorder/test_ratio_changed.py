"""A query may go on from its checkpoint with another tolerance: what was learnt stays, and the new promise counts from there."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from transom import rows
from transom.disorder import Buffered, DropRatio, Generator, Slack
from transom.disorder.controllers import Controller, controller_of
from transom.kernels.columns.axis import Axis

Numbers = np.ndarray[Any, Any]
BEFORE, TUPLES = 60_000, 160_000


def sequence(seed: int) -> Numbers:
    """Event times in microseconds, a tuple every millisecond, delays of 50 ms."""
    r = np.random.default_rng(seed)
    tau = np.cumsum(r.exponential(1000, TUPLES)).astype(np.int64)
    return tau[np.argsort(tau + r.exponential(50_000, TUPLES), kind="stable")]


def started(generator: Generator) -> Controller:
    return controller_of(generator, Axis(), timed=True)


def retuned(old: Generator, new: Generator, a: Numbers) -> tuple[Controller, Numbers]:
    """A run that has seen tuples under another tolerance, and the frontier that it had reached."""
    first, second = started(old), started(new)
    reached = first.run(a)
    second.from_json(json.loads(json.dumps(first.to_json())))
    return second, reached


@pytest.mark.parametrize(("old", "new"), [(0.01, 0.001), (0.001, 0.01), (0.05, 0.01), (0.01, 0.05), (0.3, 0.01)])
def test_another_ratio_is_kept_from_there_on(old: float, new: float) -> None:
    for seed in range(3):
        a = sequence(seed)
        controller, before = retuned(DropRatio(old), DropRatio(new), a[:BEFORE])
        reached = controller.run(a[BEFORE:])
        late = a[BEFORE:] < reached[:-1]
        delay = np.maximum.accumulate(a)[BEFORE:] - reached[1:]
        was = np.maximum.accumulate(a)[:BEFORE] - before[1:]
        assert reached[0] == before[-1]
        assert (np.diff(reached) >= 0).all()
        assert late.mean() <= new
        assert (np.median(delay) > np.median(was[BEFORE // 2 :])) == (new < old)
        assert late[1_000:].any()  # it does not just wait for ever


@pytest.mark.parametrize(("old", "new"), [(0.001, 0.01), (0.01, 0.05), (0.01, 0.001), (0.05, 0.01)])
def test_after_many_tuples_the_delay_is_soon_what_the_ratio_needs(old: float, new: float) -> None:
    """What was earned under another ratio is neither owed nor to be spent."""
    r = np.random.default_rng(0)
    tau = np.cumsum(r.exponential(1000, 1_200_000)).astype(np.int64)
    a = tau[np.argsort(tau + r.exponential(50_000, len(tau)), kind="stable")]
    controller, _ = retuned(DropRatio(old), DropRatio(new), a[:1_000_000])
    delays = np.maximum.accumulate(a)[1_000_000:] - controller.run(a[1_000_000:])[1:]
    whole = started(DropRatio(new)).run(a)
    usual = np.median((np.maximum.accumulate(a) - whole[1:])[1_000_000:])
    first = np.median(delays[2_000:20_000])
    assert 0.75 * usual < first < 1.35 * usual
    assert 0.8 * usual < np.median(delays[20_000:]) < 1.25 * usual
    assert controller.late <= new * 200_000


def test_what_is_told_counts_from_there_on() -> None:
    a = sequence(0)
    controller, _ = retuned(DropRatio(0.01), DropRatio(0.02), a[:BEFORE])
    assert controller.about()["target"] == 0.02
    assert (controller.about()["seen"], controller.about()["late"]) == (0, 0)
    reached = controller.run(a[BEFORE:])
    assert controller.about()["seen"] == TUPLES - BEFORE
    assert controller.about()["late"] == (a[BEFORE:] < reached[:-1]).sum()


@pytest.mark.parametrize("cuts", [[1, 2, 3], [5_000, 5_001, 40_000]])
def test_cuts_change_nothing_after_it(cuts: list[int]) -> None:
    a = sequence(1)[: 2 * BEFORE]
    whole, _ = retuned(DropRatio(0.01), DropRatio(0.002), a[:BEFORE])
    parts, _ = retuned(DropRatio(0.01), DropRatio(0.002), a[:BEFORE])
    expected = whole.run(a[BEFORE:])
    found = [parts.run(a[BEFORE + start : BEFORE + end]) for start, end in pairwise([0, *cuts, BEFORE])]
    assert (np.concatenate([*(piece[:-1] for piece in found), found[-1][-1:]]) == expected).all()


@pytest.mark.parametrize("seen", [1, 29, 31, 150])
def test_before_anything_is_promised(seen: int) -> None:
    a = sequence(2)[:20_000]
    controller, _ = retuned(DropRatio(0.05), DropRatio(0.01), a[:seen])
    reached = controller.run(a[seen:])
    promises = np.flatnonzero(reached > Axis().nothing_yet)[0] + seen
    assert promises >= 1_000
    assert (a[seen:] < reached[:-1])[max(0, 1_000 - seen) :].mean() <= 0.01


@pytest.mark.parametrize("inner", [Slack(40_000), DropRatio(0.01), DropRatio(0.01, normal=True)])
def test_another_buffer_is_not_exceeded(inner: Generator) -> None:
    a = sequence(3)
    for size in (20, 2_000):
        controller, before = retuned(Buffered(inner, 200), Buffered(inner, size), a[:BEFORE])
        reached = controller.run(a[BEFORE:][:5_000])
        assert reached[0] == before[-1]
        assert controller.about()["waiting"] <= size
        assert controller.about()["buffer"] == size


def test_another_number_of_rows() -> None:
    """More rows than are known: nothing moves until there are so many."""
    a = sequence(4)
    fewer, before = retuned(Slack(rows(200)), Slack(rows(50)), a[:BEFORE])
    assert fewer.run(a[BEFORE : BEFORE + 1])[-1] >= before[-1]
    more, _ = retuned(Slack(rows(50)), Slack(rows(200)), a[:BEFORE])
    reached = more.run(a[BEFORE : BEFORE + 5_000])
    whole = started(Slack(rows(200))).run(a[: BEFORE + 5_000])[BEFORE:]
    assert (np.diff(reached) >= 0).all()
    assert (reached[2_000:] == whole[2_000:]).all()
