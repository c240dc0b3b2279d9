"""Row numbers: how many tuples of each partition have come before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints, codes_of, one_chunk, order_of, run_starts
from transom.semantics.keys import key

Group = tuple[Any, ...]


def groups_of(table: pa.Table, names: Sequence[str]) -> list[Group]:
    """The values of these columns in each row, to look up in a mapping: all NaNs are one."""
    columns = [_keys_of(one_chunk(table[name])) for name in names]
    return list(zip(*columns, strict=True)) if columns else [()] * table.num_rows


def _keys_of(column: pa.Array) -> list[Any]:
    values: list[Any] = column.to_pylist()
    return list(map(key, values)) if pa.types.is_floating(column.type) else values


class Numbering:
    """The number of rows so far, by partition."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns
        self.keys: pa.Table | None = None
        self.count: Ints = np.zeros(0 if columns else 1, np.int64)

    def number(self, rows: pa.Table) -> Ints:
        """The number of each row from 0, in its partition; the rows are counted."""
        if not self.columns:
            places: Ints = self.count[0] + np.arange(rows.num_rows)
            self.count[0] += rows.num_rows
            return places
        codes, size, known = self._codes(rows)
        base = np.zeros(size, np.int64)
        base[codes[:known]] = self.count
        new = codes[known:]
        order = order_of(new, size)
        ascending = new[order]
        starts = run_starts(ascending)
        lengths = np.diff(np.append(starts, len(ascending)))
        places = np.empty(len(new), np.int64)
        places[order] = base[ascending] + np.arange(len(new)) - np.repeat(starts, lengths)
        base[ascending[starts]] += lengths
        self._extend(rows, order[starts], ascending[starts], codes[:known])
        self.count = base[np.concatenate([codes[:known], self._added])]
        return places

    def _codes(self, rows: pa.Table) -> tuple[Ints, int, int]:
        own = [one_chunk(rows[name]) for name in self.columns]
        if self.keys is not None:
            own = [pa.concat_arrays([one_chunk(self.keys[name]), each]) for name, each in zip(self.columns, own, strict=True)]
        known = 0 if self.keys is None else self.keys.num_rows
        codes, size = codes_of(own, known + rows.num_rows)
        return codes, size, known

    def _extend(self, rows: pa.Table, first: Ints, codes: Ints, known: Ints) -> None:
        """Remember the partitions that were not there before."""
        fresh = ~np.isin(codes, known)
        self._added = codes[fresh]
        added = rows.select(list(self.columns)).take(pa.array(first[fresh]))
        self.keys = added if self.keys is None else pa.concat_tables([self.keys, added]).combine_chunks()

    def of(self, keys: pa.Table) -> Ints:
        """How many rows the partition of each key has."""
        if not self.columns:
            return np.full(keys.num_rows, self.count[0])
        codes, size, known = self._codes(keys)
        base = np.zeros(size, np.int64)
        base[codes[:known]] = self.count
        return base[codes[known:]]

    def partitions(self, rows: pa.Table) -> Ints:
        """The partition of each row, as a number: where its key stands among the keys that have been seen, this row's too."""
        if not self.columns:
            return np.zeros(rows.num_rows, np.int64)
        codes, size, known = self._codes(rows)
        place = np.zeros(size, np.int64)
        place[codes[:known]] = np.arange(known)
        return place[codes[known:]]

    def copy(self) -> Numbering:
        twin = Numbering(self.columns)
        twin.keys, twin.count = self.keys, self.count.copy()
        return twin

    def to_table(self) -> pa.Table:
        keys = self.keys if self.keys is not None else pa.table({})
        return keys.append_column("count", pa.array(self.count)) if self.columns else pa.table({"count": self.count})

    def from_table(self, table: pa.Table) -> None:
        self.count = one_chunk(table["count"]).to_numpy().copy()
        self.keys = table.drop_columns(["count"]).combine_chunks() if table.num_columns > 1 else None
