"""The smallest and the largest value, in SQL's order: NaN is above every number."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Partial, Places


class Extremum(Monoid):
    """Values of one dtype; the identity is the value that loses against all others."""

    idempotent = True

    def __init__(self, dtype: np.dtype[Any], largest: bool) -> None:
        self.dtype, self.largest = dtype, largest
        # As NaN is above every number, it may not be lost by the maximum, and has to be by the minimum.
        self.better = np.maximum if largest else np.fmin if dtype.kind == "f" else np.minimum
        self.worst = _worst(dtype, largest)

    def identity(self, n: int) -> Partial:
        return (np.full(n, self.worst, self.dtype.type),)  # a dtype that was pickled is not the same object, and not as fast

    def combine(self, a: Partial, b: Partial) -> Partial:
        return (self.better(a[0], b[0]),)

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        return (self.better.reduceat(partial[0], starts),)


def _worst(dtype: np.dtype[Any], largest: bool) -> Any:
    if dtype.kind == "b":
        return not largest
    if dtype.kind == "f":
        return -np.inf if largest else np.nan
    limits = np.iinfo(dtype)
    return limits.min if largest else limits.max
