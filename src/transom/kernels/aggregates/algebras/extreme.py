"""min, max, bool_and and bool_or."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.monoids.extremum import Extremum
from transom.kernels.aggregates.monoids.flag import Flag
from transom.kernels.aggregates.partial import Partial, Places


class Extreme(Algebra):
    """The smallest or the largest value, and whether there was any."""

    def __init__(self, kind: pa.DataType, largest: bool) -> None:
        lane = lanes.lane_of(kind)
        assert lane is not None
        self.kind, self.extremum = kind, Extremum(lane, largest)
        super().__init__(self.extremum, Flag())

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        return lanes.filled(args[0], self.extremum.worst)

    def partials(self, args: Sequence[pa.Array], starts: Places, rows: int) -> Partial:
        if args[0].null_count:
            return super().partials(args, starts, rows)
        return *self.extremum.reduce((lanes.values(args[0]),), starts), np.ones(len(starts), np.bool_)

    def by_code(self, args: Sequence[pa.Array], coded: Coded) -> Partial | None:
        if args[0].null_count:
            return None
        (best,) = self.extremum.identity(coded.size)
        with np.errstate(invalid="ignore"):  # NaN is a value like any other
            self.extremum.better.at(best, coded.codes, lanes.values(args[0]))
        return best, np.ones(coded.size, np.bool_)

    def over(self, args: Sequence[pa.Array], starts: Places, ends: Places) -> Partial:
        if args[0].null_count or not len(args[0]):
            return super().over(args, starts, ends)
        return *self.extremum.slices((lanes.values(args[0]),), starts, ends), ends > starts

    def lower(self, partial: Partial) -> pa.Array:
        values, seen = partial
        return lanes.array_of(values, seen, self.kind)
