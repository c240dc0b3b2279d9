"""Variances, deviations, skewness and kurtosis; covariances and correlation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.algebras.counting import all_present
from transom.kernels.aggregates.double_double import two_sum
from transom.kernels.aggregates.monoids.centred import CentredPowers, CentredProducts
from transom.kernels.aggregates.partial import Field, Mask, Partial

Values = tuple[Field, Mask | Field]
"""What lowering gives: numbers, and where there is one."""


def _variance(n: Field, squares: Field, *, sample: int) -> Values:
    return squares / np.maximum(n - sample, 1.0), n > sample


def _deviation(n: Field, squares: Field, *, sample: int) -> Values:
    variance, present = _variance(n, squares, sample=sample)
    return np.sqrt(variance), present


def _skewness(n: Field, squares: Field, cubes: Field) -> Values:
    return np.sqrt(n) * cubes / (squares * np.sqrt(squares)), (n > 0) & (squares != 0)


def _kurtosis(n: Field, squares: Field, _: Field, fourths: Field) -> Values:
    return n * fourths / (squares * squares) - 3.0, (n > 0) & (squares != 0)


POWERS: Mapping[str, tuple[int, Callable[..., Values]]] = {
    "var_pop": (2, lambda n, squares: _variance(n, squares, sample=0)),
    "var_samp": (2, lambda n, squares: _variance(n, squares, sample=1)),
    "stddev_pop": (2, lambda n, squares: _deviation(n, squares, sample=0)),
    "stddev_samp": (2, lambda n, squares: _deviation(n, squares, sample=1)),
    "skewness": (3, _skewness),
    "kurtosis": (4, _kurtosis),
}


class Moments(Algebra):
    """What one column's deviations from its mean say."""

    def __init__(self, function: str, kind: pa.DataType) -> None:
        self.order, self.value = POWERS[function]
        super().__init__(CentredPowers(self.order))
        self.unit = _unit(kind)

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        present = lanes.valid(args[0])
        mean, deviation = _point(args[0], present)
        higher = (np.zeros(len(present)) for _ in range(self.order - 2))
        return present.astype(np.float64), *mean, deviation, *higher

    def lower(self, partial: Partial) -> pa.Array:
        n, powers = partial[0], partial[3:]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            values, present = self.value(n, *(power * self.unit**k for k, power in enumerate(powers, start=2)))
        return lanes.array_of(values, present, pa.float64())


class Comoments(Algebra):
    """What the deviations of two columns from their means say together."""

    def __init__(self, function: str, x: pa.DataType, y: pa.DataType) -> None:
        super().__init__(CentredProducts())
        self.function = function
        self.unit = _unit(x) * _unit(y)

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        present = all_present(args)
        (x, xx), (y, yy) = _point(args[0], present), _point(args[1], present)
        return present.astype(np.float64), *x, *y, xx, yy, xx + yy

    def lower(self, partial: Partial) -> pa.Array:
        n, xx, yy, xy = partial[0], *partial[5:]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            if self.function == "corr":
                return lanes.array_of(xy / np.sqrt(xx) / np.sqrt(yy), (xx != 0) & (yy != 0), pa.float64())
            sample = self.function == "covar_samp"
            return lanes.array_of(xy * self.unit / np.maximum(n - sample, 1.0), n > sample, pa.float64())


def _unit(kind: pa.DataType) -> float:
    """Decimals with a lane are calculated with as the integers that they are in units of their last digit."""
    return float(10.0**-kind.scale) if pa.types.is_decimal(kind) and lanes.lane_of(kind) is not None else 1.0


def _point(array: pa.Array, present: Mask) -> tuple[Partial, Field]:
    """Each value as a mean, and its deviations' squares: none, or NaN if the value is not finite."""
    lane = lanes.lane_of(array.type)
    if lane is not None and lane.kind in "iu":
        integers = np.where(present, lanes.values(array), 0).astype(np.int64)
        return two_sum((integers >> 32) * 2.0**32, (integers & 0xFFFFFFFF).astype(np.float64)), np.zeros(len(present))
    values = lanes.doubles(array)
    finite = np.isfinite(values)
    mean = np.where(finite & present, values, 0.0)
    return (mean, np.zeros(len(mean))), np.where(present & ~finite, np.nan, 0.0)
