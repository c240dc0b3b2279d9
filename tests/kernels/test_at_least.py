"""What a slice alone tells of the delay holds, whatever came before it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transom import rows
from transom.kernels.axis import Axis
from transom.kernels.controllers import controller_of
from transom.kernels.controllers.at_least import at_least
from transom.kernels.sequence import Sequence
from transom.semantics import DropRatio, Generator, Heartbeat, Slack

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


@pytest.mark.parametrize("generator", [*map(DropRatio, RATIOS), Heartbeat()], ids=str)
def test_a_slice_brings_the_frontier_no_closer_to_its_maximum(generator: Generator) -> None:
    told = 0
    for seed in range(24):
        sequence, before, reached = behind_another(generator, seed)
        start, delay = at_least(generator, sequence.below)
        if delay and start < len(sequence):
            told += 1
            most = np.maximum(sequence.high[start + 1 : -1] - delay, sequence.high[start])
            assert (reached[start + 1 :] <= np.maximum(before, most)).all()
    assert told > 8


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
