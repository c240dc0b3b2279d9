"""Context-free windows: a record knows its windows by itself. Rows are such, once they are numbered.

Records wait in blocks until the frontier passes the end of their last window. Whatever closes in a micro-batch is
evaluated as one relation, sorted by key and place, in which every extent is a slice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AXIS, BESIDE, ENTER, KEY, ORDER
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Ints, codes_of, one_chunk, run_starts, take
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.extents.closing import Extents, Runs, closing, extents, first_missed, together, within
from transom.kernels.extents.ids import FOREVER, Ids, Reported
from transom.kernels.panes.lifting import lifted
from transom.kernels.progress.advance import KeyFrontier
from transom.kernels.results import as_lifted, column, lifted_name, lifted_parts, sorted_by
from transom.kernels.spec import WindowedSpec
from transom.kernels.state.record_store import Buffer, RecordStore, span_of
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.partly import partly
from transom.kernels.windows.reporting import WindowOperator
from transom.kernels.windows.verdicts import Verdicts, judged
from transom.semantics.length import measure
from transom.semantics.windows.varying import Varying


class ContextFreeWindow(WindowOperator):
    """The operator for context-free windows."""

    def __init__(self, spec: WindowedSpec, ids: Ids, parts: list[Algebra]) -> None:
        super().__init__(spec, parts)
        self.ids = ids
        self.store = RecordStore(None if spec.lifted or ids.grows else span_of(spec.window, ids.axis))
        self.closed = -FOREVER

    @property
    def axis(self) -> Axis:
        return self.ids.axis

    # -- taking in and closing -------------------------------------------------------------------------------

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        return self._take_in(batch, self.advance.before, self.advance.after, blocks, out)

    def _take_in(self, batch: Batch, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: OperatorOutput) -> LateRows:
        """With frontiers on the axis of the window, which of rows are numbers."""
        verdicts = judged(self.spec, self.ids, batch)
        self.counts.add(**verdicts.counts)
        new = self._records(batch, verdicts)
        self._close(new, before, after, blocks, out)
        return verdicts.late

    def _records(self, batch: Batch, verdicts: Verdicts) -> pa.Table:
        if self.spec.lifts_judged:
            return self._added_up(batch, verdicts)
        kept = verdicts.kept
        names = [name for name in batch.table.column_names if not name.startswith(BESIDE) or (name == ORDER and self._uses_order)]
        table = batch.table.select(names)
        for name, values in [("a", batch.a), ("enter", verdicts.enter)]:
            table = table.append_column(name, pa.array(values))
        return table if kept.all() else take(table, kept)

    def _added_up(self, batch: Batch, verdicts: Verdicts) -> pa.Table:
        """Partials of tuples that have been judged, each by itself."""
        kept = verdicts.kept
        rows = take(batch.table.select([name for name in batch.table.column_names if name.startswith((KEY, "x"))]), kept)
        late = (verdicts.enter > verdicts.first)[kept]
        made = lifted(self.spec, self.parts, rows, batch.a[kept], late, batch.of_group[kept])
        a = column(made, AXIS).to_numpy()
        enter = np.maximum(self.ids.first(a), column(made, ENTER).to_numpy())
        made = made.select([name for name in made.column_names if not name.startswith(BESIDE)])
        return made.append_column("a", pa.array(a)).append_column("enter", pa.array(enter))

    def _close(self, new: pa.Table, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: OperatorOutput) -> None:
        due = self._due(before, after)
        touched = list(self.store) if due is None else self.store.needed(due)
        if due is None or (due > self.closed and (touched or new.num_rows)):
            table = pa.concat_tables([*(self._read(buffer, blocks) for buffer in touched), new])
            high = self._report(table, before, after, out) if table.num_rows else np.zeros(0, np.int64)
            new = self._forget(table, new, high, due, touched, blocks)
        if due is not None:
            self.closed = max(self.closed, self._first_open_after_end() if self.advance.ended else due)
        if new.num_rows:
            self._append(new, blocks)
        out.held = self.store.rows

    def reached(self) -> Any:
        return self._reached_in(self.ids)

    def _reached_in(self, ids: Ids) -> Any:
        """Where the last window of the newest tuple is complete. Of windows that grow it is the first one that has the tuple."""
        newest = np.array([self.advance.newest], self.axis.dtype)
        last = ids.first(newest) if ids.grows else ids.last(newest)
        if last[0] >= FOREVER:
            return self.advance.newest
        instant = ids.report(last).instant[0]
        return max(self.advance.newest, self.axis.after(instant) if ids.ends else instant)

    def _next_instant(self, frontier: Any) -> Any:
        return max(frontier, self.ids.report(self._first_open(frontier)).instant[0])

    def _oldest_tuple(self, frontier: Any) -> Any:
        if isinstance(self.ids.window, Varying):  # the next ones may reach back farther
            return self._next_instant(frontier) - self.axis.number(measure(self.ids.window.max or 0))
        return self.ids.bounds(self._first_open(frontier))[0][0]

    def _first_open(self, frontier: Any) -> Ints:
        return self.ids.opens(np.array([frontier], self.axis.dtype))

    def _first_open_after_end(self) -> int:
        """An end closes all windows that there are, not those that new tuples open after it."""
        return int(self._first_open(self.reached())[0]) if self.advance.newest > self.axis.nothing_yet else self.closed

    def _due(self, before: KeyFrontier, after: KeyFrontier) -> int | None:
        """The first window that stays open, where it is the same for all keys."""
        if not self.advance.uniform:
            return None
        nobody = _no_columns(1)
        return int(self.ids.opens(after(nobody))[0])

    def _report(self, table: pa.Table, before: KeyFrontier, after: KeyFrontier, out: OperatorOutput) -> Ints:
        """Report what closes; the first window that stays open, for each record."""
        ordered, runs, own, order = self._sorted(table)
        out.rows = self._closed(ordered, runs, own, before, after)
        opens = np.empty(len(order), np.int64)
        opens[order] = self.ids.opens(after(own))[runs.of_row]
        return opens

    def _sorted(self, table: pa.Table) -> tuple[pa.Table, Runs, pa.Table, Ints]:
        """The records by key and place, the run of each key, the keys, and the order that was applied."""
        keys, codes, size = self._codes(table)
        places = column(table, "a").to_numpy()
        order = sorted_by(codes, size, self._entry(table, places) if self._grows_by_entry else places)
        runs = Runs.of(codes[order])
        own = keys.take(pa.array(order[runs.start])) if keys.num_columns else _no_columns(len(runs.start))
        return table.take(pa.array(order)), runs, own, order

    def _closed(self, table: pa.Table, runs: Runs, own: pa.Table, before: KeyFrontier, after: KeyFrontier) -> pa.Table | None:
        """The rows of all windows between the two frontiers."""
        low, high = self.ids.opens(before(own)), self.ids.opens(after(own))
        found = self._windows(table, runs, low, high)
        return self._results(table, own, found, self._first_missed(table, runs, low, found)) if len(found.wid) else None

    @property
    def _grows_by_entry(self) -> bool:
        """Whether records are sorted by where they enter, so that what a window holds, late or not, is what came before: of a
        window that grows, where partials are in no order."""
        return self.ids.grows and self.spec.lifted

    def _entry(self, table: pa.Table, places: Array) -> Ints:
        """The first window that each record counts in."""
        return np.asarray(np.maximum(self.ids.first(places), column(table, "enter").to_numpy()))

    def _codes(self, table: pa.Table) -> tuple[pa.Table, Ints, int]:
        keys = table.select([f"{KEY}{name}" for name in self.spec.keys])
        codes, size = codes_of([one_chunk(each) for each in keys.columns], table.num_rows)
        return keys, codes, size

    def _windows(self, table: pa.Table, runs: Runs, low: Ints, high: Ints) -> Extents:
        places, enter = column(table, "a").to_numpy(), column(table, "enter").to_numpy()
        run, wid = closing(runs, enter, self.ids.last(places), low, high, grows=self.ids.grows)
        if self.ids.grows:
            run, wid = together(self._partitions(table, runs), run, wid, low, high)
        if self._grows_by_entry:
            found = Extents(run, wid, runs.start[run], within(runs, self._entry(table, places), run, wid + 1))
        else:
            found = extents(self.ids, runs, places, run, wid)
        return found if self.ids.is_exact and not self.ids.grows else found.pick(found.end > found.start)

    def _partitions(self, table: pa.Table, runs: Runs) -> Ints:
        """The partition of each run, which is that of a group in it."""
        names = [f"{KEY}{name}" for name in self.spec.partition_by]
        firsts = table.select(names).take(pa.array(runs.start))
        return codes_of([one_chunk(each) for each in firsts.columns], len(runs.start))[0]

    def _first_missed(self, table: pa.Table, runs: Runs, low: Ints, found: Extents) -> Ints:
        """The first record of each extent that came too late for it; else its end."""
        if self._grows_by_entry:
            return found.end
        first = np.maximum(self.ids.first(column(table, "a").to_numpy()), low[runs.of_row])
        return first_missed(found, runs, first, column(table, "enter").to_numpy())

    def _count_cut(self, found: Extents) -> None:
        """Windows whose length came out above MAX."""
        window = self.spec.window
        if isinstance(window, Varying):
            wids, times = np.unique(found.wid, return_counts=True)
            self.counts.add(above_max=sum(n for w, n in zip(wids, times, strict=True) if window.above_max(int(w))))

    # -- results ---------------------------------------------------------------------------------------------

    def _results(self, table: pa.Table, own: pa.Table, found: Extents, cut: Ints) -> pa.Table:
        """The rows of all windows that close: of whole ones, and of those that a record came too late for."""
        affected = cut < found.end
        whole = found.pick(~affected)
        made = [self._rows(table, own, whole)]
        self._count_cut(whole)
        if affected.any():
            enter = column(table, "enter").to_numpy()
            records, rest = partly(table, found.pick(affected), cut[affected], enter, self.parts)
            made.append(self._rows(records, own, rest))
            self._count_cut(rest)
        return pa.concat_tables(made)

    def _rows(self, table: pa.Table, own: pa.Table, found: Extents) -> pa.Table:
        distinct, place = _distinct(found.wid)
        report = self.ids.report(distinct)
        return self.rows_of(table, own, found, spread(report, place), pa.array(found.wid))

    # -- keeping ---------------------------------------------------------------------------------------------

    def _read(self, buffer: Buffer, blocks: Blocks) -> pa.Table:
        """A buffer; where a record enters is kept only if it is not where it would have entered anyway."""
        table, _ = unpack(blocks.read(buffer.name) or b"", self.spec.fingerprint)
        if "enter" in table.column_names:
            return table
        return table.append_column("enter", pa.array(self.ids.first(column(table, "a").to_numpy())))

    def _append(self, table: pa.Table, blocks: Blocks) -> None:
        """New records into the p-nodes of their places: a buffer for each, and nothing is read."""
        numbers = self.store.p_nodes(column(table, "a").to_numpy())
        low, high = int(numbers.min()), int(numbers.max())
        for number in [low] if low == high else np.unique(numbers).tolist():
            self._insert(number, table if low == high else take(table, numbers == number), blocks)
            crowded = self.store.crowded(number)
            if crowded:
                self._fold(number, crowded, blocks)

    def _insert(self, number: int, table: pa.Table, blocks: Blocks) -> None:
        enter, last = column(table, "enter").to_numpy(), self.ids.last(column(table, "a").to_numpy())
        buffer = self.store.add(number, table.num_rows, int(enter.min()), int(last.max()))
        blocks.write(buffer.name, pack(self._written(table), self.spec.fingerprint))

    def _written(self, table: pa.Table) -> pa.Table:
        """What is kept of records: where they enter, too, if that is not where they would have entered anyway."""
        anyway = self.ids.first(column(table, "a").to_numpy())
        late = self.spec.lifted or self.ids.grows or (column(table, "enter").to_numpy() != anyway).any()
        return table if late else table.drop_columns(["enter"])

    def _drop(self, buffers: list[Buffer], blocks: Blocks) -> None:
        for buffer in buffers:
            blocks.remove(buffer.name)
        self.store.drop(buffers)

    def _forget(
        self, table: pa.Table, new: pa.Table, opens: Ints, due: int | None, touched: list[Buffer], blocks: Blocks
    ) -> pa.Table:
        """Drop whole p-nodes that no open window needs; what is to be kept of the rest is returned, and kept anew."""
        whole = due is None or self.ids.grows
        if whole:
            self._drop(touched, blocks)
            kept = table
        else:
            self._drop([buffer for buffer in touched if buffer.last < (due or 0)], blocks)
            kept, opens = new, opens[table.num_rows - new.num_rows :]
        needed = self.ids.last(column(kept, "a").to_numpy()) >= opens
        if not needed.all():
            kept, opens = take(kept, needed), opens[needed]
        return self._merged(kept, opens) if self.spec.lifted and kept.num_rows else kept

    def _fold(self, number: int, buffers: list[Buffer], blocks: Blocks) -> None:
        """Many small buffers of a p-node become one."""
        table = pa.concat_tables([self._read(buffer, blocks) for buffer in buffers])
        self._drop(buffers, blocks)
        needed = self.ids.last(column(table, "a").to_numpy()) >= self.closed
        table = take(table, needed)
        if self.spec.lifted and table.num_rows:
            table = self._merged(table, np.full(table.num_rows, self.closed))
        if table.num_rows:
            self._insert(number, table, blocks)

    def _merged(self, table: pa.Table, opens: Ints) -> pa.Table:
        """Partials of one key and pane become one; of a window that grows, so does all that has been reported."""
        enter, a = column(table, "enter").to_numpy(), column(table, "a").to_numpy()
        if self.ids.grows:
            enter = np.where(enter < opens, -FOREVER, enter)
            a = np.where(enter == -FOREVER, self._beginning(), a)
        else:
            enter = np.where(enter < opens, self.ids.first(a), enter)
        _, codes, _ = self._codes(table)
        order = np.lexsort((enter, a, codes))
        enter, a = enter[order], a[order]
        starts = run_starts(codes[order], a, enter)
        if len(starts) == table.num_rows and not self.ids.grows:
            return table
        table = table.take(pa.array(order))
        made = {name: one_chunk(table[name]).take(pa.array(starts)) for name in table.column_names if not name.startswith("y")}
        made["a"] = pa.array(a[starts])
        made["enter"] = pa.array(enter[starts])
        for n, algebra in enumerate(self.parts):
            for part, values in enumerate(algebra.reduce(lifted_parts(table, n, algebra), starts)):
                made[lifted_name(n, part)] = as_lifted(values)
        return pa.table({name: made[name] for name in table.column_names})

    def _beginning(self) -> Any:
        """The first place of a window that grows."""
        lower, _ = self.ids.bounds(np.zeros(1, np.int64))
        return lower[0]

    def open_windows(self) -> int | None:
        """Of a window that grows, there is no last."""
        buffers = [] if self.ids.grows else list(self.store)
        if not buffers:
            return None if self.ids.grows else 0
        first, last = min(buffer.first for buffer in buffers), max(buffer.last for buffer in buffers)
        return max(0, last - max(self.closed, first) + 1)

    def to_json(self) -> dict[str, Any]:
        return {"store": self.store.to_json(), "closed": self.closed}

    def from_json(self, note: dict[str, Any]) -> None:
        self.store.from_json(note["store"])
        self.closed = note["closed"]


def _distinct(wid: Ints) -> tuple[Ints, Ints]:
    base, top = int(wid.min(initial=0)), int(wid.max(initial=0))
    if top - base <= 4 * len(wid) + 1024:
        return np.arange(base, top + 1), wid - base
    distinct, place = np.unique(wid, return_inverse=True)
    return distinct, place


def spread(report: Reported, place: Ints) -> Reported:
    return Reported(report.start[place], report.end[place], report.instant[place], report.no_start[place])


def _no_columns(rows: int) -> pa.Table:
    return pa.table({"": pa.nulls(rows)})
