"""Sessions: runs of tuples no further than the gap apart, in each partition."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import BESIDE, KEY, ORDER
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, Ints, codes_of, one_chunk, ranges, run_starts, take
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.columns.numbering import Group, groups_of
from transom.kernels.extents.closing import Extents
from transom.kernels.extents.ids import Reported
from transom.kernels.results import column
from transom.kernels.spec import WindowedSpec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.reporting import WindowOperator
from transom.semantics.length import measure
from transom.semantics.windows.session import Session


class SessionWindow(WindowOperator):
    """The operator for sessions. What is complete has left; of it only its last value is remembered, while it can matter."""

    def __init__(self, spec: WindowedSpec, parts: list[Algebra]) -> None:
        assert isinstance(spec.window, Session)
        super().__init__(spec, parts)
        self.gap = spec.axis.number(measure(spec.window.gap))
        self.names = [f"{KEY}{name}" for name in spec.partition_by]
        self.buffer: pa.Table | None = None
        self.finished: dict[Group, Any] = {}
        self.open = 0

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        left_out, by = self._left_out(batch)
        taken = batch.valid & ~left_out
        self.counts.add(
            late=batch.late.sum(),
            used=(taken & batch.pick).sum(),
            dropped=(left_out & batch.pick).sum(),
            outside=(~batch.valid | ~batch.pick).sum(),
        )
        table = self._buffered(batch, taken)
        if table.num_rows:
            self._evaluate(table, out)
        gone = np.flatnonzero(left_out & batch.pick)
        return LateRows(gone, by[gone])

    def _left_out(self, batch: Batch) -> tuple[Bools, Array]:
        """Late tuples that miss their session. They are few; each is held against what had come before it."""
        late, by = batch.late, batch.of_group.copy()
        if self.spec.consistent:
            return late, batch.of_tuple
        left_out = np.zeros(batch.rows, bool)
        if not late.any():
            return left_out, by
        groups = self._groups(batch.table)
        affected = {groups[row] for row in np.flatnonzero(late)}
        values: dict[Group, list[Any]] = {group: [] for group in affected}
        if self.buffer is not None:
            for group, a in zip(self._groups(self.buffer), column(self.buffer, "a").to_pylist(), strict=True):
                if group in affected:
                    values[group].append(a)
        for known in values.values():
            known.sort()
        for row, group in enumerate(groups):
            if group in affected and batch.valid[row]:
                a = batch.a[row].item()
                if late[row] and self._misses(a, batch.of_group[row].item(), values[group], group):
                    left_out[row] = True
                else:
                    insort(values[group], a)
        return left_out, by

    def _misses(self, a: Any, frontier: Any, values: list[Any], group: Group) -> bool:
        """Whether the session that a late tuple would open or join is complete."""
        if a + self.gap < frontier:
            return True
        place = bisect_right(values, a)
        last = values[place - 1] if place else None
        done = self.finished.get(group)
        if last is None or (done is not None and done > last):
            last = done
        if last is None or a > last + self.gap or last + self.gap >= frontier:
            return False
        return place == len(values) or values[place] > last + self.gap

    def _groups(self, table: pa.Table) -> list[Group]:
        return groups_of(table, self.names)

    def _buffered(self, batch: Batch, taken: Bools) -> pa.Table:
        names = [name for name in batch.table.column_names if not name.startswith(BESIDE) or name == ORDER]
        new = batch.table.select(names)
        for name, values in (("a", batch.a), ("n", batch.n), ("picked", batch.pick)):
            new = new.append_column(name, pa.array(values))
        new = take(new, taken)
        return new if self.buffer is None else pa.concat_tables([self.buffer, new])

    def _evaluate(self, table: pa.Table, out: OperatorOutput) -> None:
        split, _ = codes_of([one_chunk(table[name]) for name in self.names], table.num_rows)
        order = np.lexsort((column(table, "n").to_numpy(), column(table, "a").to_numpy(), split))
        table, split = table.take(pa.array(order)), split[order]
        a = column(table, "a").to_numpy()
        breaks = np.ones(len(a), bool)
        breaks[1:] = (split[1:] != split[:-1]) | (a[1:] > a[:-1] + self.gap)
        starts = np.flatnonzero(breaks)
        ends = np.append(starts[1:], len(a)).astype(np.int64)
        last = a[ends - 1]
        reached = self.advance.after(table.take(pa.array(starts)))
        complete = reached > last + self.gap
        self._report(table, starts[complete], ends[complete], out)
        self._finish(table, starts[complete], last[complete])
        self.open = int((~complete).sum())
        gone = np.repeat(complete, ends - starts)
        self.buffer = take(table, ~gone)
        self._forget()

    def _report(self, table: pa.Table, starts: Ints, ends: Ints, out: OperatorOutput) -> None:
        """The rows of complete sessions, for each group in them."""
        if not len(starts):
            return
        a = column(table, "a").to_numpy()
        if self.spec.passes_on:  # a session of which no tuple is picked has an instant all the same
            self._ended_at.append(a[ends - 1] + self.gap)
        rows, session = ranges(starts, ends)
        picked = np.asarray(column(table, "picked"), bool)[rows]
        rows, session = rows[picked], session[picked]
        part = table.take(pa.array(rows))
        codes, _ = codes_of([one_chunk(part[f"{KEY}{name}"]) for name in self.spec.keys], part.num_rows)
        order = np.lexsort((codes, session))
        part, codes, session = part.take(pa.array(order)), codes[order], session[order]
        first = run_starts(session, codes)
        found = Extents(np.arange(len(first)), session[first], first, np.append(first[1:], len(session)).astype(np.int64))
        if not len(first):
            return
        begin, end = a[starts][found.wid], a[ends - 1][found.wid] + self.gap
        report = Reported(begin, end, end, np.zeros(len(begin), bool))
        out.rows = self.rows_of(part, part.take(pa.array(first)), found, report, self._on_axis(begin))

    def _finish(self, table: pa.Table, starts: Ints, last: Array) -> None:
        for group, value in zip(self._groups(table.take(pa.array(starts))), last.tolist(), strict=True):
            self.finished[group] = max(self.finished.get(group, value), value)

    def _forget(self) -> None:
        """A finished session matters while a late tuple may still come within the gap of it."""
        if len(self.finished) < 1024:
            return
        self.finished = {group: last for group, last in self.finished.items() if last + 2 * self.gap >= self.advance.of_all}

    def _oldest_tuple(self, frontier: Any) -> Any:
        latest = frontier - self.gap
        return latest if self.buffer is None else column(self.buffer, "a").to_numpy().min(initial=latest)

    def reached(self) -> Any:
        return self.axis.after(self.advance.newest + self.gap)

    def open_windows(self) -> int | None:
        return self.open

    def load(self, blocks: Blocks) -> None:
        kept = blocks.read("buffer")
        if kept is not None:
            self.buffer = unpack(kept, self.spec.fingerprint)[0]
        kept = blocks.read("finished")
        if kept is not None:
            table = unpack(kept, self.spec.fingerprint)[0]
            self.finished = dict(zip(self._groups(table), column(table, "last").to_pylist(), strict=True))

    def save(self, blocks: Blocks) -> None:
        if self.buffer is None:
            return
        blocks.write("buffer", pack(self.buffer, self.spec.fingerprint))
        groups = list(self.finished)
        made = {
            name: pa.array([group[n] for group in groups], self.buffer.schema.field(name).type)
            for n, name in enumerate(self.names)
        }
        made["last"] = pa.array(list(self.finished.values()), self.buffer.schema.field("a").type)
        blocks.write("finished", pack(pa.table(made), self.spec.fingerprint))
