"""Windows of rows: number the rows, and they are windows of numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import EVENT_TS, KEY, ORDER, PICKED
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Ints, codes_of, flags, one_chunk, run_starts, take
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.columns.numbering import Group, Numbering, groups_of
from transom.kernels.extents.closing import Extents
from transom.kernels.extents.ids import Reported, ids_of
from transom.kernels.progress.advance import KeyFrontier
from transom.kernels.results import as_lifted, column, instants, lifted_name, sorted_by
from transom.kernels.spec import WindowedSpec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.context_free import ContextFreeWindow
from transom.kernels.windows.provisional import Provisional
from transom.kernels.windows.verdicts import Verdicts
from transom.semantics.tuples import Position, Rank
from transom.semantics.windows.row_window import RowWindow


class RowWindows(ContextFreeWindow):
    """Rows in the order of arrival. A window is complete when its last row has come."""

    def __init__(self, spec: WindowedSpec, parts: list[Algebra]) -> None:
        assert isinstance(spec.window, RowWindow)
        super().__init__(spec, ids_of(spec.window, spec.axis), parts)
        self.slide = spec.window.slide.count
        self.numbering = Numbering(tuple(f"{KEY}{name}" for name in spec.partition_by))
        self.ends: tuple[Ints, pa.Table] = (np.zeros(0, np.int64), pa.table({}))

    @property
    def ids_are_rows(self) -> bool:
        return True

    def reached(self) -> Any:
        return self.spec.axis.nothing_yet

    def _due(self, before: KeyFrontier, after: KeyFrontier) -> None:
        """Partitions have come to different numbers."""

    def passed_on(self, frontier: Any) -> Any:
        """Rows that arrive in any order end windows: their timestamps promise nothing."""
        return self.spec.axis.nothing_yet

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        return self._number(batch, blocks, out)

    def _number(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        """Rows that have their final place: number them, and close the windows whose last row is among them."""
        earlier = self.numbering.copy()
        places = self.numbering.number(batch.table)
        numbered = replace(batch, a=places, valid=np.ones(len(places), bool), of_tuple=places, of_group=places)
        if EVENT_TS in self.spec.reported and self.spec.stamp == "instant":
            self._remember_ends(batch.table, places)
        return self._take_in(numbered, earlier.of, self.numbering.of, blocks, out)

    def _records(self, batch: Batch, verdicts: Verdicts) -> pa.Table:
        """Rows, or once they are numbered, partials of panes of rows."""
        rows = super()._records(batch, verdicts)
        if not self.spec.lifted:
            return rows
        assert self.spec.width is not None
        pane = column(rows, "a").to_numpy() // self.spec.width * self.spec.width
        _, codes, size = self._codes(rows)
        order = sorted_by(codes, size, pane)
        starts = run_starts(codes[order], pane[order])
        first = order[starts]
        made = {name: one_chunk(rows[name]).take(pa.array(first)) for name in rows.column_names if name.startswith(KEY)}
        for n, (item, algebra) in enumerate(zip(self.spec.computed, self.parts, strict=True)):
            lifted = algebra.lift([column(rows, name) for name in item.args], rows.num_rows)
            for part, values in enumerate(algebra.reduce(tuple(field[order] for field in lifted), starts)):
                made[lifted_name(n, part)] = as_lifted(values)
        return pa.table({**made, "a": pa.array(pane[first]), "enter": pa.array(self.ids.first(pane[first]))})

    def _remember_ends(self, table: pa.Table, places: Ints) -> None:
        """The last row of each window: its timestamp is that of the result."""
        last = np.flatnonzero((places + 1) % self.slide == 0)
        names = [f"{KEY}{name}" for name in self.spec.partition_by]
        self.ends = places[last], table.select([*names, ORDER]).take(pa.array(last))

    def _event_ts(self, table: pa.Table, found: Extents, report: Reported) -> pa.Array:
        if self.spec.stamp != "instant":
            return super()._event_ts(table, found, report)
        places, rows = self.ends
        own = self._own.take(pa.array(found.run))
        parts = [
            pa.concat_arrays([one_chunk(rows[f"{KEY}{name}"]), one_chunk(own[f"{KEY}{name}"])]) for name in self.spec.partition_by
        ]
        codes, size = codes_of(parts, rows.num_rows + len(found.run))
        joined = codes[: rows.num_rows]
        wanted_place = (found.wid + 1) * self.slide - 1
        order = sorted_by(joined, size, places)
        low = int(min(places.min(initial=0), wanted_place.min(initial=0)))
        span = int(max(places.max(initial=0), wanted_place.max(initial=0))) - low + 1
        key = joined[order] * span + places[order] - low
        at = np.searchsorted(key, codes[rows.num_rows :] * span + wanted_place - low, side="right") - 1
        at = self._in_time(at, order, found.wid)
        return instants(one_chunk(rows[ORDER]).take(pa.array(order[at])))

    def _in_time(self, at: Ints, order: Ints, wid: Ints) -> Ints:
        """The last row of a window is the last that was in time for it."""
        return at

    def rows_of(self, table: pa.Table, own: pa.Table, found: Extents, report: Reported, wid: pa.Array) -> pa.Table:
        self._own = own
        return super().rows_of(table, own, found, report, wid)

    def open_windows(self) -> int | None:
        """Partitions have windows of their own, numbered alike."""
        return None

    def load(self, blocks: Blocks) -> None:
        kept = blocks.read("numbers")
        if kept is not None:
            self.numbering.from_table(unpack(kept, self.spec.fingerprint)[0])

    def save(self, blocks: Blocks) -> None:
        blocks.write("numbers", pack(self.numbering.to_table(), self.spec.fingerprint))


class RankedRows(RowWindows):
    """Rows in the order of an attribute: a tuple has its place once nothing smaller can come. Late tuples are left out."""

    def __init__(self, spec: WindowedSpec, parts: list[Algebra]) -> None:
        super().__init__(spec, parts)
        self.waiting: pa.Table | None = None
        self.provisional = Provisional()

    def passed_on(self, frontier: Any) -> Any:
        """The last row of a window has the timestamp of its result, and the next one is not below the frontier."""
        return frontier if self.spec.stamp == "instant" and self.spec.axis_is_order else super().passed_on(frontier)

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        late = np.flatnonzero(batch.late)
        self.provisional.take_back(self.counts)
        self.counts.add(dropped=(batch.late & batch.pick).sum(), outside=(~batch.valid | (batch.late & ~batch.pick)).sum())
        self.counts.add(late=len(late))
        on_time = batch.valid & ~batch.late
        new = batch.table.append_column("a", pa.array(batch.a)).append_column("n", pa.array(batch.n))
        new = take(new.append_column(PICKED, pa.array(batch.pick)), on_time)
        table = new if self.waiting is None else pa.concat_tables([self.waiting, new])
        a, n = one_chunk(table["a"]).to_numpy(), one_chunk(table["n"]).to_numpy()
        settled = a <= self.advance.after(table)
        ready = np.flatnonzero(settled)
        ready = ready[np.lexsort((n[ready], a[ready]))]
        rows = table.take(pa.array(ready))
        self.waiting = take(table, ~settled)
        nothing = np.zeros(len(ready), np.int64)
        picked = np.asarray(one_chunk(rows[PICKED]), bool) if len(ready) else np.zeros(0, bool)
        placed = Batch(rows.drop_columns(["a", "n", PICKED]), nothing, nothing == 0, nothing, nothing, picked, n[ready])
        self._number(placed, blocks, out)
        self._count_waiting(self.waiting)
        gone = late[batch.pick[late]]
        return LateRows(gone, batch.of_tuple[gone])

    def _count_waiting(self, table: pa.Table) -> None:
        """By the rank that each has so far."""
        a, n = one_chunk(table["a"]).to_numpy(), one_chunk(table["n"]).to_numpy()
        table = table.take(pa.array(np.lexsort((n, a))))
        place = self.numbering.copy().number(table)
        inside = self.ids.first(place) <= self.ids.last(place)
        self.provisional.show(self.counts, inside & flags(one_chunk(table[PICKED])))

    def load(self, blocks: Blocks) -> None:
        super().load(blocks)
        kept = blocks.read("waiting")
        if kept is not None:
            self.waiting, note = unpack(kept, self.spec.fingerprint)
            self.provisional = Provisional(*note["provisional"])

    def save(self, blocks: Blocks) -> None:
        super().save(blocks)
        if self.waiting is not None:
            note = {"provisional": self.provisional.to_json()}
            blocks.write("waiting", pack(self.waiting, self.spec.fingerprint, note))


class NumberedRows(RowWindows):
    """Rows that carry their number: complete when the last has come and no smaller one can."""

    def __init__(self, spec: WindowedSpec, parts: list[Algebra]) -> None:
        super().__init__(spec, parts)
        self.high: dict[Group, int] = {}

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        had = dict(self.high)
        shifted = replace(batch, a=batch.a - 1, of_tuple=batch.of_tuple - 1, of_group=batch.of_group - 1)
        self._add_ends(shifted)
        before, after = self._come(had, self.advance.before), self._come(self.high, self.advance.after)
        late = self._take_in(shifted, before, after, blocks, out)
        self._forget_ends()
        return LateRows(late.rows, late.frontier + 1)

    def _groups(self, table: pa.Table) -> list[Group]:
        return groups_of(table, [f"{KEY}{name}" for name in self.spec.partition_by])

    def _raise(self, table: pa.Table, places: Ints) -> None:
        for group, place in zip(self._groups(table), places.tolist(), strict=True):
            self.high[group] = max(self.high.get(group, 0), place + 1)

    def _come(self, high: dict[Group, int], frontier: KeyFrontier) -> KeyFrontier:
        """The frontier, but not beyond the rows that have come."""

        def of(keys: pa.Table) -> Array:
            come = np.array([high.get(group, 0) for group in self._groups(keys)], np.int64)
            return np.asarray(np.minimum(frontier(keys) - 1, come), np.int64)

        return of

    def _add_ends(self, batch: Batch) -> None:
        """A row may be missing: the last row of a window is the last that came of it, while it was open."""
        first, last = self.ids.first(batch.a), self.ids.last(batch.a)
        behind = batch.valid & (batch.a < batch.of_group)
        enter = np.where(behind, np.maximum(first, self.ids.opens(batch.of_group)), first)
        come = batch.valid & ~(batch.late & (first <= last) & self.spec.consistent)
        self._raise(take(batch.table, come), batch.a[come])
        ends = come & (enter <= last)
        names = [f"{KEY}{name}" for name in self.spec.keys]
        rows = take(batch.table.select([*names, ORDER]).append_column("enter", pa.array(enter)), ends)
        places, kept = self.ends
        self.ends = np.concatenate([places, batch.a[ends]]), pa.concat_tables([kept, rows]) if kept.num_columns else rows

    def _in_time(self, at: Ints, order: Ints, wid: Ints) -> Ints:
        enter = one_chunk(self.ends[1]["enter"]).to_numpy()
        while (early := enter[order[at]] > wid).any():
            at = at - early
        return at

    def _written(self, table: pa.Table) -> pa.Table:
        """A row may come too late for a window that still waits for its last: where each row enters is kept."""
        return table

    def _forget_ends(self) -> None:
        """Where groups differ from partitions, a row may end windows of groups that are behind its own."""
        assert isinstance(self.spec.window, RowWindow)
        places, rows = self.ends
        of_all = set(self.spec.keys) != set(self.spec.partition_by)
        advance = self.advance
        come = self._come(self.high, lambda keys: np.full(keys.num_rows, advance.of_all) if of_all else advance.after(keys))
        needed = places >= come(rows) - self.spec.window.range.count - self.slide
        self.ends = places[needed], take(rows, needed)

    def load(self, blocks: Blocks) -> None:
        kept = blocks.read("ends")
        if kept is not None:
            rows, note = unpack(kept, self.spec.fingerprint)
            self.ends = np.array(note["places"], np.int64), rows
        kept = blocks.read("high")
        if kept is not None:
            table = unpack(kept, self.spec.fingerprint)[0]
            self.high = dict(zip(self._groups(table), one_chunk(table["high"]).to_pylist(), strict=True))

    def save(self, blocks: Blocks) -> None:
        places, rows = self.ends
        if not rows.num_columns:
            return
        blocks.write("ends", pack(rows, self.spec.fingerprint, {"places": places.tolist()}))
        names = [f"{KEY}{name}" for name in self.spec.partition_by]
        made = {name: pa.array([group[n] for group in self.high], rows.schema.field(name).type) for n, name in enumerate(names)}
        made["high"] = pa.array(list(self.high.values()), pa.int64())
        blocks.write("high", pack(pa.table(made), self.spec.fingerprint))


def rows_operator(spec: WindowedSpec, parts: list[Algebra]) -> RowWindows:
    """The operator for a row window, by what it counts."""
    assert isinstance(spec.window, RowWindow)
    kinds = {Rank: RankedRows, Position: NumberedRows}
    return kinds.get(type(spec.window.wattr), RowWindows)(spec, parts)
