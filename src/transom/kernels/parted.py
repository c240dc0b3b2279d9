"""The buffer of OVER frames sorted by partitions, once for all frames that share them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.kernels.arrays import Ints, codes_of, one_chunk, order_of
from transom.kernels.closing import Runs


@dataclass(frozen=True)
class Parted:
    """What frames need of the rows, in the order of partitions; that order, the way back, and the runs."""

    rows: pa.Table
    order: Ints
    back: Ints
    runs: Runs

    @staticmethod
    def of(table: pa.Table, names: tuple[str, ...], args: tuple[str, ...]) -> Parted:
        """By the columns of these names, with the arguments of aggregates and the number of each tuple."""
        codes, size = codes_of([one_chunk(table[name]) for name in names], table.num_rows)
        order = order_of(codes, size)
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        rows = table.select(list(dict.fromkeys([*names, *args, "n"]))).take(pa.array(order))
        return Parted(rows, order, back, Runs.of(codes[order]))
