"""HEARTBEAT."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence
from transom.kernels.controllers.reached import Reached, Stretches
from transom.kernels.controllers.stretching import StretchController

FEW = 100
"""Up to so many times the delay grows, it is followed from one to the next; frontiers of more are written down faster."""


class HeartbeatController(StretchController):
    """The running maximum less the largest lateness so far, which grows ever more rarely."""

    def __init__(self, axis: Axis) -> None:
        super().__init__(axis, 1)
        self.latest: Any = 0 if axis.factor is not None else 0.0

    def judge(self, sequence: Sequence, arrival: Array | None = None) -> Reached:
        sequence = sequence.behind(self.high)
        found = Stretches(sequence, self.axis, self.step, self.frontier)
        grows = self._grows(sequence.below)
        if len(grows) <= FEW:
            reached = self._follow(sequence, found, grows)
        else:
            reached = self._write(sequence, found)
        self._tell(sequence, found, reached)
        return found

    def _grows(self, lateness: Array) -> Ints:
        """Which tuples are later than all before."""
        if not len(lateness) or lateness.max() <= self.latest:
            return np.zeros(0, np.int64)
        most = np.maximum.accumulate(lateness)
        grows = most > self.latest
        grows[1:] &= most[1:] > most[:-1]
        return np.asarray(grows.nonzero()[0])

    def _follow(self, sequence: Sequence, found: Stretches, grows: Ints) -> Any:
        reached = self.frontier
        starts = [0, *grows.tolist()]
        for start, end in zip(starts, [*starts[1:], len(sequence)], strict=True):
            if start < end:
                self.latest = max(self.latest, sequence.below[start].item())
                found.follow(start, reached, self.latest)
                found.found.append(found.late_behind(start, end, reached, self.latest))
                reached = max(reached, sequence.high[end].item() - self.latest)
        return reached

    def _write(self, sequence: Sequence, found: Stretches) -> Any:
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
