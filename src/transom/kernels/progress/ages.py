"""Late tuples by age: how far below the frontier they were, in bins with round bounds."""

from __future__ import annotations

import numpy as np

from transom.disorder.age_bounds import bound_of_power, bounds_of
from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis


class Ages:
    """Counts by the upper bound of a bin, in units of the attribute."""

    def __init__(self, axis: Axis, *, timed: bool) -> None:
        self.axis, self.timed = axis, timed
        self.bounds = np.array(bounds_of(timed=timed))
        self.counts: dict[float, int] = {}

    def add(self, frontier: Array, a: Array) -> None:
        """Late tuples, and the frontier before each."""
        if len(a):
            ages = (frontier - a) / (self.axis.factor or 1)
            bins = np.minimum(np.searchsorted(self.bounds, ages), len(self.bounds) - 1)
            for place, count in zip(*np.unique(bins, return_counts=True), strict=True):
                self._count(float(self.bounds[place]), int(count))

    def _count(self, bound: float, count: int) -> None:
        self.counts[bound] = self.counts.get(bound, 0) + count

    def to_json(self) -> list[tuple[str, int]]:
        return [(str(bound), count) for bound, count in sorted(self.counts.items())]

    def from_json(self, kept: list[tuple[str | int, int]]) -> None:
        """What was kept. Earlier checkpoints have whole numbers: powers of two."""
        self.counts = {}
        for bound, count in kept:
            self._count(float(bound) if isinstance(bound, str) else bound_of_power(bound, timed=self.timed), count)
