"""One OVER frame over the buffer of tuples that all frames of a SELECT share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import KEY
from transom.kernels.aggregates import Call, aggregate, algebra_of
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, Ints, codes_of, one_chunk, order_of, run_starts
from transom.kernels.columns.numbering import Numbering
from transom.kernels.extents.closing import Runs, within
from transom.kernels.results import column
from transom.kernels.spec import FrameSpec, OverSpec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.over.parted import Parted
from transom.semantics.length import Rows, measure


def slot_start(a: Array, slot: Any, is_double: bool) -> Array:
    """The start of the slot each place is in. Slots start at the epoch."""
    return np.asarray(_slot_number(a, slot, is_double) * slot, np.float64 if is_double else np.int64)


def slot_end(a: Array, slot: Any, is_double: bool) -> Array:
    """The end of it, which is where the next one starts, in doubles too."""
    return np.asarray((_slot_number(a, slot, is_double) + 1) * slot, np.float64 if is_double else np.int64)


def _slot_number(a: Array, slot: Any, is_double: bool) -> Array:
    if not is_double:
        return np.asarray(a // slot)
    n = np.floor(a / slot)
    n = np.where((n + 1) * slot <= a, n + 1, n)
    return np.asarray(np.where(n * slot > a, n - 1, n))


Found = tuple[pa.Array, Ints]
"""Values, and for each row of the buffer which of them is its own; of rows that are not due, any."""


class OverFrame:
    """One frame over the common buffer, each time sorted by its partitions."""

    def __init__(self, spec: OverSpec, n: int, frame: FrameSpec) -> None:
        self.spec, self.n, self.frame = spec, n, frame
        self.names = tuple(f"{KEY}{name}" for name in frame.partition_by)
        self.numbering = Numbering(self.names)
        self.totals: pa.Table | None = None

    def evaluate(self, part: Parted, a: Array, due: Bools, past: Bools, reached: Array) -> tuple[Found, Bools, Bools]:
        """The aggregates, and for each row of the buffer whether it yields, and whether it is needed later.

        Frames that differ in their aggregates alone share everything else.
        """
        order, back, runs = part.order, part.back, part.runs
        shape = (self.frame.by_rows, self.frame.preceding, self.frame.slide, self.frame.tumbles)
        a, due, past, wanted, place = part.once("due", lambda: _due(part, a, due, past))
        slots = part.once(("slots", shape), lambda: self._slots(a))
        start, end = part.once(("bounds", shape), lambda: _of(self._bounds(runs, a, slots), wanted))
        values = self._values(part, wanted, start, end, due, past)
        if self.frame.preceding is None:
            needed = self._needed(part, a, past, reached[order])[back]
        else:
            known = reached if self.frame.by_rows else reached[order]
            needed = part.once(("needed", shape), lambda: self._needed(part, a, past, known)[back])
        yields = np.ones(len(due), bool) if self.frame.slide is None else self._yields(part.rows, due, runs, slots)[back]
        return (values, place), yields, needed

    def _slots(self, a: Array) -> Array | None:
        slide = self.frame.slide
        if slide is None or isinstance(slide, Rows):
            return None
        return slot_end(a, self.spec.axis.number(measure(slide)), self.spec.axis.factor is None)

    def _bounds(self, runs: Runs, a: Array, slots: Array | None) -> tuple[Ints, Ints]:
        here, run = np.arange(len(a)), runs.of_row
        if self.frame.by_rows:
            end = here + 1
            if self.frame.preceding is None:
                return runs.start[run], end
            return np.maximum(runs.start[run], here - int(measure(self.frame.preceding))), end
        end = within(runs, a, run, self.spec.axis.after(a))
        if self.frame.preceding is None:
            return runs.start[run], end
        start = within(runs, a, run, a - self.spec.axis.number(measure(self.frame.preceding)))
        if self.frame.tumbles and slots is not None:
            begin = slot_start(a, self.spec.axis.number(measure(self.frame.slide or 0)), self.spec.axis.factor is None)
            start = np.maximum(start, within(runs, a, run, begin))
        return start, end

    def _values(self, part: Parted, wanted: Ints, start: Ints, end: Ints, due: Bools, past: Bools) -> pa.Array:
        args, runs = [part.column(name) for name in self.frame.computed.args], part.runs
        algebra = self._algebra(part) if self.frame.preceding is None else None
        if algebra is None:
            return aggregate(self.frame.computed.call, args, start, end)
        lifted = algebra.lift(args, len(part.order))
        new = runs.start + np.add.reduceat((past & ~due).astype(np.int64), runs.start)
        settled = runs.start + np.add.reduceat(past.astype(np.int64), runs.start)
        partial = algebra.slices(lifted, new[runs.of_row][wanted], end)
        if self.totals is not None and len(wanted):
            partial = algebra.combine(self._earlier(algebra, part.rows, wanted), partial)
        self._add_up(algebra, algebra.slices(lifted, new, settled), part.rows, runs)
        return algebra.lower(partial)

    def _algebra(self, part: Parted) -> Algebra | None:
        """How to add up all that is settled; None for types without a lane, of which tuples are kept."""
        return algebra_of(self.frame.computed.call, [part.column(name).type for name in self.frame.computed.args])

    def _earlier(self, algebra: Algebra, rows: pa.Table, wanted: Ints) -> tuple[Array, ...]:
        """The totals of all that has been forgotten, for each row."""
        assert self.totals is not None
        own = rows.take(pa.array(wanted))
        parts = [pa.concat_arrays([one_chunk(self.totals[name]), one_chunk(own[name])]) for name in self.names]
        codes, size = codes_of(parts, self.totals.num_rows + len(wanted))
        place = np.full(size, self.totals.num_rows, np.int64)
        place[codes[: self.totals.num_rows]] = np.arange(self.totals.num_rows)
        at = place[codes[self.totals.num_rows :]]
        kept = [column(self.totals, f"total{n}").to_numpy(zero_copy_only=False) for n in range(len(algebra.identity(0)))]
        return tuple(np.append(values, nothing)[at] for values, nothing in zip(kept, algebra.identity(1), strict=True))

    def _add_up(self, algebra: Algebra, partial: tuple[Array, ...], rows: pa.Table, runs: Runs) -> None:
        """What has become settled goes into the totals."""
        firsts = pa.array(runs.start)
        own = rows.select(list(self.names)).take(firsts) if self.names else pa.table({"": pa.nulls(len(firsts))})
        added = {name: one_chunk(own[name]) for name in own.column_names}
        added |= {f"total{n}": pa.array(values) for n, values in enumerate(partial)}
        table = pa.table(added)
        both = table if self.totals is None else pa.concat_tables([self.totals, table])
        codes, size = codes_of([one_chunk(both[name]) for name in self.names], both.num_rows)
        order = order_of(codes, size)
        both = both.take(pa.array(order))
        starts = run_starts(codes[order])
        kept = {name: one_chunk(both[name]).take(pa.array(starts)) for name in own.column_names}
        parts = tuple(column(both, f"total{n}").to_numpy(zero_copy_only=False) for n in range(len(partial)))
        kept |= {f"total{n}": pa.array(values) for n, values in enumerate(algebra.reduce(parts, starts))}
        self.totals = pa.table(kept)

    def _yields(self, rows: pa.Table, due: Bools, runs: Runs, slots: Array | None) -> Bools:
        slide = self.frame.slide
        if slide is None:
            return np.ones(len(due), bool)
        if isinstance(slide, Rows):
            found = np.zeros(len(due), bool)
            settled = np.flatnonzero(due)
            found[settled] = (self.numbering.number(rows.take(pa.array(settled))) + 1) % slide.count == 0
            return found
        assert slots is not None
        last = np.ones(len(due), bool)
        last[:-1] = (runs.of_row[1:] != runs.of_row[:-1]) | (slots[1:] != slots[:-1])
        return last

    def _needed(self, part: Parted, a: Array, past: Bools, reached: Array) -> Bools:
        """Settled tuples that a frame still to come may reach: of a tuple that comes, or waits for its slot to be over."""
        preceding, runs = self.frame.preceding, part.runs
        if preceding is None:
            return np.zeros(len(a), bool) if self._algebra(part) is not None else self._lasting(part.rows, runs, past)
        if self.frame.by_rows:
            settled = np.add.reduceat(past.astype(np.int64), runs.start)
            behind = (settled + runs.start)[runs.of_row] - np.arange(len(a))
            return np.asarray(past & (behind <= int(measure(preceding))), bool)
        waiting = np.minimum.reduceat(np.where(past, self.spec.axis.everything, a), runs.start)[runs.of_row]
        return np.asarray(past & (a >= np.minimum(reached, waiting) - self.spec.axis.number(measure(preceding))), bool)

    def _lasting(self, rows: pa.Table, runs: Runs, past: Bools) -> Bools:
        """Of a minimum or a maximum, the one tuple of each partition that has it; of anything else, all."""
        function = self.frame.computed.call.function
        if function not in ("min", "max"):
            return past
        settled = runs.start + np.add.reduceat(past.astype(np.int64), runs.start)
        places = pa.array(np.arange(rows.num_rows))
        best = aggregate(Call(f"{function}_by"), [places, column(rows, self.frame.computed.args[0])], runs.start, settled)
        needed = np.zeros(len(past), bool)
        needed[best.drop_null().to_numpy()] = True
        return needed

    def load(self, blocks: Blocks) -> None:
        kept = blocks.read(f"numbers{self.n}")
        if kept is not None:
            self.numbering.from_table(unpack(kept, self.spec.fingerprint)[0])
        kept = blocks.read(f"totals{self.n}")
        self.totals = None if kept is None else unpack(kept, self.spec.fingerprint)[0]

    def save(self, blocks: Blocks) -> None:
        if isinstance(self.frame.slide, Rows):
            blocks.write(f"numbers{self.n}", pack(self.numbering.to_table(), self.spec.fingerprint))
        if self.totals is not None:
            blocks.write(f"totals{self.n}", pack(self.totals, self.spec.fingerprint))


def _due(part: Parted, a: Array, due: Bools, past: Bools) -> tuple[Array, Bools, Bools, Ints, Ints]:
    """Places and what is settled, in the order of partitions; the rows that are due, and for each row which of them it is."""
    a, due, past = a[part.order], due[part.order], past[part.order]
    wanted = np.flatnonzero(due)
    if len(wanted) == len(due):
        return a, due, past, wanted, part.back
    place = np.zeros(len(due), np.int64)
    place[wanted] = np.arange(len(wanted))
    return a, due, past, wanted, place[part.back]


def _of(bounds: tuple[Ints, Ints], wanted: Ints) -> tuple[Ints, Ints]:
    start, end = bounds
    return (start, end) if len(wanted) == len(start) else (start[wanted], end[wanted])
