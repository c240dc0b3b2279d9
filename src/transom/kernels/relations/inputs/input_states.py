"""The states of one input: tuples come in, and rows are there between moments.

What differs is how it is known when a row enters and leaves: a window on an attribute gives each tuple its lifetimes at once;
windows of rows replace one another as they end; an operator below says it itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import CHANGE, MOMENT, PICK
from transom.kernels.columns.arrays import Array, Bools, Ints, flags, one_chunk, run_starts, running_max, take
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.numbering import Numbering
from transom.kernels.relations.changes import distinct_rows
from transom.kernels.relations.inputs.last_rows import moves
from transom.kernels.relations.inputs.lifetimes import lifetimes
from transom.kernels.relations.inputs.live import SERIAL, Live
from transom.kernels.relations.inputs.stretches import with_stretches
from transom.kernels.relations.moments import NEVER, PLACE, at
from transom.kernels.state.store import Blocks, pack, unpack
from transom.semantics.tuples import Rank
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window

NUMBER = "number"
"""The number of a row in its partition."""


class InputStates(ABC):
    """The rows of one input, in `live`, and what is not among them yet."""

    def __init__(self, name: str, fingerprint: str) -> None:
        self.name, self.fingerprint = name, fingerprint
        self.live = Live(name, fingerprint)

    @abstractmethod
    def take(self, table: pa.Table, places: Array, high: int) -> None:
        """Take tuples in, and let rows enter and leave that do so before a moment."""

    def look(self, instants: Ints) -> None:  # noqa: B027
        """Let rows enter and leave at the instants of the operator, where they know no moments of their own."""

    def vanishing(self) -> Ints:
        """The moments right after an instant at which rows leave: there nobody need look to see it."""
        _, _, until, _ = self.live.read()
        return np.asarray(until[(until % 2 == 1) & (until != NEVER)], np.int64)

    def arrived(self, table: pa.Table) -> pa.Table:
        """Tuples as they arrive, late ones among them, with what their order says."""
        return table

    def to_json(self, blocks: Blocks) -> dict[str, Any]:
        return {"live": self.live.save(blocks)}

    def from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        self.live.load(blocks, note["live"])

    def _keep(self, blocks: Blocks, name: str, table: pa.Table | None) -> None:
        """A table that is carried whole; an empty one takes no room."""
        name = f"{self.name}-{name}"
        if table is not None and table.num_rows:
            blocks.write(name, pack(table, self.fingerprint))
        elif blocks.read(name) is not None:
            blocks.remove(name)

    def _kept(self, blocks: Blocks, name: str) -> pa.Table | None:
        block = blocks.read(f"{self.name}-{name}")
        return None if block is None else unpack(block, self.fingerprint)[0]


class TimedStates(InputStates):
    """A window on an attribute: each tuple enters and leaves at moments that are known when it comes."""

    def __init__(self, name: str, fingerprint: str, window: Window, axis: Axis) -> None:
        super().__init__(name, fingerprint)
        self.window, self.axis = window, axis

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        if not table.num_rows:
            return
        found = lifetimes(self.window, self.axis, places)
        rows = table.append_column(PLACE, pa.array(places))
        if len(found.row) != table.num_rows or (found.row[1:] != found.row[:-1] + 1).any():
            rows = rows.take(pa.array(found.row))
        if isinstance(self.window, Varying):
            rows = with_stretches(rows, found, self.live.next)
        self.live.add(rows, found.since, found.until)


class MovingStates(InputStates):
    """Rows of which it shows only later when they leave."""

    def _move(self, rows: pa.Table, same: tuple[str, ...]) -> None:
        """Let rows enter and leave, at the moments given. Those that leave are found by the columns that make rows the
        `same`: of several, the one that came first leaves first."""
        enters = one_chunk(rows[CHANGE]).to_numpy() > 0
        entering, leaving = take(rows, enters), take(rows, ~enters)
        since = one_chunk(entering[MOMENT]).to_numpy()
        self.live.add(entering.drop_columns([MOMENT, CHANGE]), since, np.full(len(since), NEVER))
        if not leaving.num_rows:
            return
        present, since, until, _ = self.live.read()
        assert present is not None
        stays = np.flatnonzero(until == NEVER)
        there, gone = np.zeros(len(stays), np.int64), np.zeros(leaving.num_rows, np.int64)
        if same:
            _, (there, gone) = distinct_rows([present.select(list(same)).take(pa.array(stays)), leaving.select(list(same))], same)
        moments = one_chunk(leaving[MOMENT]).to_numpy()
        by_since, by_moment = np.lexsort((since[stays], there)), np.lexsort((moments, gone))
        rank = np.arange(len(gone)) - np.searchsorted(gone[by_moment], gone[by_moment])
        found = stays[by_since[np.searchsorted(there[by_since], gone[by_moment]) + rank]]
        serials = one_chunk(present[SERIAL]).to_numpy()[found]
        order = np.argsort(serials)
        self.live.leave(serials[order], moments[by_moment][order])


class ChangedStates(MovingStates):
    """An operator below, which says what enters and what leaves: rows of these columns, of which those that are `stamped` do
    not make another row. State may have been written with more of them."""

    def __init__(
        self, name: str, fingerprint: str, columns: Sequence[str], stamped: tuple[str, ...] = (), *, looks: bool = False
    ) -> None:
        super().__init__(name, fingerprint)
        self.looks = looks
        self.same = tuple(column for column in columns if column not in stamped)
        self.waiting: pa.Table | None = None

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        if table.num_rows:
            self.waiting = joined(self.waiting, table.append_column(PLACE, pa.array(places)))
        if self.waiting is not None and not self.looks:
            moments = one_chunk(self.waiting[MOMENT]).to_numpy()
            self._due(moments, moments < high)

    def look(self, instants: Ints) -> None:
        """Between two instants nobody looks: what changes there is seen at the next one."""
        if self.waiting is not None and self.looks and len(instants):
            seen = np.searchsorted(instants, one_chunk(self.waiting[MOMENT]).to_numpy())
            self._due(np.append(instants, NEVER)[seen], seen < len(instants))

    def vanishing(self) -> Ints:
        moments = [super().vanishing()]
        if self.waiting is not None:
            waiting = one_chunk(self.waiting[MOMENT]).to_numpy()
            moments.append(waiting[waiting % 2 == 1])
        return np.concatenate(moments)

    def _due(self, moments: Ints, due: Bools) -> None:
        rows = self.waiting
        if rows is None or not due.any():
            return
        self.waiting = None if due.all() else take(rows, ~due).combine_chunks()
        moved = rows.set_column(rows.column_names.index(MOMENT), MOMENT, pa.array(moments))
        self._move(take(moved, due), self.same)

    def to_json(self, blocks: Blocks) -> dict[str, Any]:
        self._keep(blocks, "waiting", self.waiting)
        return super().to_json(blocks)

    def from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        super().from_json(note, blocks)
        self.waiting = self._kept(blocks, "waiting")


class RowStates(MovingStates):
    """A window of rows, of the whole input or of each partition: rows enter as windows end, and are pushed out by later ones.

    `rows` are those that a window which has not replaced another yet may hold; `ended` the windows that wait until they do, by
    their last rows; by partition, `high` is the largest place so far, `first` and `end` the numbers of the rows that are there.
    """

    def __init__(
        self, name: str, fingerprint: str, window: RowWindow, partition_by: tuple[str, ...], *, keeps_unpicked: bool = False
    ) -> None:
        super().__init__(name, fingerprint)
        self.keeps_unpicked = keeps_unpicked
        self.by_rank = isinstance(window.wattr, Rank)
        self.unranked: pa.Table | None = None
        self.range, self.slide, self.partial = window.range.count, window.slide.count, window.partial
        self.columns = partition_by
        self.numbering = Numbering(self.columns)
        self.rows: pa.Table | None = None
        self.ended: pa.Table | None = None
        self.first: Ints = np.zeros(0, np.int64)
        self.end: Ints = np.zeros(0, np.int64)
        self.high: Ints = np.zeros(0, np.int64)

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        if self.by_rank:
            table, places = self._ranked(table, places, high)
        if table.num_rows:
            number = self.numbering.number(table)
            numbered = table.append_column(PLACE, pa.array(places)).append_column(NUMBER, pa.array(number))
            self.rows = joined(self.rows, numbered)
            ends = (number + 1) % self.slide == 0
            if not self.partial:
                ends &= number + 1 >= self.range
            ended = numbered.select([*self.columns, NUMBER]).append_column(PLACE, pa.array(self._reached(table, places)))
            self.ended = joined(self.ended, take(ended, ends))
        if self.ended is None or not self.ended.num_rows:
            return
        due = at(one_chunk(self.ended[PLACE]).to_numpy()) < high
        ended, self.ended = take(self.ended, due), take(self.ended, ~due)
        if ended.num_rows:
            self._replace(ended)

    def _ranked(self, table: pa.Table, places: Array, high: int) -> tuple[pa.Table, Array]:
        """Tuples in the order of their places, ties by arrival, once no earlier one can come."""
        if table.num_rows:
            self.unranked = joined(self.unranked, table.append_column(PLACE, pa.array(places)))
        if self.unranked is None or not self.unranked.num_rows:
            return table, places
        held = one_chunk(self.unranked[PLACE]).to_numpy()
        due = np.flatnonzero(at(held) < high)
        due = due[np.argsort(held[due], kind="stable")]
        ranked = self.unranked.take(pa.array(due)).drop_columns([PLACE])
        self.unranked = take(self.unranked, at(held) >= high).combine_chunks()
        return ranked, held[due]

    def _reached(self, table: pa.Table, places: Array) -> Ints:
        """The largest place of each row's partition, up to the row."""
        partition = self.numbering.partitions(table)
        new = max(len(self.numbering.count) - len(self.high), 0)
        self.high = np.concatenate([self.high, np.full(new, -(2**62))])
        order = np.argsort(partition, kind="stable")
        starts = run_starts(partition[order])
        own = np.maximum(places[order], self.high[partition[order]])
        found = np.empty(len(places), np.int64)
        found[order] = running_max(own, starts)
        np.maximum.at(self.high, partition, places)
        return found

    def _replace(self, ended: pa.Table) -> None:
        """Windows replace those that ended before them."""
        assert self.rows is not None
        partition = self.numbering.partitions(ended)
        new = max(len(self.numbering.count) - len(self.first), 0)
        first, end = (np.concatenate([held, np.zeros(new, np.int64)]) for held in (self.first, self.end))
        number, place = one_chunk(ended[NUMBER]).to_numpy(), one_chunk(ended[PLACE]).to_numpy()
        start = np.maximum(number + 1 - self.range, 0)
        moved, self.first, self.end = moves(partition, start, number + 1, place, first, end)
        chosen = self._found(moved.partition, moved.number)
        rows = self.rows.take(pa.array(chosen))
        rows = rows.append_column(MOMENT, pa.array(at(moved.place))).append_column(CHANGE, pa.array(moved.change))
        if PICK in rows.column_names and not self.keeps_unpicked:
            rows = take(rows.drop_columns([PICK]), flags(one_chunk(rows[PICK])))
        self._move(rows, (*self.columns, NUMBER))
        self._forget()

    def _found(self, partition: Ints, number: Ints) -> Ints:
        """Where rows stand among those that are kept."""
        assert self.rows is not None
        own, of = one_chunk(self.rows[NUMBER]).to_numpy(), self.numbering.partitions(self.rows)
        span = int(own.max(initial=0)) + 1
        order = np.argsort(of * span + own, kind="stable")
        return np.asarray(order[np.searchsorted((of * span + own)[order], partition * span + number)], np.int64)

    def _forget(self) -> None:
        """Drop the rows that no window to come holds, nor one that waits, nor the one that is there."""
        assert self.rows is not None
        assert self.ended is not None
        least = np.maximum(self.numbering.count + 1 - self.range, 0)
        waiting = np.maximum(one_chunk(self.ended[NUMBER]).to_numpy() + 1 - self.range, 0)
        np.minimum.at(least, self.numbering.partitions(self.ended), waiting)
        there = np.where(self.end > self.first, self.first, least)
        least = np.minimum(least, there)
        own, of = one_chunk(self.rows[NUMBER]).to_numpy(), self.numbering.partitions(self.rows)
        self.rows = take(self.rows, own >= least[of]).combine_chunks()

    def to_json(self, blocks: Blocks) -> dict[str, Any]:
        self._keep(blocks, "rows", self.rows)
        self._keep(blocks, "ended", self.ended)
        self._keep(blocks, "unranked", self.unranked)
        self._keep(blocks, "numbers", self.numbering.to_table())
        first, end = (np.concatenate([held, np.zeros(len(self.high) - len(held), np.int64)]) for held in (self.first, self.end))
        self._keep(blocks, "there", pa.table({"first": first, "end": end, "high": self.high}))
        return super().to_json(blocks)

    def from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        super().from_json(note, blocks)
        self.rows, self.ended = self._kept(blocks, "rows"), self._kept(blocks, "ended")
        self.unranked = self._kept(blocks, "unranked")
        numbers, there = self._kept(blocks, "numbers"), self._kept(blocks, "there")
        if numbers is not None:
            self.numbering.from_table(numbers)
        if there is not None:
            self.first, self.end, self.high = (np.array(one_chunk(there[name]).to_numpy()) for name in there.column_names)


def joined(one: pa.Table | None, other: pa.Table) -> pa.Table:
    """A table behind another, if there is one."""
    if one is None or not one.num_rows:
        return other
    return pa.concat_tables([one, other], promote_options="default").unify_dictionaries().combine_chunks()
