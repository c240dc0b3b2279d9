"""Rows in groups: one partial aggregate for each.

Where groups are few, rows are added to theirs from where they stand; otherwise, and for aggregates that need it, the rows of
a group are first laid side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.partial import Partial, lengths, take
from transom.kernels.columns.arrays import Ints, order_of, run_starts

FEW = 4
"""Codes are few if rows outnumber them by this factor."""


class CodedGroups:
    """Rows by code; each code below `size` that a row has is a group. Rows whose code is `size` are in none."""

    def __init__(self, codes: Ints, size: int) -> None:
        self.coded = Coded(codes, size + 1)
        self.few = size * FEW <= len(codes)
        self._beside: dict[int, tuple[pa.Array, pa.Array]] = {}

    @cached_property
    def first(self) -> Ints:
        """The first row of each group, in order of the codes."""
        if not self.few:
            return self._order[self._starts]
        first = np.empty(self.coded.size, np.int64)
        first[self.coded.codes[::-1]] = np.arange(len(self.coded.codes))[::-1]
        return first[self._present]

    @cached_property
    def rows(self) -> Ints:
        """How many rows each group has."""
        return self.coded.counts[self._present] if self.few else lengths(self._starts, len(self._order))

    def partials(self, algebra: Algebra, args: Sequence[pa.Array]) -> Partial:
        """The partial of each group."""
        found = algebra.by_code(args, self.coded) if self.few else None
        if found is not None:
            return take(found, self._present)
        return algebra.partials([self._turned(arg) for arg in args], self._starts, len(self._order))

    @cached_property
    def _present(self) -> Ints:
        return np.flatnonzero(self.coded.counts[:-1])

    @cached_property
    def _order(self) -> Ints:
        """The rows that are in a group, those of each side by side."""
        order = order_of(self.coded.codes, self.coded.size)
        return order[: int(np.searchsorted(self.coded.codes, self.coded.size - 1, sorter=order))]

    @cached_property
    def _starts(self) -> Ints:
        return run_starts(self.coded.codes.take(self._order))

    def _turned(self, column: pa.Array) -> pa.Array:
        """A column with the rows of each group side by side; the same one is turned once."""
        if id(column) not in self._beside:
            self._beside[id(column)] = column, column.take(pa.array(self._order))
        return self._beside[id(column)][1]
