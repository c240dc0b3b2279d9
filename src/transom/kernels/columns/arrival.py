"""The rows of a chunk in the order in which they arrived, as far as their source says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import ORIGIN, POSITION, SOURCE
from transom.kernels.columns.arrays import Ints, codes_of, one_chunk, run_starts


def in_order_of_arrival(table: pa.Table, order: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], pa.Table]]:
    """The rows of each substream, in order of their positions; where substreams have no names, those of each position."""
    placed, named = POSITION in table.column_names, SOURCE in table.column_names
    if not (placed or named) or not table.num_rows:
        yield order, table
    elif named:
        for name, place, part in _of_sources(table, placed):
            yield (name, place, order[-1]), part
    else:
        for place, part in _of_positions(table):
            yield ("", place, order[-1]), part


def _of_sources(table: pa.Table, placed: bool) -> Iterator[tuple[str, int, pa.Table]]:
    """The rows of one substream after those of another, each with its first position; those that came through several files,
    say, by these: their names tell the order."""
    position = _column(table, POSITION).to_numpy() if placed else np.arange(table.num_rows)
    names = [name for name in (SOURCE, ORIGIN) if name in table.column_names]
    starts = _runs([_column(table, name) for name in names])
    distinct = codes_of([_column(table, name).take(pa.array(starts)) for name in names], len(starts))[0]
    descends = np.flatnonzero(position[1:] < position[:-1]) + 1
    if len(np.unique(distinct)) < len(starts) or not np.isin(descends, starts).all():
        codes = np.repeat(distinct, np.diff(np.append(starts, table.num_rows)))
        turned = np.lexsort((position, codes))
        table, starts = table.take(pa.array(turned)), run_starts(codes[turned])
    for part in _cut(table, starts):
        name = "\x1f".join(part[name][0].as_py() or "" for name in names)
        yield name, part[POSITION][0].as_py() if placed else 0, part


def _of_positions(table: pa.Table) -> Iterator[tuple[int, pa.Table]]:
    """The rows of one position after those of another. They mostly lie together, and need not be moved."""
    position = _column(table, POSITION).to_numpy()
    starts = run_starts(position)
    firsts = position[starts]
    if len(np.unique(firsts)) < len(firsts):
        turned = np.argsort(position, kind="stable")
        table, position = table.take(pa.array(turned)), position[turned]
        starts = run_starts(position)
        firsts = position[starts]
    parts = list(_cut(table, starts))
    for n in np.argsort(firsts):
        yield int(firsts[n]), parts[n]


def _runs(columns: list[Any]) -> Ints:
    """Where rows begin that differ from the one before in any of the columns. Rows of a file mostly lie together."""
    ends = [pa.compute.run_end_encode(values).run_ends.to_numpy() for values in columns]
    return np.unique(np.concatenate([[0], *(one[:-1] for one in ends)])).astype(np.int64)


def _cut(table: pa.Table, starts: Ints) -> Iterator[pa.Table]:
    for start, end in zip(starts, [*starts[1:], table.num_rows], strict=True):
        yield table.slice(start, end - start)


def _column(table: pa.Table, name: str) -> pa.Array:
    return one_chunk(table[name])
