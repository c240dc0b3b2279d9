"""What one chunk of an input sends to the shards: its tuples by partition; time and punctuation to all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from transom.column_names import AT, INPUT_END, INSTANT, KEEP, KIND, NOW, ORIGIN, POSITION, SOURCE, TICK
from transom.kernels.applied.applied_spec import PUNCTUATION, TUPLE, InputSpec
from transom.kernels.columns.arrays import Bools, flags, one_chunk, take
from transom.kernels.columns.arrival import in_order_of_arrival
from transom.kernels.columns.sharding import shards_of
from transom.kernels.slices import Slice

PLACES = (SOURCE, ORIGIN, POSITION)
"""Columns that say where a row comes from."""

SIGNS = (INPUT_END, TICK)
"""Columns that mark rows which are no tuples: the end of the input, which flushes nothing, and the passing of time."""


def slices_of_chunk(
    table: pa.Table, spec: InputSpec, number: int, shards: int, place: int, first_row: int
) -> Iterator[tuple[int, Slice]]:
    """The slices to send, each with its shard. `number` is that of the input, `first_row` that of the chunk's first row."""
    now = table[NOW][0].as_py() if NOW in table.column_names and table.num_rows else None
    if now is not None:
        empty = table.slice(0, 0).select([])
        yield from ((shard, Slice(("", 0, place), empty, input=number, now=now)) for shard in range(shards))
    table = _rows(table, spec, first_row)
    for order, part in in_order_of_arrival(table, ("", 0, place)):
        if part.num_rows:
            source, at, _ = order
            yield from _by_shard(part, spec, number, shards, (source, at, place))


def _rows(table: pa.Table, spec: InputSpec, first_row: int) -> pa.Table:
    """The rows that are tuples of the query, or punctuations."""
    keep = flags(_column(table, KEEP))
    if KIND in table.column_names:
        kind = np.asarray(_column(table, KIND))
        keep = (keep & (kind == TUPLE)) | (kind == PUNCTUATION)
    for name in SIGNS:
        if name in table.column_names:
            keep &= ~flags(_column(table, name))
    names = [
        *spec.columns,
        *(name for name in (*PLACES, KIND, INSTANT) if name in table.column_names),
    ]
    rows = table.select(names).append_column(AT, pa.array(np.arange(first_row, first_row + table.num_rows)))
    return rows if keep.all() else take(rows, keep)


def _by_shard(
    part: pa.Table, spec: InputSpec, number: int, shards: int, order: tuple[str, int, int]
) -> Iterator[tuple[int, Slice]]:
    rows = part.drop_columns([name for name in PLACES if name in part.column_names])
    if shards == 1:
        yield 0, Slice(order, rows, input=number)
        return
    found = shards_of([_column(rows, name) for name in spec.window.keys], rows.num_rows, shards)
    everywhere = _punctuations(rows)
    for shard in range(shards):
        own = take(rows, (found == shard) | everywhere)
        if own.num_rows:
            yield shard, Slice(order, own, input=number)


def _punctuations(rows: pa.Table) -> Bools:
    if KIND not in rows.column_names:
        return np.zeros(rows.num_rows, bool)
    return np.asarray(np.asarray(_column(rows, KIND)) == PUNCTUATION)


def _column(table: pa.Table, name: str) -> pa.Array:
    return one_chunk(table[name])
