"""Late tuples by age: how far below the frontier they were, in powers of two."""

from __future__ import annotations

import numpy as np

from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis


class Ages:
    """Counts by n, for ages from 2^(n-1) up to 2^n units of the attribute."""

    def __init__(self, axis: Axis) -> None:
        self.axis = axis
        self.counts: dict[int, int] = {}

    def add(self, frontier: Array, a: Array) -> None:
        """Late tuples, and the frontier before each."""
        if len(a):
            ages = (frontier - a) / (self.axis.factor or 1)
            for power, count in zip(*np.unique(np.frexp(ages)[1], return_counts=True), strict=True):
                self.counts[int(power)] = self.counts.get(int(power), 0) + int(count)

    def to_json(self) -> list[tuple[int, int]]:
        return sorted(self.counts.items())

    def from_json(self, kept: list[tuple[int, int]]) -> None:
        self.counts = dict(kept)
