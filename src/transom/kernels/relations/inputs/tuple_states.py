"""The states of windows that slide by tuple: a tuple leaves when the window is next looked at, and not by the clock.

At every tuple (`SLIDE 1 ROW`) a window holds the tuples of the last `range` at whatever instant the operator looks, so rows leave
at the first instant of any input that is far enough. At every n-th tuple it has a state from one of its own windows to the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import OPENS, PICK
from transom.kernels.columns.arrays import Array, Bools, Ints, flags, one_chunk, run_starts, search, take
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.numbering import Numbering
from transom.kernels.relations.inputs.input_states import InputStates, joined
from transom.kernels.relations.inputs.live import SERIAL
from transom.kernels.relations.moments import NEVER, PLACE, at
from transom.kernels.state.store import Blocks
from transom.semantics.length import measure
from transom.semantics.tuples import Rank
from transom.semantics.windows.slide_by_tuple import SlideByTuple


class LookedAtStates(InputStates):
    """A window at every tuple, of an operator that knows all instants: rows leave at those."""

    def __init__(self, name: str, fingerprint: str, window: SlideByTuple, axis: Axis) -> None:
        super().__init__(name, fingerprint)
        self.length = int(axis.number(measure(window.range)))

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        if table.num_rows:
            self.live.add(table.append_column(PLACE, pa.array(places)), at(places), np.full(len(places), NEVER))

    def look(self, instants: Ints) -> None:
        present, _, until, _ = self.live.read()
        if present is None or not len(instants):
            return
        stays = np.flatnonzero(until == NEVER)
        due = at(one_chunk(present[PLACE]).to_numpy()[stays] + self.length)
        seen = np.searchsorted(instants, due)
        gone = seen < len(instants)
        self.live.leave(one_chunk(present[SERIAL]).to_numpy()[stays[gone]], instants[seen[gone]])


class NthTupleStates(InputStates):
    """A window at every n-th tuple of each partition. `waiting` are the tuples that no window has held yet."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        window: SlideByTuple,
        axis: Axis,
        partition_by: tuple[str, ...],
        *,
        keeps_unpicked: bool = False,
    ) -> None:
        super().__init__(name, fingerprint)
        self.length, self.slide = int(axis.number(measure(window.range))), window.slide.count
        self.by_rank, self.columns, self.keeps_unpicked = isinstance(window.sattr, Rank), partition_by, keeps_unpicked
        self.numbering = Numbering(partition_by)
        self.waiting: pa.Table | None = None

    def arrived(self, table: pa.Table) -> pa.Table:
        """Tuples as they arrive, late ones too: every n-th opens a window, unless ranks count."""
        if self.by_rank:
            return table
        return table.append_column(OPENS, pa.array((self.numbering.number(table) + 1) % self.slide == 0))

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        if table.num_rows:
            self.waiting = joined(self.waiting, self._coming(table.append_column(PLACE, pa.array(places))))
        if self.waiting is None or not self.waiting.num_rows:
            return
        own = one_chunk(self.waiting[PLACE]).to_numpy()
        due = np.flatnonzero(at(own) < high)
        if not len(due):
            return
        due = due[np.argsort(own[due], kind="stable")]
        opens = flags(one_chunk(self.waiting[OPENS]))[due]
        if self.by_rank:
            opens = self._ranked(due)
        of = self.numbering.partitions(self.waiting)
        windows = _Windows(of[due][opens], own[due][opens])
        self._enter(windows, of, own)
        self._leave(windows)

    def _coming(self, table: pa.Table) -> pa.Table:
        if self.by_rank:
            table = table.append_column(OPENS, pa.array(np.zeros(table.num_rows, bool)))
            table = table.append_column("counted", pa.array(np.zeros(table.num_rows, bool)))
        return table

    def _ranked(self, due: Ints) -> Bools:
        """Which of the tuples that no earlier one can precede any more open a window; each is counted once."""
        assert self.waiting is not None
        fresh = due[~flags(one_chunk(self.waiting["counted"]))[due]]
        opening = fresh[(self.numbering.number(self.waiting.take(pa.array(fresh))) + 1) % self.slide == 0]
        counted = flags(one_chunk(self.waiting["counted"])).copy()
        counted[fresh] = True
        number = self.waiting.column_names.index("counted")
        self.waiting = self.waiting.set_column(number, "counted", pa.array(counted))
        return np.isin(due, opening)

    def _enter(self, windows: _Windows, of: Ints, places: Ints) -> None:
        """Tuples enter with the first window from their own place on, if that still holds them; until it comes they wait."""
        assert self.waiting is not None
        first = windows.first(of, places)
        known = first < NEVER
        held = known & (first < places + self.length)
        rows, since = take(self.waiting, held).drop_columns([OPENS]), at(first[held])
        rows = rows.drop_columns(["counted"]) if self.by_rank else rows
        self.waiting = take(self.waiting, ~known).combine_chunks()
        if PICK in rows.column_names and not self.keeps_unpicked:
            picked = flags(one_chunk(rows[PICK]))
            rows, since = take(rows.drop_columns([PICK]), picked), since[picked]
        self.live.add(rows, since, np.full(len(since), NEVER))

    def _leave(self, windows: _Windows) -> None:
        present, _, until, _ = self.live.read()
        if present is None:
            return
        stays = np.flatnonzero(until == NEVER)
        rows = present.take(pa.array(stays))
        last = windows.first(self.numbering.partitions(rows), one_chunk(rows[PLACE]).to_numpy() + self.length)
        gone = last < NEVER
        self.live.leave(one_chunk(rows[SERIAL]).to_numpy()[gone], at(last[gone]))

    def to_json(self, blocks: Blocks) -> dict[str, Any]:
        self._keep(blocks, "waiting", self.waiting)
        self._keep(blocks, "numbers", self.numbering.to_table())
        return super().to_json(blocks)

    def from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        super().from_json(note, blocks)
        self.waiting, numbers = self._kept(blocks, "waiting"), self._kept(blocks, "numbers")
        if numbers is not None:
            self.numbering.from_table(numbers)


class _Windows:
    """The places of the windows of each partition, in order."""

    def __init__(self, of: Ints, places: Ints) -> None:
        order = np.lexsort((places, of))
        of, places = of[order], places[order]
        starts = run_starts(of, places)
        self.of, self.places = of[starts], places[starts]

    def first(self, of: Ints, places: Ints) -> Ints:
        """The first window of a partition that is not before a place, or NEVER."""
        low, high = np.searchsorted(self.of, of), np.searchsorted(self.of, of, side="right")
        found = search(self.places, low, high, places)
        there = found < high
        known = np.append(self.places, 0)
        return np.where(there, known[np.where(there, found, len(self.places))], NEVER)
