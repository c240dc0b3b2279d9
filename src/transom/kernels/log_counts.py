"""Counts of numbers on a logarithmic scale, as arrays; see `transom.semantics.log_counts`."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.arrays import Array, Ints
from transom.semantics.log_counts import FADING, FARTHEST, SIZE, STEPS, top_of


class LogCounts:
    """Counts by step, and the largest of all that was counted. Whole numbers need no steps below 1."""

    def __init__(self, whole: bool) -> None:
        self.whole = whole
        self.most: Any = 0 if whole else 0.0
        self.below = FARTHEST * STEPS if whole else 0
        self.counts = np.zeros(SIZE - self.below, np.int64)
        self.total = self.used = 0
        self._above: Ints | None = None

    def clear(self) -> None:
        """Begin anew."""
        self.counts[: self.used] = 0
        self.most, self.total, self.used, self._above = 0 if self.whole else 0.0, 0, 0, None

    def steps_of(self, numbers: Array) -> Ints:
        """The step each number is on."""
        mantissa, exponent = np.frexp(numbers.astype(np.float64))
        exponent = np.clip(exponent, -FARTHEST, FARTHEST - 1) + FARTHEST
        steps = exponent * STEPS + (mantissa * (2 * STEPS)).astype(np.int64) - (STEPS - 1 + self.below)
        return np.where(numbers > 0, steps, 0)

    def add(self, numbers: Array, steps: Ints | None = None) -> None:
        if len(numbers):
            self.most = max(self.most, numbers.max().item())
            found = np.bincount(self.steps_of(numbers) if steps is None else steps)
            self.used = max(self.used, len(found))
            self.counts[: len(found)] += found
            self.total += len(numbers)
            self._above = None

    def fade(self) -> None:
        """Let what is long ago count less."""
        if self.total >= FADING:
            self.counts //= 2
            self.total = int(self.counts.sum())
            self._above = None

    def exceeded(self, share: float) -> Any:
        """A number that at most this share of all exceeded."""
        if self._above is None:
            self._above = np.cumsum(self.counts[: self.used][::-1])
        place = int(np.searchsorted(self._above, int(share * self.total), side="right"))
        step = self.used - 1 - place
        return top_of(step + self.below if step > 0 else 0, whole=self.whole)

    def to_json(self) -> dict[str, Any]:
        used = np.flatnonzero(self.counts)
        return {"most": self.most, "steps": used.tolist(), "counts": self.counts[used].tolist()}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.most = kept["most"]
        self.counts[kept["steps"]] = kept["counts"]
        self.total, self.used, self._above = sum(kept["counts"]), max(kept["steps"], default=-1) + 1, None
