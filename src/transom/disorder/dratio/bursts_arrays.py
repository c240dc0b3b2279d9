"""What bursts would have cost, as arrays; see `transom.disorder.dratio.bursts`."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.histogram.log_histogram import top_of
from transom.disorder.histogram.log_histogram_arrays import LogHistogramOnArrays
from transom.kernels.columns.arrays import Array
from transom.kernels.columns.number_packing import as_text, from_text


class BurstsOnArrays:
    """For each step, the most that one burst had above it; `present` counts the one that began at `high`."""

    def __init__(self, whole: bool) -> None:
        self.present = LogHistogramOnArrays(whole)
        self.high: Any = None
        self.usual: Any = None
        self.began = 0
        self.worst = np.zeros(len(self.present.counts), np.int64)

    def see(self, a: Array) -> None:
        far = (a < self.high - self.usual).nonzero()[0]
        if len(far):
            self.present.add(self.high - a[far])

    def fold(self) -> None:
        """Compare the present burst with the worst: as both fall from step to step, only where the present one does."""
        if self.present.total:
            above = self.present.step_of(self.usual) + 1  # what is usual costs nothing
            counts = self.present.counts[above : self.present.used]
            steps = counts.nonzero()[0][::-1]
            costs = counts[steps].cumsum()
            steps += above
            for n in (costs > self.worst[steps - 1]).nonzero()[0]:
                below = self.worst[: steps[n]]
                np.maximum(below, costs[n], out=below)

    def begin(self, high: Any, usual: Any, seen: int) -> None:
        self.high, self.usual, self.began = high, usual, seen
        if self.present.total:
            self.present.clear()

    def affordable(self, tuples: float) -> Any:
        """The least delay at which no burst would have cost more."""
        if self.worst[0] <= tuples:
            return top_of(0, whole=self.present.whole)
        step = int(np.count_nonzero(self.worst > tuples))
        return top_of(step + self.present.below, whole=self.present.whole)

    def to_json(self) -> dict[str, Any]:
        drops = np.flatnonzero(self.worst[:-1] != self.worst[1:])
        kept = {"high": self.high, "usual": self.usual, "began": self.began, "present": self.present.to_json()}
        return {**kept, "steps": as_text(drops), "costs": as_text(self.worst[drops])}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.high, self.usual, self.began = kept["high"], kept["usual"], kept["began"]
        self.present.from_json(kept["present"])
        steps, costs = from_text(kept["steps"]), from_text(kept["costs"])
        lengths = np.diff(steps, prepend=-1)
        self.worst[: lengths.sum()] = np.repeat(costs, lengths)
