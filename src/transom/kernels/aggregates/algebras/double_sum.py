"""sum and avg of floats and doubles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.double_double import add
from transom.kernels.aggregates.monoids.additive import RowCount
from transom.kernels.aggregates.monoids.flag import Flag
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Field, Partial, Places, lengths
from transom.kernels.aggregates.slicing import ascending, fixed_point


class PreciseSum(Monoid):
    """Addition in twice the precision, so that a sum hardly ever depends on how a window was cut into panes.

    There is no inverse: subtracting what has left would leave its rounding errors behind.
    """

    width = 2

    def identity(self, n: int) -> Partial:
        return np.zeros(n), np.zeros(n)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return add(a, b)

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        exact = fixed_point.reduce(partial, starts)
        return super().reduce(partial, starts) if exact is None else exact

    def slices(self, partial: Partial, starts: Places, ends: Places) -> Partial:
        exact = None if ascending.are_ascending(starts, ends) else fixed_point.slices(fixed_point.terms(partial), starts, ends)
        return super().slices(partial, starts, ends) if exact is None else exact


class DoubleSum(Algebra):
    """The number of values, the sum of the finite ones, and whether there was NaN, infinity, or minus infinity."""

    def __init__(self, average: bool = False) -> None:
        super().__init__(RowCount(), PreciseSum(), Flag(), Flag(), Flag())
        self.average = average

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        present, values = lanes.valid(args[0]), lanes.doubles(args[0])
        finite = np.isfinite(values)
        finite &= present
        nothing = np.zeros(len(values), np.bool_)
        if finite.all():
            return present.astype(np.int64), values, np.zeros(len(values)), nothing, nothing, nothing
        odd = present & ~finite
        flags = odd & np.isnan(values), odd & (values == np.inf), odd & (values == -np.inf)
        return present.astype(np.int64), np.where(finite, values, 0.0), np.zeros(len(values)), *flags

    def partials(self, args: Sequence[pa.Array], starts: Places, rows: int) -> Partial:
        values = _all_finite(args[0])
        sums = None if values is None else fixed_point.sums([values], starts)
        return super().partials(args, starts, rows) if sums is None else _of_finite(lengths(starts, rows), sums)

    def by_code(self, args: Sequence[pa.Array], coded: Coded) -> Partial | None:
        values = _all_finite(args[0])
        sums = None if values is None else fixed_point.sums_by_code([values], coded)
        return None if sums is None else _of_finite(coded.counts, sums)

    def over(self, args: Sequence[pa.Array], starts: Places, ends: Places) -> Partial:
        values = None if ascending.are_ascending(starts, ends) else _all_finite(args[0])
        sums = None if values is None else fixed_point.slices([values], starts, ends)
        return super().over(args, starts, ends) if sums is None else _of_finite(ends - starts, sums)

    def lower(self, partial: Partial) -> pa.Array:
        count, high, low, nan, above, below = partial
        total = high + low
        with np.errstate(invalid="ignore"):
            if above.any() or below.any():
                total = total + np.where(above, np.inf, 0.0) + np.where(below, -np.inf, 0.0)
        if nan.any():
            total = np.where(nan, np.nan, total)
        return lanes.array_of(total / np.maximum(count, 1) if self.average else total, count > 0, pa.float64())


def _all_finite(column: pa.Array) -> Field | None:
    """Nothing but values, all of them finite, is the usual thing: then only values have to be added up."""
    values = lanes.doubles(column)
    if not len(values) or column.null_count:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        return values if np.isfinite(values.max() - values.min()) else None


def _of_finite(count: Places, sums: Partial) -> Partial:
    nothing = np.zeros(len(count), np.bool_)
    return count, *sums, nothing, nothing, nothing
