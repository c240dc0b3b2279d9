"""What a slice alone tells of the delay holds, whatever came before it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transom import rows
from transom.disorder import DropRatio, Generator, Heartbeat, Slack
from transom.disorder.controllers import controller_of
from transom.disorder.dratio.budget import DARING, Budget, may_come_late
from transom.disorder.dratio.bursts_arrays import BurstsOnArrays
from transom.disorder.dratio.delay_bound import BLOCK, _needed, at_least
from transom.disorder.dratio.drop_ratio_arrays import DropRatioController
from transom.disorder.dratio.schedule import QUIET, WIDEST
from transom.disorder.histogram.log_histogram_arrays import LogHistogramOnArrays
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence
from transom.kernels.panes.settling import reached_at_most

RATIOS = (0.0005, 0.001, 0.01, 0.05, 0.1)


def disordered(seed: int, count: int) -> Any:
    """Delays of some shape, calm and wild in turn, perhaps growing, with bursts."""
    r = np.random.default_rng(seed)
    scale = np.where(np.arange(count) // r.integers(50, 60_000) % 2 == 0, *r.choice([1, 5, 50, 300], 2))
    shapes = [r.exponential(1, count), r.pareto(1.5, count), np.abs(r.normal(0, 1, count)), r.random(count)]
    a = np.cumsum(r.integers(0, 4, count)) - (shapes[seed % 4] * scale).astype(np.int64)
    if seed % 3 == 0:
        a -= (r.exponential(1, count) * np.linspace(0, 500, count)).astype(np.int64)
    for start in r.integers(0, count, seed % 7).tolist():
        a[start : start + r.integers(1, 800)] -= r.integers(0, 3000)
    return a


def behind_another(generator: Generator, seed: int) -> tuple[Sequence, Any, Any]:
    """A slice, the frontier before it, and the one before each of its tuples, behind some others that came before."""
    r = np.random.default_rng(seed)
    a = disordered(seed, 100_000)
    cut = int(r.choice([0, 700, 20_000, 50_000]))
    a[cut:] -= r.choice([0, 0, 300, 5000])
    controller = controller_of(generator, Axis())
    before = controller.run(a[:cut])[-1] if cut else controller.frontier
    return Sequence.of(a[cut:]), before, controller.run(a[cut:])[:-1]


def bounded(generator: Generator, sequence: Sequence) -> Any:
    """As far as the slice alone says that it brings the frontier, before each of its tuples but the first."""
    most = reached_at_most(generator, sequence)
    assert (most[1:] >= most[:-1]).all()  # what the frontier has reached before is not taken back
    return np.repeat(most, np.diff(sequence.maxima.rises_at, append=len(sequence)))[:-1]


@pytest.mark.parametrize("generator", [*map(DropRatio, RATIOS), Heartbeat()], ids=str)
def test_a_slice_brings_the_frontier_no_closer_to_its_maximum(generator: Generator) -> None:
    told = 0
    for seed in range(24):
        sequence, before, reached = behind_another(generator, seed)
        told += at_least(generator, sequence.below)[1] > 0
        assert (reached[1:] <= np.maximum(before, bounded(generator, sequence))).all()
    assert told > 8


@pytest.mark.parametrize("ratio", RATIOS)
def test_slices_in_which_hardly_enough_are_late_behind_many_tuples(ratio: float) -> None:
    """Then choices are far apart, much may be saved, and delays are as short as they can be."""
    generator, n = DropRatio(ratio), max(-(-tuples // count) for count, tuples in _needed(ratio))
    for seed in range(8):
        r = np.random.default_rng(seed)
        many, count, late = int(r.choice([400_000, 1_200_000])), 40_000, int(r.choice([3, 5, 40]))
        before = np.arange(many) - (r.random(many) < ratio) * r.choice([0, 10, 1000])
        places = (np.arange(BLOCK) - 1) % BLOCK if seed % 2 else np.arange(BLOCK)[::-1]
        delays = np.tile(np.where(places < n, late, 0), count // BLOCK + 1)[:count]
        a = many + np.arange(count) // r.choice([50, 200]) - delays
        controller = controller_of(generator, Axis())
        start, reached = controller.run(before)[-1], controller.run(a)[:-1]
        sequence = Sequence.of(a)
        assert at_least(generator, sequence.below)[1] > 0
        assert (reached[1:] <= np.maximum(start, bounded(generator, sequence))).all()


@pytest.mark.parametrize("ratio", [*RATIOS, 0.15])
def test_runs_have_enough_whole_blocks_wherever_they_begin(ratio: float) -> None:
    for size in range(QUIET, WIDEST + 1):
        whole = min((start + size) // BLOCK - -(-start // BLOCK) for start in range(BLOCK))
        late = may_come_late(DARING * ratio, size)
        assert any(count <= whole and tuples >= late for count, tuples in _needed(ratio))


@pytest.mark.parametrize("ratio", [*RATIOS, 0.15])
def test_of_every_run_enough_tuples_are_as_late(ratio: float) -> None:
    told = 0
    for seed in range(12):
        lateness = Sequence.of(disordered(seed, 60_000)).below
        delay = at_least(DropRatio(ratio), lateness)[1]
        told += delay > 0
        sofar = np.concatenate([[0], np.cumsum(lateness >= delay)])
        for size in (*range(QUIET, WIDEST + 1, 120), WIDEST):
            late = may_come_late(DARING * ratio, size)
            assert (sofar[size:] - sofar[:-size]).min() >= late
    assert told > 2


def test_where_all_are_as_late_that_is_the_delay() -> None:
    assert at_least(DropRatio(0.01), np.full(50_000, 700, np.uint16))[1] == pytest.approx(700, abs=700 / 2**5)


def test_no_choice_is_shorter_than_what_may_come_late_of_the_last_tuples() -> None:
    learned = 0
    for seed in range(3000):
        r = np.random.default_rng(seed)
        seen, ratio = int(r.integers(1000, 300_000)), float(r.choice(RATIOS))
        late, lost = int(ratio * seen * r.choice([0, 0.5, 1, 2])), int(ratio * seen * r.choice([0, 3]))
        budget = Budget(ratio, seen, late, lost)
        memory, bursts = LogHistogramOnArrays(True), BurstsOnArrays(True)
        memory.add(r.integers(0, r.choice([1, 10, 1000]), 50))
        bursts.begin(1000, int(r.choice([1, 100])), 0)
        bursts.see(1000 - r.integers(0, r.choice([1, 1000]), 50))
        bursts.fold()
        window = np.sort(r.integers(0, r.choice([2, 30, 3000]), r.integers(256, 4097)))[::-1]
        rising, learned = bool(r.integers(2)), learned + budget.learns
        choice = budget.choose(len(window), lambda n, own=window: int(own[n - 1]), memory, bursts, rising=rising)
        assert choice.delay >= window[0 if rising or budget.learns else may_come_late(DARING * ratio, len(window)) - 1]
    assert 300 < learned < 2700


def test_choices_are_made_from_no_fewer_tuples_than_show_a_fall() -> None:
    found: list[tuple[int, int]] = []
    controller = controller_of(DropRatio(0.01), Axis())
    assert isinstance(controller, DropRatioController)
    choose = controller.budget.choose

    def noted(size: int, *about: Any, rising: bool) -> Any:
        found.append((size, controller.budget.seen))
        return choose(size, *about, rising=rising)

    controller.budget.choose = noted  # type: ignore[method-assign]
    for seed in range(6):
        controller.run(disordered(seed, 50_000) + seed * 500_000)
    assert all(size >= min(seen, QUIET) for size, seen in found)
    assert sum(size == QUIET for size, _ in found) > 4


def test_it_is_a_fair_part_of_the_delay() -> None:
    a = np.arange(100_000) * 10 - (np.random.default_rng(1).exponential(1000, 100_000)).astype(np.int64)
    sequence, reached = Sequence.of(a), controller_of(DropRatio(0.01), Axis()).run(a)[:-1]
    start, delay = at_least(DropRatio(0.01), sequence.below)
    kept = (sequence.high[:-1] - reached)[start:]
    assert 0.25 * np.median(kept) < delay <= kept.min()
    start, delay = at_least(Heartbeat(), sequence.below)
    assert delay == sequence.below[:start].max()


@pytest.mark.parametrize(
    "generator", [DropRatio(0.2), DropRatio(0.01, normal=True), Heartbeat(average=True), Slack(rows(3))], ids=str
)
def test_others_promise_nothing(generator: Generator) -> None:
    assert at_least(generator, Sequence.of(disordered(1, 60_000)).below)[1] == 0


@pytest.mark.parametrize("count", [1, 700, 36_864])
def test_short_slices_tell_nothing(count: int) -> None:
    assert at_least(DropRatio(0.01), Sequence.of(disordered(1, count)).below)[1] == 0
    assert at_least(Heartbeat(), np.zeros(count, np.uint16))[1] == 0
