"""Windows that tuples bring into being: slide by tuple, every instant, NOW.

Tuples wait in a sorted buffer. When the frontier moves, the instants it has passed are the windows; numbered in their
order, they are context-free windows of those numbers. Late tuples are left out altogether.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import BESIDE, KEY, ORDER
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, Ints, codes_of, one_chunk, run_starts, search, take
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.columns.numbering import Numbering
from transom.kernels.extents.closing import Extents, Runs, closing, within
from transom.kernels.extents.ids import Reported
from transom.kernels.results import column, sorted_by
from transom.kernels.spec import WindowedSpec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.provisional import Provisional
from transom.kernels.windows.reporting import WindowOperator
from transom.semantics.length import measure
from transom.semantics.tuples import Rank
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.now import Now
from transom.semantics.windows.slide_by_tuple import SlideByTuple


@dataclass(frozen=True)
class Reach:
    """Of a window at w: the tuples from low(w) up to high(w), half open; and how long after a tuple's place it matters."""

    axis: Axis
    length: Any
    lag: Any = 0

    def low(self, w: Array) -> Array:
        if self.length is None:
            return w
        lower = w - self.lag - self.length
        return np.asarray(self.axis.after(lower), self.axis.dtype)

    def high(self, w: Array) -> Array:
        return np.asarray(self.axis.after(w - self.lag), self.axis.dtype)

    @property
    def memory(self) -> Any:
        return self.lag + (self.length or 0)


def reach_of(window: Any, axis: Axis) -> Reach:
    """How far the windows of a specification reach."""
    if isinstance(window, Now):
        return Reach(axis, None)
    lag = getattr(window, "lag", None)
    return Reach(axis, axis.number(measure(window.range)), 0 if lag is None else axis.number(measure(lag)))


class TupleDrivenWindow(WindowOperator):
    """The operator for windows made of tuples."""

    def __init__(self, spec: WindowedSpec, parts: list[Algebra]) -> None:
        super().__init__(spec, parts)
        self.reach = reach_of(spec.window, spec.axis)
        self.buffer: pa.Table | None = None
        self.partitions = tuple(f"{KEY}{name}" for name in spec.partition_by)
        self.numbering = Numbering(self.partitions)
        self.provisional = Provisional()
        self.open = 0

    @property
    def _slide(self) -> int:
        return self.spec.window.slide.count if isinstance(self.spec.window, SlideByTuple) else 1

    @property
    def _by_rank(self) -> bool:
        return isinstance(self.spec.window, SlideByTuple) and isinstance(self.spec.window.sattr, Rank) and self._slide > 1

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        left_out, by = self._left_out(batch)
        self.provisional.take_back(self.counts)
        self.counts.add(dropped=(left_out & batch.pick).sum(), outside=(~batch.valid | (left_out & ~batch.pick)).sum())
        self.counts.add(late=batch.late.sum())
        table = self._buffered(batch, batch.valid & ~left_out)
        if table.num_rows:
            self._evaluate(table, out)
        gone = np.flatnonzero(left_out & batch.pick)
        return LateRows(gone, by[gone])

    def _left_out(self, batch: Batch) -> tuple[Bools, Array]:
        """Which tuples come too late, and for which frontier. NOW is known by the tuple alone: it may still be open."""
        if self.reach.length is None and not self.spec.consistent:
            return batch.valid & (batch.a < batch.of_group), batch.of_group
        return batch.late, batch.of_tuple

    def _buffered(self, batch: Batch, taken: Bools) -> pa.Table:
        """The tuples that count, the new ones included."""
        names = [name for name in batch.table.column_names if not name.startswith(BESIDE) or name == ORDER]
        new = batch.table.select(names)
        for name, values in (("a", batch.a), ("n", batch.n), ("picked", batch.pick), ("opens", self._opening(batch))):
            new = new.append_column(name, pa.array(values))
        new = new.append_column("fresh", pa.array(np.ones(batch.rows, bool)))
        new = new.append_column("rank", pa.array(np.zeros(batch.rows, np.int64)))
        new = take(new, taken)
        return new if self.buffer is None else pa.concat_tables([self.buffer, new])

    def _opening(self, batch: Batch) -> Bools:
        """Which tuples open a window: every n-th that arrives. By rank it shows only later."""
        if self._slide == 1 or self._by_rank:
            return np.ones(batch.rows, bool)
        return np.asarray((self.numbering.number(batch.table) + 1) % self._slide == 0, bool)

    def _evaluate(self, table: pa.Table, out: OperatorOutput) -> None:
        split, _ = codes_of([one_chunk(table[name]) for name in self.partitions], table.num_rows)
        order = np.lexsort((column(table, "n").to_numpy(), column(table, "a").to_numpy(), split))
        table, split = table.take(pa.array(order)), split[order]
        if self._by_rank:
            table = self._ranked(table, split, self._of_partitions(table, split))
        instants = self._instants(table, split)
        self.open = int((instants[1] >= self.advance.of_all).sum())
        enter, last = self._places(column(table, "a").to_numpy(), split, instants)
        self._close(table, enter, last, instants, out)
        self._forget(table, enter <= last)

    def _of_partitions(self, table: pa.Table, split: Ints) -> Array:
        starts = run_starts(split)
        return np.repeat(self.advance.after(table.take(pa.array(starts))), np.diff(np.append(starts, len(split))))

    def _instants(self, table: pa.Table, split: Ints) -> tuple[Ints, Array, Bools]:
        """The windows: partition and instant, in order, each once; and which of them are new."""
        a, fresh = column(table, "a").to_numpy(), np.asarray(column(table, "fresh"), bool)
        opens = np.asarray(column(table, "opens"), bool)
        if isinstance(self.spec.window, EveryInstant):
            arrival, expiry = self._changes(a)
            w = np.concatenate([arrival, expiry])
            split, fresh = np.concatenate([split, split]), np.concatenate([fresh, fresh])
        else:
            w, split, fresh = a[opens], split[opens], fresh[opens]
        order = np.lexsort((w, split))
        w, split, fresh = w[order], split[order], fresh[order]
        starts = run_starts(split, w)
        newest = np.logical_and.reduceat(fresh, starts) if len(starts) else fresh
        return split[starts], w[starts], newest

    def _changes(self, a: Array) -> tuple[Array, Array]:
        window = self.spec.window
        assert isinstance(window, EveryInstant)
        if self.spec.axis.factor is None:
            pairs = [(window._arrival(float(x)), window._expiry(float(x))) for x in a]
            return np.array([x for x, _ in pairs], np.float64), np.array([x for _, x in pairs], np.float64)
        return a + self.reach.lag, a + self.reach.lag + self.reach.length

    def _ranked(self, table: pa.Table, split: Ints, frontier: Array) -> pa.Table:
        """Ranks are final below the frontier; those of the tuples that wait are what they are so far."""
        a, rank = column(table, "a").to_numpy(), column(table, "rank").to_numpy().copy()
        final = np.flatnonzero((rank == 0) & (a < frontier))
        rank[final] = self.numbering.number(table.take(pa.array(final))) + 1
        kept = table.set_column(table.column_names.index("rank"), "rank", pa.array(rank))
        waiting = rank == 0
        starts = run_starts(split)
        lengths = np.diff(np.append(starts, len(split)))
        before = np.cumsum(waiting) - waiting
        place = before - np.repeat(before[starts], lengths) + np.repeat(self.numbering.of(table.take(pa.array(starts))), lengths)
        so_far = np.where(waiting, place + 1, rank)
        opens = pa.array(so_far % self._slide == 0)
        return kept.set_column(kept.column_names.index("opens"), "opens", opens)

    def _places(self, a: Array, split: Ints, instants: tuple[Ints, Array, Bools]) -> tuple[Ints, Ints]:
        """The first and the last window of each tuple, as places in the list of instants."""
        of, w, _ = instants
        low, high = np.searchsorted(of, split), np.searchsorted(of, split, side="right")
        enter = search(w, low, high, a + self.reach.lag)
        length = self.reach.length
        last = (search(w, low, high, a, right=True) if length is None else search(w, low, high, self._gone(a))) - 1
        if self.spec.axis.factor is None and length is not None and len(w):
            enter, last = self._exact(enter, last, low, high, a, w)
        return enter, last

    def _close(
        self,
        table: pa.Table,
        enter: Ints,
        last: Ints,
        instants: tuple[Ints, Array, Bools],
        out: OperatorOutput,
    ) -> None:
        """Tuples in their partition's list of windows are in consecutive ones: closing works on places in that list."""
        _, w, fresh = instants
        codes, size = codes_of([one_chunk(table[f"{KEY}{name}"]) for name in self.spec.keys], table.num_rows)
        a = column(table, "a").to_numpy()
        order = sorted_by(codes, size, a, column(table, "n").to_numpy())
        table, codes, enter, last, a = table.take(pa.array(order)), codes[order], enter[order], last[order], a[order]
        runs = Runs.of(codes)
        own = table.take(pa.array(runs.start))
        picked = np.asarray(column(table, "picked"), bool)
        last = np.where(picked, last, enter - 1)
        reached, passed = self.advance.after(own), self.advance.before(own)
        run, place = closing(
            runs, enter, last, np.zeros(len(runs.start), np.int64), np.full(len(runs.start), len(w)), grows=False
        )
        lagging = bool(self.reach.lag)
        due = (w[place] <= reached[run]) if lagging else (w[place] < reached[run])
        done = (w[place] <= passed[run]) if lagging else (w[place] < passed[run])
        keep = due & (~done | fresh[place])
        run, place = run[keep], place[keep]
        if not len(run):
            return
        start = within(runs, a, run, self.reach.low(w[place]))
        end = within(runs, a, run, self.reach.high(w[place]))
        found = Extents(run, place, start, end)
        self._instant = w
        some = picked if not picked.all() else None
        out.rows = self._picked_rows(table, own, found, some)

    def _next_instant(self, frontier: Any) -> Any:
        """With a LAG, windows at the frontier itself have been reported."""
        return self.axis.after(frontier) if self.reach.lag else frontier

    def _gone(self, a: Array) -> Array:
        """The instant from which on a tuple is out of the window."""
        return np.asarray(a + self.reach.lag + self.reach.length, self.spec.axis.dtype)

    def _exact(self, enter: Ints, last: Ints, low: Ints, high: Ints, a: Array, w: Array) -> tuple[Ints, Ints]:
        """Doubles: compare with the bounds themselves, since a sum of doubles may be off by one step."""

        def there(place: Ints) -> Array:
            return w[np.clip(place, 0, len(w) - 1)]

        enter = np.where((enter > low) & (a < self.reach.high(there(enter - 1))), enter - 1, enter)
        enter = np.where((enter < high) & (a >= self.reach.high(there(enter))), enter + 1, enter)
        last = np.where((last < high - 1) & (a >= self.reach.low(there(last + 1))), last + 1, last)
        last = np.where((last >= low) & (a < self.reach.low(there(last))), last - 1, last)
        return enter, last

    def _picked_rows(self, table: pa.Table, own: pa.Table, found: Extents, picked: Bools | None) -> pa.Table:
        if picked is not None:
            rows = np.flatnonzero(picked)
            before = np.cumsum(np.append([0], picked))
            found = Extents(found.run, found.wid, before[found.start], before[found.end])
            found = found.pick(found.end > found.start)
            table = table.take(pa.array(rows))
        w = self._instant[found.wid]
        start = w if self.reach.length is None else w - self.reach.lag - self.reach.length
        report = Reported(start, w - self.reach.lag, w, np.zeros(len(w), bool))
        return self.rows_of(table, own, found, report, self._on_axis(w))

    def _forget(self, table: pa.Table, inside: Bools) -> None:
        """Keep what a window that is still to come may reach."""
        needed = column(table, "a").to_numpy() + self.reach.memory >= self._oldest(table)
        used = inside & np.asarray(column(table, "picked"), bool)
        self.counts.add(used=used[~needed].sum(), outside=(~used[~needed]).sum())
        self.provisional.show(self.counts, used[needed])
        kept = take(table, needed)
        kept = kept.set_column(kept.column_names.index("fresh"), "fresh", pa.array(np.zeros(kept.num_rows, bool)))
        self.buffer = kept

    def _oldest(self, table: pa.Table) -> Array:
        """The frontier below which no window can open any more: that of groups not seen, where windows span groups."""
        own = set(self.spec.keys) == set(self.spec.partition_by)
        return self.advance.after(table) if own else np.full(table.num_rows, self.advance.of_all)

    def _oldest_tuple(self, frontier: Any) -> Any:
        return self.reach.low(np.array([frontier], self.axis.dtype))[0]

    def reached(self) -> Any:
        if not isinstance(self.spec.window, EveryInstant):
            return self.axis.after(self.advance.newest)
        _, expiry = self._changes(np.array([self.advance.newest], self.axis.dtype))
        return self.axis.after(expiry[0])

    def open_windows(self) -> int | None:
        return self.open

    def load(self, blocks: Blocks) -> None:
        for name in ("buffer", "numbers"):
            kept = blocks.read(name)
            if kept is not None:
                table, note = unpack(kept, self.spec.fingerprint)
                if name == "buffer":
                    self.buffer, self.provisional = table, Provisional(*note["provisional"])
                else:
                    self.numbering.from_table(table)

    def save(self, blocks: Blocks) -> None:
        if self.buffer is not None:
            blocks.write("buffer", pack(self.buffer, self.spec.fingerprint, {"provisional": self.provisional.to_json()}))
        blocks.write("numbers", pack(self.numbering.to_table(), self.spec.fingerprint))
