"""Tuples that a window holds, loses and holds again: a window whose length varies has holes.

Each stretch of time is a row by itself, which knows of what tuple it is, and when that was there before.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Bools, Ints, one_chunk, ranges, run_starts
from transom.kernels.relations.inputs.lifetimes import Lifetimes

TUPLE, EARLIER = "tuple", "earlier"
"""The number of a row's tuple, and the moments at which that entered and left before."""


def with_stretches(rows: pa.Table, found: Lifetimes, first: int) -> pa.Table:
    """Rows with what is known of their tuples; `first` is a number that none has yet."""
    starts = run_starts(found.row)
    begin = np.repeat(starts, np.diff(np.append(starts, len(found.row))))
    before, _ = ranges(begin, np.arange(len(found.row)))
    moments = np.column_stack([found.since[before], found.until[before]]).ravel()
    offsets = np.cumsum(np.append([0], 2 * (np.arange(len(found.row)) - begin)))
    lists = pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(moments.astype(np.int64)))
    return rows.append_column(TUPLE, pa.array(begin + first)).append_column(EARLIER, lists)


def tuples_of(table: pa.Table) -> Ints:
    """The tuple that each row is a stretch of."""
    if TUPLE not in table.column_names:
        return np.arange(table.num_rows)
    _, number = np.unique(one_chunk(table[TUPLE]).to_numpy(), return_inverse=True)
    return np.asarray(number, np.int64)


def met_before(left: pa.Table, of_left: tuple[Ints, Ints], right: pa.Table, of_right: tuple[Ints, Ints]) -> Bools:
    """Which pairs of rows were there together in an earlier stretch; with the rows come the moments of their own stretches."""
    pairs = left.num_rows
    owner, since, until, own = _stretches(left, of_left)
    other, others_since, others_until, others_own = _stretches(right, of_right)
    low, high = np.searchsorted(other, owner), np.searchsorted(other, owner, side="right")
    place, row = ranges(low, high)
    together = np.maximum(since[row], others_since[place]) < np.minimum(until[row], others_until[place])
    together &= ~(own[row] & others_own[place])
    met = np.zeros(pairs, bool)
    met[owner[row[together]]] = True
    return met


def _stretches(table: pa.Table, own: tuple[Ints, Ints]) -> tuple[Ints, Ints, Ints, Bools]:
    """All stretches of the tuples of rows: the row, when it enters and leaves, and whether it is the row's own."""
    rows = np.arange(table.num_rows)
    if EARLIER not in table.column_names:
        return rows, *own, np.ones(len(rows), bool)
    lists = one_chunk(table[EARLIER])
    moments = np.asarray(lists.flatten().to_numpy(), np.int64).reshape(-1, 2)
    count: Ints = np.asarray(np.diff(lists.offsets.to_numpy()), np.int64) // 2
    owner = np.concatenate([np.repeat(rows, count), rows])
    since, until = np.concatenate([moments[:, 0], own[0]]), np.concatenate([moments[:, 1], own[1]])
    mine = np.concatenate([np.zeros(len(moments), bool), np.ones(len(rows), bool)])
    order = np.argsort(owner, kind="stable")
    return owner[order], since[order], until[order], mine[order]
