"""A piece of the sequence, with what can be found at once instead of stretch by stretch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from transom.disorder.dratio.schedule import LEARNING, ONE_IN, QUIET
from transom.disorder.histogram.log_histogram_arrays import LogHistogramOnArrays
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.sequence import Sequence

BLOCK = QUIET // 2
"""If some tuple of each block that lies in a stretch is not calm, fewer than are looked for in a row are."""


class Piece:
    """The latenesses, and the maximum before each tuple and after all; `seen` is the number before."""

    def __init__(self, sequence: Sequence, memory: LogHistogramOnArrays, seen: int) -> None:
        self.sequence, self.lateness, self.high = sequence, sequence.below, sequence.high
        blocks = self.lateness[: len(sequence) - len(sequence) % BLOCK].reshape(-1, BLOCK)
        self._peaks: Array = np.maximum.reduce(blocks, axis=1)
        self._learning = max(0, LEARNING - seen)
        self._first = self._learning or -seen % ONE_IN
        self._steps_of_all = memory.steps_of(self.lateness[: self._learning])
        self._steps_of_some = memory.steps_of(self.lateness[self._first :: ONE_IN])

    def peaks(self, start: int, end: int) -> Array:
        """The largest lateness of each block that lies in a stretch."""
        return self._peaks[-(-start // BLOCK) : end // BLOCK]

    def remembered(self, start: int, end: int) -> Iterator[tuple[Ints, int]]:
        """The steps of the latenesses of a stretch, and how often each counts: of all tuples at first, then of one in ONE_IN, by
        their numbers in the whole sequence."""
        if start < self._learning:
            yield self._steps_of_all[start:end], 1
        if end > self._first:
            yield self._steps_of_some[max(0, -(-(start - self._first) // ONE_IN)) : -(-(end - self._first) // ONE_IN)], ONE_IN
