"""min_by and max_by, as algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Field, Mask, Partial, choose


class Best(Monoid):
    """Fields: whether there was a row, its rank, whether it has a value, the value. Of equal ranks the first row wins."""

    width = 4
    idempotent = True

    def __init__(self, value: np.dtype[Any], rank: np.dtype[Any], largest: bool) -> None:
        self.value, self.rank, self.largest = value, rank, largest

    def identity(self, n: int) -> Partial:
        return np.zeros(n, np.bool_), np.zeros(n, self.rank), np.zeros(n, np.bool_), np.zeros(n, self.value)

    def combine(self, a: Partial, b: Partial) -> Partial:
        better = _below(a[1], b[1]) if self.largest else _below(b[1], a[1])
        return choose(b[0] & (~a[0] | better), b, a)


def _below(a: Field, b: Field) -> Mask:
    """SQL's order, in which NaN is above every number."""
    below: Mask = a < b
    return below | (np.isnan(b) & ~np.isnan(a)) if a.dtype.kind == "f" else below


class ExtremeBy(Algebra):
    """The value of the row with the smallest or the largest rank."""

    def __init__(self, value: pa.DataType, rank: pa.DataType, largest: bool) -> None:
        value_lane, rank_lane = lanes.lane_of(value), lanes.lane_of(rank)
        assert value_lane is not None
        assert rank_lane is not None
        super().__init__(Best(value_lane, rank_lane, largest))
        self.kind = value

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        values, present = lanes.filled(args[0], 0)
        ranks, seen = lanes.filled(args[1], 0)
        present = present & seen
        return seen, ranks, present, np.where(present, values, values.dtype.type(0))

    def lower(self, partial: Partial) -> pa.Array:
        _, _, present, values = partial
        return lanes.array_of(values, present, self.kind)
