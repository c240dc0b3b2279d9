"""Counts of numbers on a logarithmic scale, as arrays; see `transom.semantics.log_counts`."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.arrays import Array, Ints
from transom.semantics.log_counts import FADING, FARTHEST, SIZE, STEPS, top_of


def steps_of(numbers: Array) -> Ints:
    """The step each number is on."""
    mantissa, exponent = np.frexp(numbers.astype(np.float64))
    exponent = np.clip(exponent, -FARTHEST, FARTHEST - 1) + FARTHEST
    return np.where(numbers > 0, exponent * STEPS + (mantissa * (2 * STEPS)).astype(np.int64) - STEPS + 1, 0)


class LogCounts:
    """Counts by step, and the largest of all that was counted."""

    def __init__(self, whole: bool) -> None:
        self.whole = whole
        self.most: Any = 0 if whole else 0.0
        self.counts = np.zeros(SIZE, np.int64)

    def add(self, numbers: Array, steps: Ints | None = None) -> None:
        if len(numbers):
            self.most = max(self.most, numbers.max().item())
            found = np.bincount(steps_of(numbers) if steps is None else steps)
            self.counts[: len(found)] += found

    def fade(self) -> None:
        """Let what is long ago count less."""
        if self.counts.sum() >= FADING:
            self.counts //= 2

    def exceeded(self, share: float) -> Any:
        """A number that at most this share of all exceeded."""
        used = np.flatnonzero(self.counts)[::-1]
        if not len(used):
            return top_of(0, whole=self.whole)
        above = np.cumsum(self.counts[used])
        place = int(np.searchsorted(above, int(share * int(above[-1])), side="right"))
        return top_of(int(used[place]) if place < len(used) else 0, whole=self.whole)

    def to_json(self) -> dict[str, Any]:
        used = np.flatnonzero(self.counts)
        return {"most": self.most, "steps": used.tolist(), "counts": self.counts[used].tolist()}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.most = kept["most"]
        self.counts[:] = 0
        self.counts[kept["steps"]] = kept["counts"]
