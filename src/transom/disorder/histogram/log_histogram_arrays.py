"""The logarithmic histogram on arrays; see `log_histogram`."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.histogram.log_histogram import FADING, FARTHEST, SIZE, STEPS, step_of, top_of
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.number_packing import as_text, from_text

LOW_BITS = 52 - (STEPS.bit_length() - 1)
ONE = (1023 * STEPS) - STEPS - 1
"""1 is one step above the first power of two: its exponent, as doubles write it, less that."""

FEW = 8
"""Up to this many numbers are counted faster one by one."""

TOP = 192
"""Steps that a quantile is looked for in first: six powers of two."""


class LogHistogramOnArrays:
    """Counts by step, and the largest of all that was counted. Whole numbers need no steps below 1."""

    def __init__(self, whole: bool) -> None:
        self.whole = whole
        self.most: Any = 0 if whole else 0.0
        self.below = FARTHEST * STEPS if whole else 0
        self.counts = np.zeros(SIZE - self.below, np.int64)
        self.total = self.used = 0

    def clear(self) -> None:
        """Begin anew."""
        self.counts[: self.used] = 0
        self.most, self.total, self.used = 0 if self.whole else 0.0, 0, 0

    def steps_of(self, numbers: Array) -> Ints:
        """The step each number is on; of whole numbers, what a double has before its last 47 bits."""
        if self.whole:
            steps = numbers.astype(np.float64).view(np.int64) >> LOW_BITS
            steps -= ONE
            return np.asarray(np.maximum(steps, 0, out=steps))
        mantissa, exponent = np.frexp(numbers.astype(np.float64))
        exponent = np.clip(exponent, -FARTHEST, FARTHEST - 1) + FARTHEST
        steps = exponent * STEPS + (mantissa * (2 * STEPS)).astype(np.int64) - (STEPS - 1 + self.below)
        return np.where(numbers > 0, steps, 0)

    def step_of(self, x: Any) -> int:
        """The step one number is on."""
        return max(0, step_of(x) - self.below)

    def add(self, numbers: Array) -> None:
        if len(numbers) > FEW:
            self.add_steps(self.steps_of(numbers), numbers.max().item())
            return
        for x in numbers.tolist():
            step = self.step_of(x)
            self.counts[step] += 1
            self.most, self.used = max(self.most, x), max(self.used, step + 1)
        self.total += len(numbers)

    def add_steps(self, steps: Ints, most: Any, times: int = 1) -> None:
        """Count numbers by their steps, each several times, and their largest."""
        self.most = max(self.most, most)
        if len(steps):
            found = np.bincount(steps)
            self.used = max(self.used, len(found))
            self.counts[: len(found)] += found if times == 1 else found * times
            self.total += times * len(steps)

    def fade(self) -> None:
        """Halve all counts, once there are FADING."""
        if self.total >= FADING:
            self.counts //= 2
            self.total = int(self.counts.sum())

    def exceeded(self, share: float) -> Any:
        """A number that at most this share of all exceeded."""
        rank, top = int(share * self.total), self._from_the_top(TOP)
        if self.used > TOP and top[-1] <= rank:
            top = self._from_the_top(self.used)
        step = self.used - 1 - int(top.searchsorted(rank, side="right"))
        return top_of(step + self.below if step > 0 else 0, whole=self.whole)

    def _from_the_top(self, steps: int) -> Ints:
        """How many are on the highest steps, on the two highest, and so on."""
        return np.asarray(self.counts[max(0, self.used - steps) : self.used][::-1].cumsum())

    def to_json(self) -> dict[str, Any]:
        used = np.flatnonzero(self.counts[: self.used])
        return {"most": self.most, "steps": as_text(used), "counts": as_text(self.counts[used])}

    def from_json(self, kept: dict[str, Any]) -> None:
        steps, counts = from_text(kept["steps"]), from_text(kept["counts"])
        self.clear()
        self.most, self.total, self.used = kept["most"], int(counts.sum()), int(steps[-1]) + 1 if len(steps) else 0
        self.counts[steps] = counts
