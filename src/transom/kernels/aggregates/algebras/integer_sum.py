"""sum and avg of integers, and of decimals of up to 18 digits: exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import decimals, lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.monoids.additive import RowCount, WideInteger, carried
from transom.kernels.aggregates.partial import Partial

EXACTLY = 2**20
"""So many integers of 32 bits add up to one that a double holds exactly."""


class IntegerSum(Algebra):
    """The number of values, and their sum in 96 bits."""

    def __init__(self, kind: pa.DataType, ansi: bool = True) -> None:
        super().__init__(RowCount(), WideInteger())
        self.kind, self.ansi = kind, ansi
        self.decimal = pa.types.is_decimal(kind)

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        values, present = lanes.filled(args[0], 0)
        return present.astype(np.int64), *WideInteger.lift(values)

    def by_code(self, args: Sequence[pa.Array], coded: Coded) -> Partial | None:
        if args[0].null_count or len(coded.codes) > EXACTLY:
            return None
        high, low = (coded.sums(half).astype(np.int64) for half in WideInteger.lift(lanes.values(args[0])))
        return coded.counts, *carried(high, low)

    def lower(self, partial: Partial) -> pa.Array:
        count, high, low = partial
        if self.decimal:
            return decimals.from_wide(high, low, count > 0, decimals.type_of_sum(self.kind), self.ansi)
        if self.ansi and ((high < -(2**31)) | (high >= 2**31)).any():
            raise decimals.overflow("bigint")
        return lanes.array_of((high << 32) | low, count > 0, pa.int64())


class IntegerAverage(IntegerSum):
    """The same, divided at last: a double of integers, a decimal of decimals."""

    def lower(self, partial: Partial) -> pa.Array:
        count, high, low = partial
        present, divisor = count > 0, np.maximum(count, 1)
        if not self.decimal:
            return lanes.array_of((high * 2.0**32 + low) / divisor, present, pa.float64())
        kind = decimals.type_of_average(self.kind)
        digits = kind.scale - self.kind.scale
        if divisor.max(initial=1) < 2**31:
            return lanes.from_limbs(*decimals.quotient(high, low, divisor, digits), present, kind)
        numerators = ((high.astype(object) << 32) + low) * 10**digits
        return decimals.from_integers(decimals.rounded(numerators, divisor), present, kind, self.ansi)
