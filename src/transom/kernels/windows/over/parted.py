"""The buffer of OVER frames sorted by partitions, once for all frames that share them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints, codes_of, one_chunk, order_of
from transom.kernels.extents.closing import Runs


@dataclass(frozen=True)
class Parted:
    """What frames need of the rows, in the order of partitions; that order, the way back, and the runs."""

    table: pa.Table
    order: Ints
    back: Ints
    runs: Runs
    found: dict[Hashable, Any] = field(default_factory=dict)

    @staticmethod
    def of(table: pa.Table, names: tuple[str, ...], args: tuple[str, ...]) -> Parted:
        """By the columns of these names, with the arguments of aggregates and the number of each tuple."""
        codes, size = codes_of([one_chunk(table[name]) for name in names], table.num_rows)
        order = order_of(codes, size)
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return Parted(table.select(list(dict.fromkeys([*names, *args, "n"]))), order, back, Runs.of(codes[order]))

    @cached_property
    def rows(self) -> pa.Table:
        """All columns in the order of partitions."""
        return pa.table({name: self.column(name) for name in self.table.column_names})

    def column(self, name: str) -> pa.Array:
        """One of them."""
        return self.once(("column", name), lambda: one_chunk(self.table[name]).take(pa.array(self.order)))

    def once(self, what: Hashable, make: Callable[[], Any]) -> Any:
        """What several frames ask for, made for the first of them."""
        if what not in self.found:
            self.found[what] = make()
        return self.found[what]
