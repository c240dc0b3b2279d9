"""The inputs of a relational operator: each with its own progress and lateness, all in step with the slowest.

Tuples of a stream come judged by the frontier of their own stream: those that are late are left out and counted. What an
operator below sends is never late.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AFTER, AXIS, CHANGE, INSTANTS, KEEP, KEY, LISTED, MOMENT, OPENS, OWN, PICK
from transom.kernels.columns.arrays import Array, flags, one_chunk, take
from transom.kernels.columns.batch import Counts
from transom.kernels.columns.late_rows import as_late
from transom.kernels.progress.folding import Progress
from transom.kernels.relations.inputs.input_states import ChangedStates, InputStates, RowStates, TimedStates
from transom.kernels.relations.inputs.instants import HeardInstants, Instants, instants_of
from transom.kernels.relations.inputs.lifetimes import is_closed, lifetimes
from transom.kernels.relations.inputs.open_states import OpenStates
from transom.kernels.relations.inputs.session_states import SessionStates
from transom.kernels.relations.inputs.tuple_states import LookedAtStates, NthTupleStates
from transom.kernels.relations.moments import NEVER, at
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.semantics.length import measure
from transom.semantics.windows.band import Band
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.window import Window

SLICE_BITS = 32
"""A slice has fewer rows than this many bits number."""

BEHIND = f"{OWN}{AFTER}"
"""Whether a row of an operator below changes right after its instant, and not at it."""


@dataclass(frozen=True)
class Input:
    """One input: what bucket takes of it, the columns it carries, and the window whose states it has.

    Without a window, an operator below says what changes; the columns that are `stamped` then say when a row entered, and do not
    make it another row.
    """

    spec: Spec
    schema: pa.Schema
    window: Window | None = None
    partition_by: tuple[str, ...] = ()
    stamped: tuple[str, ...] = ()
    looked_at: bool = False
    """Whether rows change at the instants of the operator alone, which knows all of them: a window slides by tuple."""
    stamps: tuple[tuple[str, str], ...] = ()
    """Columns that bucket computes, and which stamp of its window each is."""
    numbered: tuple[str, ...] = ()
    """Columns that number tuples in the order of arrival: bucket within a slice, the operator on the whole."""
    late_number: int | None = None
    """The number that its late tuples go by, where they are asked for; their columns are `l:..`."""
    called: tuple[tuple[str, str], ...] = ()
    """Keys that its window counts or looks for partitions by, each with the column in which it does."""
    is_reported: bool = False
    """Whether an operator below reports its whole relation at each instant."""
    is_open: bool = False
    """Whether the operator below decides later which of its rows are rows."""

    def is_closed(self, frontier: int) -> bool:
        """Whether an instant waits until the frontier is beyond it."""
        if self.window is None or isinstance(self.window, RowWindow):
            return True
        return is_closed(self.window, self.spec.axis, frontier)

    def states(self, name: str, fingerprint: str, *, keeps_unpicked: bool) -> InputStates:
        if self.window is None:
            kind = OpenStates if self.is_open else ChangedStates
            return kind(name, fingerprint, self.schema.names, self.stamped, looks=self.looked_at)
        if isinstance(self.window, RowWindow):
            return RowStates(name, fingerprint, self.window, self.partition_by, keeps_unpicked=keeps_unpicked)
        axis, by = self.spec.axis, self.partition_by
        if isinstance(self.window, Session):
            return SessionStates(name, fingerprint, self.window, axis, by, keeps_unpicked=keeps_unpicked)
        if isinstance(self.window, SlideByTuple) and self.window.slide.count > 1:
            return NthTupleStates(name, fingerprint, self.window, axis, by, keeps_unpicked=keeps_unpicked)
        if isinstance(self.window, SlideByTuple) and self.looked_at:
            return LookedAtStates(name, fingerprint, self.window, self.spec.axis)
        return TimedStates(name, fingerprint, self.window, self.spec.axis)

    @property
    def hears_instants(self) -> bool:
        """Whether an operator below says at which instants there is nothing: its rows are gone right after their own."""
        return self.is_reported and isinstance(self.window, Now)

    @property
    def counts_rows(self) -> bool:
        """Whether tuples that a condition leaves out count all the same: they end or open windows, or keep sessions open."""
        window = self.window
        return isinstance(window, RowWindow | Session) or (isinstance(window, SlideByTuple) and window.slide.count > 1)


class Arriving:
    """One input at work, of an operator that `looks` at instants or not."""

    def __init__(self, number: int, about: Input, fingerprint: str, *, looks: bool = False) -> None:
        self.looks = looks
        self.about, self.name, self.fingerprint = about, f"i{number}", fingerprint
        self.progress = Progress(about.spec.generating, about.spec.axis, ())
        self.states = about.states(self.name, fingerprint, keeps_unpicked=looks)
        self.instants: Instants = instants_of(None if about.hears_instants else about.window, about.spec.axis)
        self.counts = Counts()
        self.heard = 0
        self.late: pa.Table | None = None
        self.rows: tuple[pa.Table, Array] = (pa.table({}), np.zeros(0, np.int64))

    def hear(self, slices: list[Slice]) -> None:
        """Judge the tuples of a micro-batch, and move on."""
        spec = self.about.spec
        slices = sorted((piece.with_places(spec) for piece in slices), key=lambda piece: piece.order)
        judged = self.progress.fold(slices)
        if self.looks and isinstance(self.instants, HeardInstants):
            self._hear_instants(slices, self.instants)
        pieces = [self._numbered(piece.rows, n) for n, piece in enumerate(slices) if piece.rows.num_columns]
        self.heard += len(slices)
        self.late, self.rows = None, (pa.table({}), np.zeros(0, np.int64))
        if not pieces:
            return
        table = pa.concat_tables(pieces, promote_options="default").unify_dictionaries().combine_chunks()
        places = one_chunk(table[AXIS]).to_numpy()
        if spec.generating.derived and self.about.window is not None:  # in the order of instants, however they were spread
            order = np.argsort(places, kind="stable")
            table, places = table.take(pa.array(order)), places[order]
            judged = replace(judged, of_tuple=judged.of_tuple[order])
        of_tuple = judged.of_tuple
        if KEEP in table.column_names:
            keep = flags(one_chunk(table[KEEP]))
            table, places, of_tuple = take(table, keep), places[keep], of_tuple[keep]
        table = self.states.arrived(table)
        known = np.asarray(places > spec.axis.nothing_yet, bool)
        late = known & (places < of_tuple) & (not spec.generating.derived)
        used = known & ~late
        self.counts.add(late=late.sum(), dropped=late.sum(), used=used.sum(), outside=(~known).sum())
        own = [name for name in table.column_names if name.startswith((KEY, OWN, "x"))]
        names = [*own, *(name for name in (PICK, OPENS) if name in table.column_names)]
        if self.about.late_number is not None and late.any():
            told = spec.axis.values(of_tuple[late], spec.frontier_type)
            listed = [name for name in table.column_names if name.startswith(LISTED)]
            self.late = as_late(take(table.select(listed), late), told, self.about.late_number)
        self.rows = self._moments(take(table.select(names), used), places[used])

    def _numbered(self, rows: pa.Table, piece: int) -> pa.Table:
        """The rows of a slice, numbered after all that came before: every shard hears of every slice."""
        for name in self.about.numbered:
            number = one_chunk(rows[name]).to_numpy() + ((self.heard + piece) << SLICE_BITS)
            rows = rows.set_column(rows.column_names.index(name), name, pa.array(number))
        return rows

    def _moments(self, table: pa.Table, places: Array) -> tuple[pa.Table, Array]:
        """Rows of an operator below, in the order in which they change, those that enter first."""
        if self.about.window is not None:
            return self._picked(table, places)
        moments = at(places) + flags(one_chunk(table[BEHIND]))
        change = one_chunk(table[f"{OWN}{CHANGE}"]).to_numpy().astype(np.int64)
        table = table.drop_columns([BEHIND, f"{OWN}{CHANGE}"])
        table = table.append_column(MOMENT, pa.array(moments)).append_column(CHANGE, pa.array(change))
        return table, places

    def _picked(self, table: pa.Table, places: Array) -> tuple[pa.Table, Array]:
        """Without the tuples that a condition leaves out; windows of rows count them all the same, and so do instants."""
        if PICK not in table.column_names or self.about.counts_rows or self.looks:
            return table, places
        wanted = flags(one_chunk(table[PICK]))
        return take(table.drop_columns([PICK]), wanted), places[wanted]

    def _hear_instants(self, slices: list[Slice], instants: HeardInstants) -> None:
        for piece in slices:
            if piece.promises is not None and INSTANTS in piece.promises.column_names:
                places, _ = self.about.spec.axis.numbers(one_chunk(piece.promises[INSTANTS]).flatten())
                instants.hear(places)

    @property
    def frontier(self) -> Any:
        return self.progress.of_all

    def advance(self, high: int) -> None:
        """Let rows enter and leave before a moment."""
        table, places = self.rows
        self.states.take(table, places, high)

    def reached(self) -> int:
        """The last moment at which the newest tuple changes anything: an end lets time run on to it, in every shard alike."""
        newest = self.progress.newest
        if newest <= self.about.spec.axis.nothing_yet:
            return -(2**62)
        if self.about.window is None or isinstance(self.about.window, RowWindow | SlideByTuple):
            return int(at(newest)) + 1
        if isinstance(self.about.window, Session):
            return int(at(newest + self.about.spec.axis.number(measure(self.about.window.gap)))) + 1
        if isinstance(self.about.window, Band):
            newest = max(newest, self.about.spec.axis.number(measure(self.about.window.upper)))
            return int(at(newest)) + 1
        until = lifetimes(self.about.window, self.about.spec.axis, np.array([newest])).until
        return int(max([at(newest) + 1, *until[until < NEVER]]))

    # -- state -----------------------------------------------------------------------------------------------

    def save(self, blocks: Blocks) -> dict[str, Any]:
        blocks.write(f"{self.name}-promises", pack(self.progress.promises_table(), self.fingerprint))
        return {
            "progress": self.progress.to_json(),
            "counts": vars(self.counts),
            "heard": self.heard,
            "states": self.states.to_json(blocks),
            "instants": self.instants.waiting.tolist() if isinstance(self.instants, HeardInstants) else [],
        }

    def load(self, note: dict[str, Any], blocks: Blocks) -> None:
        self.progress.from_json(note["progress"])
        self.progress.promises_from(unpack(blocks.read(f"{self.name}-promises") or b"", self.fingerprint)[0])
        self.counts = Counts(**note["counts"])
        self.heard = note.get("heard", 0)
        self.states.from_json(note["states"], blocks)
        if self.looks and isinstance(self.instants, HeardInstants):
            self.instants.waiting = np.array(note["instants"], np.int64)


def together(arriving: list[Arriving]) -> Any:
    """The frontier of all inputs: the smallest, but for those that are idle."""
    live = [one.frontier for one in arriving if not one.progress.idle]
    return min(live) if live else max(one.frontier for one in arriving)
