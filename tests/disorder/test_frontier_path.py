"""Frontiers that are asked for some tuples are those of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transom.disorder import DropRatio, Heartbeat
from transom.disorder.arrays.frontier_path import FrontierPath, WrittenFrontiers
from transom.disorder.controllers import controller_of
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence


def disordered(seed: int, count: int = 5000) -> Any:
    r = np.random.default_rng(seed)
    return np.cumsum(r.integers(0, 6, count)) - (r.exponential(1, count) * r.choice([0, 10, 100], count)).astype(np.int64)


def reached(a: Any, generator: Any) -> tuple[FrontierPath, Any]:
    """By one controller of a sequence, and by another of all places, one after the other."""
    first = controller_of(generator, Axis())
    first.run(a[:2000])
    second = controller_of(generator, Axis())
    second.run(a[:2000])
    return first.judge(Sequence.of(a[2000:])), second.run(a[2000:])


@pytest.mark.parametrize("generator", [DropRatio(0.01), DropRatio(0.2), Heartbeat()], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_frontiers_and_late_tuples(seed: int, generator: Any) -> None:
    a = disordered(seed)
    found, each = reached(a, generator)
    numbers = np.sort(np.random.default_rng(seed).choice(3001, 700, replace=False))
    assert (found.first, found.last) == (each[0], each[-1])
    assert found.before(numbers).tolist() == each[numbers].tolist()
    assert found.late().tolist() == np.flatnonzero(a[2000:] < each[:-1]).tolist()
    assert len(found.late()) > 0 or isinstance(generator, Heartbeat)
    assert found.places(numbers[:50]).tolist() == a[2000:][numbers[:50]].tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("low", "limit"), [(0.0, 1.0), (0.3, 1.0), (0.0, 0.6), (0.3, 0.6)])
def test_between_what_others_have_reached(seed: int, low: float, limit: float) -> None:
    a = disordered(seed)
    found, each = reached(a, DropRatio(0.05))
    low, limit = (int(each[0] + part * (each[-1] - each[0])) for part in (low, limit))
    between, wanted = found.between(low, limit), np.maximum(low, np.minimum(each, limit))
    assert (between.first, between.last) == (wanted[0], wanted[-1])
    assert between.before(np.arange(3001)).tolist() == wanted.tolist()
    assert between.late().tolist() == np.flatnonzero(a[2000:] < wanted[:-1]).tolist()


def test_nothing_is_late_in_an_empty_piece() -> None:
    found = WrittenFrontiers(Sequence.of(np.zeros(0, np.int64)), np.array([7]))
    assert (found.first, found.last, found.late().tolist()) == (7, 7, [])


def test_a_delay_that_grows_with_each_tuple() -> None:
    """Each is later than all before, for a while, and then none is; cut in the midst of it."""
    a = np.concatenate([np.arange(0, 9000, 9), np.arange(8000, 2000, -3), np.arange(9000, 12_000)])
    high, most = np.maximum.accumulate(a), np.maximum.accumulate(np.maximum.accumulate(a) - a)
    wanted = np.maximum.accumulate(high - most)
    controller, found = controller_of(Heartbeat(), Axis()), []
    for piece in np.split(a, [1500, 1501, 2700]):
        reached = controller.judge(Sequence.of(piece))
        found += reached.before(np.arange(1, len(piece) + 1)).tolist()
        assert reached.late().tolist() == np.flatnonzero(piece < reached.before(np.arange(len(piece)))).tolist()
    assert found == wanted.tolist()
