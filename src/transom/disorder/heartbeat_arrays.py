"""HEARTBEAT and HEARTBEAT AVERAGE on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.arrays.frontier_path import FrontierPath, StretchFrontiers
from transom.disorder.arrays.per_stretch import PerStretchController
from transom.disorder.arrays.per_tuple import PerTupleController
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence

FEW = 100
"""If the delay grows no more often than this in a piece, a stretch each is faster; otherwise all frontiers are stored."""


class HeartbeatController(PerStretchController):
    """The running maximum less the largest lateness so far, which grows ever more rarely."""

    def __init__(self, axis: Axis) -> None:
        super().__init__(axis, 1)
        self.latest: Any = 0 if axis.factor is not None else 0.0

    def judge(self, sequence: Sequence, arrival: Array | None = None) -> FrontierPath:
        sequence = sequence.behind(self.high)
        found = StretchFrontiers(sequence, self.axis, self.step, self.frontier)
        grows = self._grows(sequence.below)
        if len(grows) <= FEW:
            reached = self._follow(sequence, found, grows)
        else:
            reached = self._write(sequence, found)
        self._record(sequence, found, reached)
        return found

    def _grows(self, lateness: Array) -> Ints:
        """Which tuples are later than all before."""
        if not len(lateness) or lateness.max() <= self.latest:
            return np.zeros(0, np.int64)
        most = np.maximum.accumulate(lateness)
        grows = most > self.latest
        grows[1:] &= most[1:] > most[:-1]
        return np.asarray(grows.nonzero()[0])

    def _follow(self, sequence: Sequence, found: StretchFrontiers, grows: Ints) -> Any:
        reached = self.frontier
        starts = [0, *grows.tolist()]
        for start, end in zip(starts, [*starts[1:], len(sequence)], strict=True):
            if start < end:
                self.latest = max(self.latest, sequence.below[start].item())
                found.follow(start, reached, self.latest)
                found.found.append(found.late_behind(start, end, reached, self.latest))
                reached = max(reached, sequence.high[end].item() - self.latest)
        return reached

    def _write(self, sequence: Sequence, found: StretchFrontiers) -> Any:
        most = np.maximum.accumulate(np.maximum(sequence.below.astype(self.axis.dtype), self.latest))
        written = np.concatenate([np.array([self.frontier], self.axis.dtype), sequence.high[1:] - most])
        np.maximum.accumulate(written, out=written)
        found.follow(0, self.frontier, None, written)
        found.found.append((sequence.places < written[:-1]).nonzero()[0])
        self.latest = most[-1].item()
        return written[-1].item()

    def own_to_json(self) -> dict[str, Any]:
        return {"latest": self.latest}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        self.latest = kept["latest"]


class AverageController(PerTupleController):
    """The running maximum less the average, over the tuples so far, of the largest lateness at each."""

    def __init__(self, axis: Axis, step: int) -> None:
        super().__init__(axis, step)
        self.latest: Any = 0 if axis.factor is not None else 0.0
        self.total: Any = self.latest

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        latest = high[:-1] - a
        np.maximum(latest, self.latest, out=latest)
        np.maximum.accumulate(latest, out=latest)
        self.latest = latest[-1].item()
        np.subtract(high[1:], self._averages(latest), out=reached[1:])

    def _averages(self, latest: Array) -> Array:
        """In whole units, rounded up. Doubles are added up one after the other, so that cuts do not matter."""
        exact = self.axis.factor is not None
        if exact and self.total + len(latest) * self.latest >= 2**62:
            latest = latest.astype(object)
        totals = np.cumsum(np.concatenate([np.array([self.total], latest.dtype), latest]))[1:]
        self.total = totals[-1].item() if isinstance(totals[-1], np.generic) else totals[-1]
        seen = self.seen + 1 + np.arange(len(latest))
        averages = -(-totals // (seen * self.step)) * self.step if exact else totals / seen
        return np.asarray(averages, self.axis.dtype)

    def own_to_json(self) -> dict[str, Any]:
        return {"latest": self.latest, "total": self.total}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        self.latest, self.total = kept["latest"], kept["total"]
