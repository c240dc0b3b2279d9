"""count and count_if."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.monoids.additive import RowCount
from transom.kernels.aggregates.partial import Mask, Partial, Places, lengths


class Counting(Algebra):
    """How many rows have a value in every argument, or a condition that is true."""

    def __init__(self, condition: bool = False) -> None:
        super().__init__(RowCount())
        self.condition = condition

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        if self.condition:
            return (lanes.filled(args[0], False)[0].astype(np.int64),)
        return (all_present(args, rows).astype(np.int64),)

    def partials(self, args: Sequence[pa.Array], starts: Places, rows: int) -> Partial:
        if self.condition or any(arg.null_count for arg in args):
            return super().partials(args, starts, rows)
        return (lengths(starts, rows),)

    def by_code(self, args: Sequence[pa.Array], coded: Coded) -> Partial | None:
        return None if self.condition or any(arg.null_count for arg in args) else (coded.counts,)

    def lower(self, partial: Partial) -> pa.Array:
        return pa.array(partial[0])


def all_present(args: Sequence[pa.Array], rows: int | None = None) -> Mask:
    """The rows in which no argument is NULL."""
    present = np.ones(len(args[0]) if args else rows or 0, np.bool_)
    for arg in args:
        if arg.null_count:
            present &= lanes.valid(arg)
    return present
