"""first and last, as algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Partial, choose


class Outermost(Monoid):
    """Fields: whether there was a row, whether it has a value, the value. The first row wins, or the last."""

    width = 3
    idempotent = True

    def __init__(self, dtype: np.dtype[Any], last: bool) -> None:
        self.dtype, self.last = dtype, last

    def identity(self, n: int) -> Partial:
        return np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.zeros(n, self.dtype)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return choose(b[0], b, a) if self.last else choose(a[0], a, b)


class Edge(Algebra):
    """The first or the last value in the order of the rows, or the first or last that is not NULL."""

    def __init__(self, kind: pa.DataType, last: bool, ignore_nulls: bool) -> None:
        lane = lanes.lane_of(kind)
        assert lane is not None
        super().__init__(Outermost(lane, last))
        self.kind, self.ignore_nulls = kind, ignore_nulls

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        values, present = lanes.filled(args[0], 0)
        return present if self.ignore_nulls else np.ones(len(present), np.bool_), present, values

    def lower(self, partial: Partial) -> pa.Array:
        _, present, values = partial
        return lanes.array_of(values, present, self.kind)
