"""Promises to groups: ORDERED PER g, and the source's own punctuation on columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AHEAD, AXIS, FIXED, KEY
from transom.kernels.columns.arrays import Array, Ints, codes_of, flags, one_chunk, plain, run_starts, running_max
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.numbering import groups_of
from transom.kernels.generating import Generating
from transom.kernels.slices import FrontierBefore, Slice, positions, promised
from transom.semantics.keys import key

Promises = dict[tuple[str, ...], dict[tuple[Any, ...], Any]]
Event = tuple[pa.Table, Ints, Array]
Events = dict[tuple[str, ...], Event]
"""Promises of a micro-batch, by the columns they speak of: the groups, when, and what is promised."""


class GroupPromises:
    """The largest promise to each group so far, by the columns that it speaks of. `fixed` are those that windows complete by."""

    def __init__(self, generating: Generating, axis: Axis, fixed: tuple[str, ...]) -> None:
        self.generating, self.axis, self.fixed = generating, axis, fixed
        self.kept: Promises = {}

    def fold(self, slices: list[Slice], frontier: Any) -> tuple[FrontierBefore, Any]:
        """ORDERED PER g, and punctuation on columns: each promise speaks of one group, or through NULL of many.

        With the frontier of all, before and after.
        """
        tuples = pa.concat_tables([piece.rows for piece in slices], promote_options="permissive")
        places = positions(slices)
        events = self._events(slices, tuples, places)
        of_tuple = np.full(len(places), frontier, self.axis.dtype)
        of_group = of_tuple.copy()
        for columns in dict.fromkeys([*events, *self.kept]):
            reached = self._reached(columns, events.get(columns), tuples, places)
            np.maximum(of_tuple, reached, out=of_tuple)
            if set(columns) <= set(self.fixed):
                np.maximum(of_group, reached, out=of_group)
        by_all = self._by_all(events, places)
        for columns, (table, _, x) in events.items():
            self._remember(columns, table, x)
        if by_all is not None:
            np.maximum(of_tuple, by_all, out=of_tuple)
            np.maximum(of_group, by_all, out=of_group)
        to_all = self.kept.get((), {}).get((), self.axis.nothing_yet)
        return FrontierBefore(of_tuple, of_group), max(frontier, to_all, self._declared())

    def _events(self, slices: list[Slice], tuples: pa.Table, places: Ints) -> Events:
        """The promises of these slices, by the columns they speak of."""
        if self.generating.per is not None:
            columns = self.generating.per
            x = np.asarray(one_chunk(tuples[AXIS]), self.axis.dtype)
            valid = x > self.axis.nothing_yet
            if AHEAD in tuples.column_names:  # set aside, and so no promise
                valid &= ~flags(one_chunk(tuples[AHEAD]))
            chosen = pa.table({column: one_chunk(tuples[f"{FIXED}{column}"]) for column in columns}).filter(pa.array(valid))
            return {columns: (chosen, places[valid], x[valid])} if len(x) else {}
        pieces = [piece.promises for piece in slices if piece.promises is not None]
        if not pieces:
            return {}
        promises = pa.concat_tables(pieces)
        at, x = promised(slices, self.axis.dtype)
        names = self.generating.punctuated or ()
        given = np.array([np.asarray(one_chunk(promises[f"{FIXED}{name}"]).is_valid()) for name in names], bool).reshape(
            len(names), -1
        )
        events = {}
        for pattern in {tuple(column) for column in given.T}:
            columns = tuple(name for name, there in zip(names, pattern, strict=True) if there)
            rows = np.flatnonzero((np.array(pattern, bool) == given.T).all(axis=1))
            picked = promises.take(pa.array(rows))
            table = pa.table({name: one_chunk(picked[f"{FIXED}{name}"]) for name in columns})
            events[columns] = (table, at[rows], x[rows])
        return events

    def _reached(self, columns: tuple[str, ...], event: Event | None, tuples: pa.Table, places: Ints) -> Array:
        """The largest promise to the group of each tuple before it came, earlier micro-batches included."""
        kept = self.kept.get(columns, {})
        table, at, x = event or (None, np.zeros(0, np.int64), np.zeros(0, self.axis.dtype))
        n, m = len(kept), len(at)
        parts = []
        for i, column in enumerate(columns):
            own = one_chunk(tuples[f"{FIXED}{column}"])
            earlier = pa.array([values[i] for values in kept], own.type)
            new = pa.array([], own.type) if table is None else one_chunk(table[column]).cast(own.type)
            parts.append(pa.concat_arrays([earlier, new, own]))
        codes, size = codes_of(parts, n + m + len(places))
        when = np.concatenate([np.full(n, -1, np.int64), at, places])
        order = np.lexsort((when[: n + m], codes[: n + m]))
        group = codes[: n + m][order]
        values = np.concatenate([np.array(list(kept.values()), self.axis.dtype), x])[order]
        values = running_max(values, run_starts(group))
        stretch = int(when.max(initial=0)) + 2
        if size * stretch >= 2**62:
            codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
            group = codes[: n + m][order]
        joined = group * stretch + when[: n + m][order] + 1
        wanted = codes[n + m :] * stretch + places + 1
        found = np.searchsorted(joined, wanted) - 1
        same = (found >= 0) & (group[np.maximum(found, 0)] == codes[n + m :]) if len(group) else np.zeros(len(places), bool)
        result = np.full(len(places), self.axis.nothing_yet, self.axis.dtype)
        result[same] = values[found[same]]
        return result

    def _remember(self, columns: tuple[str, ...], table: pa.Table, x: Array) -> None:
        kept = self.kept.setdefault(columns, {})
        if not columns:
            kept[()] = max([kept.get((), self.axis.nothing_yet), *x.tolist()])
            return
        codes, _ = codes_of([one_chunk(table[column]) for column in columns], len(x))
        order = np.lexsort((x, codes))
        ends = np.append(run_starts(codes[order])[1:], len(order)) - 1 if len(order) else np.zeros(0, np.int64)
        best = order[ends]
        groups = groups_of(table.take(pa.array(best)), columns)
        for group, reached in zip(groups, x[best].tolist(), strict=True):
            kept[group] = max(kept.get(group, self.axis.nothing_yet), reached)

    def _declared(self) -> Any:
        """The smallest frontier over the declared substreams."""
        names = self.generating.punctuated or ()
        return min(
            (self._of(dict(zip(names, group, strict=True))) for group in self.generating.substreams),
            default=self.axis.nothing_yet,
        )

    def _of(self, group: dict[str, Any]) -> Any:
        found = [self.axis.nothing_yet]
        for columns, kept in self.kept.items():
            if set(columns) <= set(group):
                found.append(kept.get(tuple(key(group[column]) for column in columns), self.axis.nothing_yet))
        return max(found)

    def _by_all(self, events: Events, places: Ints) -> Array | None:
        """What the declared substreams together had promised before each tuple."""
        if not self.generating.substreams:
            return None
        steps = sorted(
            (int(when), columns, group, value)
            for columns, (table, at, x) in events.items()
            for when, group, value in zip(at, groups_of(table, columns) or [()] * len(at), x.tolist(), strict=True)
        )
        kept = self.copied()
        reached, at_steps = [self._declared()], []
        for when, columns, group, value in steps:
            promises = kept.setdefault(columns, {})
            promises[group] = max(promises.get(group, self.axis.nothing_yet), value)
            alone = GroupPromises(self.generating, self.axis, self.fixed)
            alone.kept = kept
            reached.append(max(reached[-1], alone._declared()))
            at_steps.append(when)
        return np.array(reached, self.axis.dtype)[np.searchsorted(np.array(at_steps, np.int64), places)]

    def of_keys(self, keys: pa.Table, frontier: Any) -> Array:
        """The frontier of each key: the largest promise that speaks of it, or the one to all."""
        reached = np.full(keys.num_rows, frontier, self.axis.dtype)
        for columns, kept in self.kept.items():
            if columns and set(columns) <= set(self.fixed):
                groups = groups_of(keys, [f"{KEY}{column}" for column in columns])
                own = [kept.get(group, self.axis.nothing_yet) for group in groups]
                np.maximum(reached, np.array(own, self.axis.dtype), out=reached)
        return reached

    def copied(self) -> Promises:
        return {columns: dict(kept) for columns, kept in self.kept.items()}

    def to_table(self) -> pa.Table:
        """Promises to groups, as a table: NULL where a promise does not speak of a column."""
        names = self.generating.grouped
        rows = [(columns, group, x) for columns, kept in self.kept.items() for group, x in kept.items()]
        if not rows:
            return pa.table({})
        made = {
            f"g{n}": pa.array([dict(zip(columns, group, strict=True)).get(name) for columns, group, _ in rows])
            for n, name in enumerate(names)
        }
        made["of"] = pa.array([",".join(str(names.index(column)) for column in columns) for columns, _, _ in rows])
        made["x"] = pa.array([plain(x) for _, _, x in rows], pa.from_numpy_dtype(self.axis.dtype))
        return pa.table(made)

    def from_table(self, table: pa.Table) -> None:
        names = self.generating.grouped
        for row in table.to_pylist():
            places = [int(n) for n in row["of"].split(",") if n]
            kept = self.kept.setdefault(tuple(names[n] for n in places), {})
            kept[tuple(key(row[f"g{n}"]) for n in places)] = row["x"]
