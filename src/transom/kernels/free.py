"""Context-free windows: a record knows its windows by itself. Rows are such, once they are numbered.

Records wait in blocks until the frontier passes the end of their last window. Whatever closes in a micro-batch is
evaluated as one relation, sorted by key and place, in which every extent is a slice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebra import Algebra
from transom.kernels.arrays import Array, Bools, Ints, codes_of, one_chunk, ranges, run_starts, take
from transom.kernels.batch import Batch, Counts, Late, Output
from transom.kernels.closing import Extents, Runs, closing, extents
from transom.kernels.ids import FOREVER, Ids, Reported
from transom.kernels.results import column, extreme, gathered, lifted_name, lifted_parts, sorted_by, values_of
from transom.kernels.spec import Spec
from transom.kernels.store import Blocks, pack, unpack
from transom.semantics.band import Band
from transom.semantics.landmark import LandmarkUntil
from transom.semantics.varying import Varying

MOST_BLOCKS = 64

KeyFrontier = Callable[[pa.Table], Array]
"""The frontier of each key of a table of keys."""


@dataclass
class Verdicts:
    """What becomes of each record: from which window on it counts, and which records missed one."""

    first: Ints
    enter: Ints
    last: Ints
    kept: Bools
    late: Late


class Free:
    """The operator for context-free windows."""

    def __init__(self, spec: Spec, ids: Ids, parts: list[Algebra]) -> None:
        self.spec, self.ids, self.parts = spec, ids, parts
        self.index: list[list[Any]] = []
        self.serial = 0
        self.counts = Counts()
        self.top: Any = spec.axis.nothing_yet
        self.of_all: Any = None
        self.ended = False

    @property
    def is_counted_from_origin(self) -> bool:
        """Whether the windows are known without the tuples."""
        return not self.ids_are_rows

    def reached(self) -> Any:
        """The last instant that has been reported."""
        return self.top

    def load(self, blocks: Blocks) -> None:
        """Blocks are read when they are needed."""

    def save(self, blocks: Blocks) -> None:
        """Blocks are written as they change."""

    # -- judging ---------------------------------------------------------------------------------------------

    def judge(self, batch: Batch) -> Verdicts:
        """Generous: a late tuple counts in every window not complete yet. Consistent: in none."""
        a = np.where(batch.valid, batch.a, 0)
        first, last = self.ids.first(a), self.ids.last(a)
        opens = np.full(batch.rows, -FOREVER, np.int64)
        behind = batch.valid & (batch.a < batch.of_group)
        if behind.any():
            opens[behind] = self.ids.opens(batch.of_group[behind])
        enter = np.maximum(first, opens)
        if self.spec.lifted:
            enter = np.maximum(enter, column(batch.table, "__enter").to_numpy())
        inside, missed, dropped = self._fates(a, first, last, opens)
        inside = inside & batch.valid
        missed = missed & inside
        dropped = (inside & (enter > last)) if self.spec.lifted else dropped & inside
        excluded = batch.of_group
        if self.spec.consistent:
            left_out = inside & batch.late
            missed, dropped = left_out, left_out
            excluded = batch.of_tuple
        self._count(batch, inside, dropped)
        kept = inside & ~dropped & batch.pick
        gone = np.flatnonzero(missed & batch.pick)
        return Verdicts(first, enter, last, kept, Late(gone, excluded[gone]))

    def _count(self, batch: Batch, inside: Bools, dropped: Bools) -> None:
        weight = column(batch.table, "__rows").to_numpy() if self.spec.lifted else np.ones(batch.rows, np.int64)
        counted = inside & batch.pick
        self.counts.add(
            used=weight[counted & ~dropped].sum(), dropped=weight[counted & dropped].sum(), outside=weight[~counted].sum()
        )
        if not self.spec.lifted:
            self.counts.add(late=batch.late.sum())

    def _fates(self, a: Array, first: Ints, last: Ints, opens: Ints) -> tuple[Bools, Bools, Bools]:
        """Whether a place is in a window at all, in one that is complete, and in none that is open."""
        if self.ids.is_exact:
            inside = first <= last
            return inside, opens > first, opens > last
        inside = np.zeros(len(a), bool)
        missed, still = inside.copy(), inside.copy()
        if len(a) and (first <= last).any():
            base, top = int(first.min()), int(last.max())
            lower, _ = self.ids.bounds(np.arange(base, top + 1))
            for step in range(int((last - first).max()) + 1):
                w = first + step
                holds = (w <= last) & (lower[np.minimum(w, top) - base] <= a)
                inside |= holds
                missed |= holds & (w < opens)
                still |= holds & (w >= opens)
        return inside, missed, ~still

    # -- taking in and closing -------------------------------------------------------------------------------

    def step(self, batch: Batch, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: Output) -> Late:
        """Take a micro-batch in, close what is complete, forget what is no longer needed."""
        verdicts = self.judge(batch)
        new = self._records(batch, verdicts)
        self._close(new, before, after, blocks, out)
        return verdicts.late

    def _records(self, batch: Batch, verdicts: Verdicts) -> pa.Table:
        kept = verdicts.kept
        names = [name for name in batch.table.column_names if not name.startswith("__") or name == "__order"]
        table = batch.table.select(names)
        for name, values in (("a", batch.a), ("enter", verdicts.enter), ("last", verdicts.last)):
            table = table.append_column(name, pa.array(values))
        return table if kept.all() else take(table, kept)

    def _close(self, new: pa.Table, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: Output) -> None:
        held = [unpack(blocks.read(str(name)) or b"", self.spec.fingerprint)[0] for name, *_ in self._needed(after)]
        if not held and not new.num_rows:
            return
        names = [name for name, *_ in self._needed(after)]
        table = pa.concat_tables([*held, new]) if held else new
        keys, codes, size = self._codes(table)
        order = sorted_by(codes, size, column(table, "a").to_numpy())
        table, codes = table.take(pa.array(order)), codes[order]
        runs = Runs.of(codes)
        own = keys.take(pa.array(order[runs.start])) if keys.num_columns else _no_columns(len(runs.start))
        low, high = self.ids.opens(before(own)), self.ids.opens(after(own))
        found = self._windows(table, runs, low, high)
        if len(found.wid):
            out.rows = self._results(table, own, found)
            self._count_cut(found)
        self._keep(table, runs, high, names, blocks)
        out.open = sum(rows for *_, rows in self.index)

    def _needed(self, after: KeyFrontier) -> list[list[Any]]:
        """The blocks to look at: all that hold a record of a window that may close now."""
        return self.index

    def _codes(self, table: pa.Table) -> tuple[pa.Table, Ints, int]:
        keys = table.select([f"k:{name}" for name in self.spec.keys])
        codes, size = codes_of([one_chunk(each) for each in keys.columns], table.num_rows)
        return keys, codes, size

    def _windows(self, table: pa.Table, runs: Runs, low: Ints, high: Ints) -> Extents:
        enter, last = column(table, "enter").to_numpy(), column(table, "last").to_numpy()
        run, wid = closing(runs, enter, last, low, high, grows=self.ids.grows)
        found = extents(self.ids, runs, column(table, "a").to_numpy(), run, wid)
        return found if self.ids.is_exact else found.pick(found.end > found.start)

    def _count_cut(self, found: Extents) -> None:
        """Windows whose length came out above MAX."""
        window = self.spec.window
        if isinstance(window, Varying):
            self.counts.add(above_max=sum(window.above_max(int(w)) for w in np.unique(found.wid)))

    # -- results ---------------------------------------------------------------------------------------------

    def _results(self, table: pa.Table, own: pa.Table, found: Extents) -> pa.Table:
        """The rows of all windows that close. Where late tuples count in some windows only, those are written out."""
        enter = column(table, "enter").to_numpy()
        first = self._regular(table)
        odd = np.cumsum(np.append([0], enter > first))
        affected = (odd[found.end] - odd[found.start] > 0) if odd[-1] else np.zeros(len(found.wid), bool)
        if not affected.any():
            return self._rows(table, own, found)
        whole = self._rows(table, own, found.pick(~affected))
        some = found.pick(affected)
        rows, owner = ranges(some.start, some.end)
        rows, pieces = gathered(some, enter[rows] <= some.wid[owner], rows, owner, None)
        kept = pieces.end > pieces.start
        part = self._rows(table.take(pa.array(rows)), own, pieces.pick(kept))
        return pa.concat_tables([whole, part])

    def _regular(self, table: pa.Table) -> Ints:
        """Where each record would enter if it had not been late."""
        return self.ids.first(column(table, "a").to_numpy())

    def _rows(self, table: pa.Table, own: pa.Table, found: Extents) -> pa.Table:
        distinct, place = _distinct(found.wid)
        report = self.ids.report(distinct)
        return self.rows_of(table, own, found, _spread(report, place), pa.array(found.wid))

    def rows_of(self, table: pa.Table, own: pa.Table, found: Extents, report: Reported, wid: pa.Array) -> pa.Table:
        """The result rows of extents that are slices of a table."""
        spec = self.spec
        places = self._stream_order(table)
        if len(report.instant):
            self.top = max(self.top, self._beyond(report.instant.max()))
        made: dict[str, pa.Array] = {f"k:{name}": one_chunk(own[f"k:{name}"]).take(pa.array(found.run)) for name in spec.keys}
        made["window_start"] = self._on_axis(report.start, report.no_start)
        made["window_end"] = self._on_axis(report.end)
        made["wid"] = wid
        made["event_ts"] = self._event_ts(table, found, report)
        if not spec.lists_tuples:
            for n, values in enumerate(values_of(spec, table, found, places, self.parts)):
                made[f"y{n}"] = values
            return pa.table(made)
        rows, owner = ranges(found.start, found.end)
        rows, pieces = gathered(found, None, rows, owner, places)
        owner = np.repeat(np.arange(len(found.run)), pieces.end - pieces.start)
        listed = pa.table(made).take(pa.array(owner))
        for name in spec.tuples:
            listed = listed.append_column(f"t:{name}", one_chunk(table[f"t:{name}"]).take(pa.array(rows)))
        return listed

    def _beyond(self, instant: Any) -> Any:
        """The frontier at which a window with this instant is complete."""
        return self.ids.axis.after(instant) if isinstance(self.spec.window, Band | LandmarkUntil) else instant

    def _on_axis(self, places: Array, empty: Bools | None = None) -> pa.Array:
        kind = pa.int64() if self.ids_are_rows else self.spec.axis_type
        return self.ids.axis.values(places, kind, empty)

    @property
    def ids_are_rows(self) -> bool:
        return False

    def _event_ts(self, table: pa.Table, found: Extents, report: Reported) -> pa.Array:
        if self.spec.stamp == "instant":
            return self._on_axis(report.instant)
        if self.spec.has_order:
            return extreme(table, "__order", self.spec.stamp, found)
        values = self.spec.axis.values(column(table, "a").to_numpy(), self.spec.axis_type)
        return extreme(pa.table({"a": values}), "a", self.spec.stamp, found)

    def _stream_order(self, table: pa.Table) -> Ints | None:
        """The order of the stream, ties by arrival, where that is not the order of the axis."""
        return stream_order(table) if self.spec.has_order and not self.spec.lifted else None

    # -- keeping ---------------------------------------------------------------------------------------------

    def _keep(self, table: pa.Table, runs: Runs, high: Ints, names: list[Any], blocks: Blocks) -> None:
        for name in names:
            blocks.remove(str(name))
        self.index = [entry for entry in self.index if entry[0] not in names]
        last = column(table, "last").to_numpy()
        needed = last >= high[runs.of_row]
        kept = table if needed.all() else take(table, needed)
        if self.spec.lifted and kept.num_rows:
            kept = self._merged(kept, high[runs.of_row][needed])
        if kept.num_rows:
            self.serial += 1
            blocks.write(f"b{self.serial}", pack(kept, self.spec.fingerprint))
            self.index.append([f"b{self.serial}", kept.num_rows])

    def _merged(self, table: pa.Table, opens: Ints) -> pa.Table:
        """Partials of one key and pane become one; of a window that grows, so does all that has been reported."""
        enter, a = column(table, "enter").to_numpy().copy(), column(table, "a").to_numpy().copy()
        enter = np.where(enter < opens, -FOREVER, enter)
        if self.ids.grows:
            a = np.where(enter == -FOREVER, self._beginning(), a)
        _, codes, _ = self._codes(table)
        order = np.lexsort((enter, a, codes))
        table, enter, a = table.take(pa.array(order)), enter[order], a[order]
        starts = run_starts(codes[order], a, enter)
        if len(starts) == table.num_rows and not self.ids.grows:
            return table
        made = {name: one_chunk(table[name]).take(pa.array(starts)) for name in table.column_names if not name.startswith("y")}
        made["a"] = pa.array(a[starts])
        made["enter"] = pa.array(enter[starts])
        for n, algebra in enumerate(self.parts):
            for part, values in enumerate(algebra.reduce(lifted_parts(table, n, algebra), starts)):
                made[lifted_name(n, part)] = pa.array(values)
        return pa.table({name: made[name] for name in table.column_names})

    def _beginning(self) -> Any:
        """The first place of a window that grows."""
        lower, _ = self.ids.bounds(np.zeros(1, np.int64))
        return lower[0]

    def to_json(self) -> dict[str, Any]:
        return {"blocks": self.index, "serial": self.serial}

    def from_json(self, note: dict[str, Any]) -> None:
        self.index, self.serial = note["blocks"], note["serial"]


def stream_order(table: pa.Table) -> Ints:
    """The place of each row in the order of the stream: by the order column, NULLs first, ties as they came."""
    order = column(table, "__order")
    number = column(table, "n").to_numpy() if "n" in table.column_names else np.arange(table.num_rows)
    ranked = order.dictionary_encode(null_encoding="encode")
    by_value = pa.compute.array_sort_indices(ranked.dictionary, null_placement="at_start").to_numpy()
    rank = np.empty(len(by_value), np.int64)
    rank[by_value] = np.arange(len(by_value))
    turned = np.lexsort((number, rank[ranked.indices.to_numpy()]))
    place = np.empty(len(turned), np.int64)
    place[turned] = np.arange(len(turned))
    return place


def _distinct(wid: Ints) -> tuple[Ints, Ints]:
    base, top = int(wid.min(initial=0)), int(wid.max(initial=0))
    if top - base <= 4 * len(wid) + 1024:
        return np.arange(base, top + 1), wid - base
    distinct, place = np.unique(wid, return_inverse=True)
    return distinct, place


def _spread(report: Reported, place: Ints) -> Reported:
    return Reported(report.start[place], report.end[place], report.instant[place], report.no_start[place])


def _no_columns(rows: int) -> pa.Table:
    return pa.table({"": pa.nulls(rows)})
