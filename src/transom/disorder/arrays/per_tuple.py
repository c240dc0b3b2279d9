"""Controllers that compute a promise after each tuple."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from transom.disorder.arrays.controller import Controller
from transom.disorder.arrays.frontier_path import FrontierPath, WrittenFrontiers
from transom.kernels.columns.arrays import Array
from transom.kernels.columns.sequence import Sequence


class PerTupleController(Controller):
    """A promise may be lower than the one before: the largest so far is the frontier."""

    @abstractmethod
    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        """Write the promise after each tuple into `reached[1:]`; `reached[0]` is the frontier before all.

        `high` has the running maximum before each, and at last the one after all.
        """

    def judge(self, sequence: Sequence, arrival: Array | None = None) -> FrontierPath:
        return WrittenFrontiers(sequence, self.run(sequence.places, arrival))

    def run(self, a: Array, arrival: Array | None = None) -> Array:
        if not len(a):
            return np.array([self.frontier], self.axis.dtype)
        high, reached = np.empty((2, len(a) + 1), self.axis.dtype)
        high[0], high[1:] = self.high, a
        np.maximum.accumulate(high, out=high)
        reached[0] = self.frontier
        self.promise(a, high, arrival, reached)
        np.maximum.accumulate(reached, out=reached)
        self.high, self.frontier = high[-1].item(), reached[-1].item()
        sampled = self._sampled(len(a))
        sampled = sampled[reached[sampled] > self.axis.nothing_yet]
        first = np.searchsorted(high[1:], self.frontier)  # while the maximum was below the frontier, all tuples were
        delays, late = high[sampled] - reached[sampled], int(np.count_nonzero(a < reached[:-1]))
        self._note(len(a), late, delays, a[first:], self.frontier)
        return np.asarray(reached)
