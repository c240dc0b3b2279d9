"""Progress as arrays: how far punctuation reached when each tuple came, and how far it reaches now.

A tuple is judged against the frontier before it. Bucket knows only its own slice of a micro-batch, so it sends what the
slice alone tells (`high`, the running maximum before each tuple; the slice's own maximum; the sequence itself where a
controller looks at it; punctuations), and every shard folds the slices in the same order onto the same carried state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.arrays import Array, Ints, codes_of, one_chunk, run_starts, running_max
from transom.kernels.axis import Axis
from transom.kernels.controllers import Controller, controller_of
from transom.kernels.controllers.telling import asked, distance, told
from transom.kernels.numbering import groups_of
from transom.kernels.packing import unpacked
from transom.kernels.silence import Silence, moved
from transom.semantics.generator import Generator
from transom.semantics.keys import key

SLICE = 2**40
"""More rows than a slice has: positions of a micro-batch are slice * SLICE + index."""


@dataclass(frozen=True)
class Generating:
    """Where progress comes from.

    `slack` is a distance on the axis, `control` a generator that looks at the whole sequence, with the attribute's unit on
    the axis as its `step`; `per` are the columns of ORDERED PER, `punctuated` the group columns of the source's own
    punctuation, with the declared `substreams`; `derived` takes the progress of the operator below, or of as many as it has
    `inputs`, tagged by `g:input`; with nothing, only the end of the input completes anything. With `moves_in_silence` the clock
    moves it while no tuple comes.
    """

    slack: Any = None
    control: Generator | None = None
    step: int = 1
    per: tuple[str, ...] | None = None
    punctuated: tuple[str, ...] | None = None
    substreams: tuple[tuple[Any, ...], ...] = ()
    derived: bool = False
    inputs: int = 1
    per_source: bool = False
    lasting_sources: bool = True
    idle_after: int | None = None
    moves_in_silence: bool = False

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns that promises to single groups speak of."""
        return self.per or self.punctuated or ()


@dataclass
class Slice:
    """What one bucket sent of a micro-batch: its tuples (of this shard), and what every shard must know."""

    order: tuple[Any, ...]
    rows: pa.Table
    source: str = ""
    highs: dict[str, Any] = field(default_factory=dict)
    sequence: bytes | None = None
    arrival: bytes | None = None
    promises: pa.Table | None = None
    ended: bool = False
    now: int | None = None
    late: tuple[int, Array] | None = None

    @cached_property
    def numbers(self) -> Array:
        """The sequence."""
        return unpacked(self.sequence or b"")

    def with_places(self) -> Slice:
        """With the places of its tuples, which may be in the sequence alone."""
        if self.sequence is not None and "__seq" in self.rows.column_names and "__axis" not in self.rows.column_names:
            places = self.numbers[np.asarray(one_chunk(self.rows["__seq"]))]
            self.rows = self.rows.append_column("__axis", pa.array(places))
        return self


@dataclass
class Judged:
    """For each tuple, the frontier of the tuple itself and of the group its windows complete for, before it came."""

    of_tuple: Array
    of_group: Array


@dataclass
class Source:
    """A substream: its largest value, and when it was last heard of."""

    high: Any
    heard: int | None = None


Promises = dict[tuple[str, ...], dict[tuple[Any, ...], Any]]
Event = tuple[pa.Table, Ints, Array]
Events = dict[tuple[str, ...], Event]
"""Promises of a micro-batch, by the columns they speak of: the groups, when, and what is promised."""


class Progress:
    """The progress of one stream, carried from micro-batch to micro-batch."""

    def __init__(self, generating: Generating, axis: Axis, fixed: tuple[str, ...] = ()) -> None:
        self.generating, self.axis, self.fixed = generating, axis, fixed
        self.frontier: Any = axis.nothing_yet
        self.sources: dict[str, Source] = {}
        self.controllers: dict[str, Controller] = {}
        self.promises: Promises = {}
        self.ended = False
        self.silence = Silence()
        self.starts: list[Any] = []

    # -- folding ---------------------------------------------------------------------------------------------

    def fold(self, slices: list[Slice]) -> Judged:
        """Judge the tuples of slices, in their order, and move on."""
        self.starts = []
        if self.generating.grouped:
            judged = self._fold_promises(slices)
        elif self.generating.control is not None:
            judged = self._same(self._fold_sequences(slices))
        elif self.generating.slack is not None:
            judged = self._same(self._fold_highs(slices))
        elif self.generating.derived:
            judged = self._same(self._fold_derived(slices))
        elif self.generating.punctuated is not None:
            judged = self._same(self._fold_stars(slices))
        else:
            judged = self._same(np.full(sum(piece.rows.num_rows for piece in slices), self.frontier, self.axis.dtype))
        if self.generating.moves_in_silence:
            self._move_in_silence(slices)
        self.frontier = _plain(self.frontier)
        self.ended |= any(piece.ended for piece in slices)
        return judged

    def _same(self, frontier: Array) -> Judged:
        return Judged(frontier, frontier)

    def _less(self, high: Any) -> Any:
        """The maximum less the slack; nothing yet stays so."""
        nothing = self.axis.nothing_yet
        return np.where(high <= nothing, nothing, high - self.generating.slack)

    def _fold_highs(self, slices: list[Slice]) -> Array:
        """SLACK d and ORDERED: the running maximum less d; with substreams, the smallest of theirs."""
        self._hear(slices)
        if not self.generating.per_source:
            return self._fold_one_source(slices)
        start = {name: source.high for name, source in self.sources.items() if self._live(name, slices)}
        before, found = self.frontier, []
        for piece in slices:
            names = one_chunk(piece.rows["__source"]).to_pylist() if piece.rows.num_rows else []
            local = np.asarray(one_chunk(piece.rows["__high"])) if names else np.zeros(0, self.axis.dtype)
            carried = {name: self.sources[name].high if name in self.sources else self.axis.nothing_yet for name in set(names)}
            own = np.array([carried[name] for name in names], self.axis.dtype)
            others = {name: self._smallest(start, name) for name in set(names)}
            limit = np.array([others[name] for name in names], self.axis.dtype)
            found.append(np.maximum(before, np.minimum(self._less(np.maximum(own, local)), limit)))
            for name, high in piece.highs.items():
                source = self.sources.setdefault(name, Source(self.axis.nothing_yet))
                source.high, source.heard = max(source.high, high), piece.now
        live = [self._less(source.high) for name, source in self.sources.items() if self._live(name, slices)]
        self.frontier = max([before, *([min(live)] if live else [])])
        if not self.generating.lasting_sources:
            self.sources.clear()
        return np.concatenate(found) if found else np.zeros(0, self.axis.dtype)

    def _hear(self, slices: list[Slice]) -> None:
        self._now = max((piece.now for piece in slices if piece.now is not None), default=None)

    def _live(self, name: str, slices: list[Slice]) -> bool:
        """Whether a substream is not passed over as silent."""
        source, idle = self.sources.get(name), self.generating.idle_after
        if idle is None or source is None or source.heard is None or self._now is None:
            return True
        return self._now - source.heard <= idle

    def _smallest(self, highs: dict[str, Any], but: str) -> Any:
        return min((self._less(high) for name, high in highs.items() if name != but), default=self.axis.everything)

    def _fold_one_source(self, slices: list[Slice]) -> Array:
        source = self.sources.setdefault("", Source(self.axis.nothing_yet))
        found = []
        for piece in slices:
            self.starts.append(self.frontier)
            if piece.rows.num_rows:
                local = np.asarray(one_chunk(piece.rows["__high"]))
                found.append(np.maximum(self.frontier, self._less(np.maximum(local, source.high))))
            source.high = max([source.high, *piece.highs.values()])
            self.frontier = max(self.frontier, self._less(source.high))
        return np.concatenate(found).astype(self.axis.dtype) if found else np.zeros(0, self.axis.dtype)

    def _fold_sequences(self, slices: list[Slice]) -> Array:
        """Controllers: every shard walks through the whole sequence; with substreams, the smallest frontier of theirs."""
        self._hear(slices)
        start = {name: one.frontier for name, one in self.controllers.items() if self._live(name, slices)}
        before, found = self.frontier, []
        for piece in slices:
            reached = self._run(piece)
            if piece.rows.num_rows:
                limit = min((x for name, x in start.items() if name != piece.source), default=self.axis.everything)
                reached = np.maximum(before, reached if limit == self.axis.everything else np.minimum(reached, limit))
                found.append(reached[np.asarray(one_chunk(piece.rows["__seq"]))])
        live = [one.frontier for name, one in self.controllers.items() if self._live(name, slices)]
        self.frontier = max([before, *([min(live)] if live else [])])
        if not self.generating.lasting_sources:
            self.sources.clear()
            self.controllers.clear()
        return np.concatenate(found) if found else np.zeros(0, self.axis.dtype)

    def _run(self, piece: Slice) -> Array:
        """The frontiers of a slice's own substream. One that has not had a value yet is none."""
        if len(piece.numbers):
            self.sources.setdefault(piece.source, Source(self.axis.nothing_yet)).heard = piece.now
            return self._controller(piece.source).run(piece.numbers, self._arrival(piece))
        known = self.controllers.get(piece.source)
        return np.array([self.axis.nothing_yet if known is None else known.frontier], self.axis.dtype)

    def _controller(self, source: str) -> Controller:
        if source not in self.controllers:
            assert self.generating.control is not None
            self.controllers[source] = controller_of(self.generating.control, self.axis, self.generating.step)
        return self.controllers[source]

    def _arrival(self, piece: Slice) -> Array | None:
        return None if piece.arrival is None else unpacked(piece.arrival)

    def _fold_derived(self, slices: list[Slice]) -> Array:
        """The operator below has promised what its last rows keep: nothing it sends in a micro-batch is late in it."""
        judged = np.full(sum(piece.rows.num_rows for piece in slices), self.frontier, self.axis.dtype)
        _, x = self._promised(slices)
        if self.generating.inputs > 1:
            self._hear_inputs(slices, x)
        elif len(x):
            self.frontier = max(self.frontier, x.min())
        return judged

    def _hear_inputs(self, slices: list[Slice], x: Array) -> None:
        """Of several operators below, the slowest counts. One that has not been heard of holds all others up."""
        tags = [np.asarray(one_chunk(piece.promises["g:input"])) for piece in slices if piece.promises is not None]
        of = np.concatenate(tags) if tags else np.zeros(0, np.int64)
        for n in range(self.generating.inputs):
            source = self.sources.setdefault(str(n), Source(self.axis.nothing_yet))
            if (of == n).any():
                source.high = max(source.high, x[of == n].min())
        self.frontier = max(self.frontier, min(source.high for source in self.sources.values()))

    def _fold_stars(self, slices: list[Slice]) -> Array:
        """Punctuation to all: a step function of the position."""
        at, x = self._promised(slices)
        order = np.argsort(at, kind="stable")
        reached = np.maximum.accumulate(np.append([self.frontier], x[order]).astype(self.axis.dtype))
        places = positions(slices)
        self.frontier = max(self.frontier, reached[-1])
        return reached[np.searchsorted(at[order], places)]

    def _promised(self, slices: list[Slice]) -> tuple[Ints, Array]:
        at, x = [np.zeros(0, np.int64)], [np.zeros(0, self.axis.dtype)]
        for n, piece in enumerate(slices):
            if piece.promises is not None and piece.promises.num_rows:
                at.append(n * SLICE + np.asarray(one_chunk(piece.promises["__index"])))
                x.append(np.asarray(one_chunk(piece.promises["__x"]), self.axis.dtype))
        return np.concatenate(at), np.concatenate(x)

    def _move_in_silence(self, slices: list[Slice]) -> None:
        """No tuple has come, of the stream or of a group with an order of its own: its time goes on with the clock."""
        passed = self.silence.passed(piece.now for piece in slices) * (self.axis.factor or 1)
        per = self.generating.per
        if per is not None:
            heard = {group for piece in slices for group in groups_of(piece.rows, [f"g:{name}" for name in per])}
            moved(self.promises.get(per, {}), heard, passed, self.axis.nothing_yet)
        elif self.frontier > self.axis.nothing_yet and not any(piece.highs or len(piece.numbers) for piece in slices):
            self.frontier = self.frontier + passed

    # -- promises to groups ----------------------------------------------------------------------------------

    def _fold_promises(self, slices: list[Slice]) -> Judged:
        """ORDERED PER g, and punctuation on columns: each promise speaks of one group, or through NULL of many."""
        tuples = pa.concat_tables([piece.rows for piece in slices], promote_options="permissive")
        places = positions(slices)
        events = self._events(slices, tuples, places)
        of_tuple = np.full(len(places), self.frontier, self.axis.dtype)
        of_group = of_tuple.copy()
        for columns in dict.fromkeys([*events, *self.promises]):
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
        self.frontier = max(self.frontier, self.promises.get((), {}).get((), self.axis.nothing_yet), self._declared())
        return Judged(of_tuple, of_group)

    def _events(self, slices: list[Slice], tuples: pa.Table, places: Ints) -> Events:
        """The promises of these slices, by the columns they speak of."""
        if self.generating.per is not None:
            columns = self.generating.per
            x = np.asarray(one_chunk(tuples["__axis"]), self.axis.dtype)
            valid = x > self.axis.nothing_yet
            chosen = pa.table({column: one_chunk(tuples[f"g:{column}"]) for column in columns}).filter(pa.array(valid))
            return {columns: (chosen, places[valid], x[valid])} if len(x) else {}
        pieces = [piece.promises for piece in slices if piece.promises is not None]
        if not pieces:
            return {}
        promises = pa.concat_tables(pieces)
        at, x = self._promised(slices)
        names = self.generating.punctuated or ()
        given = np.array([np.asarray(one_chunk(promises[f"g:{name}"]).is_valid()) for name in names], bool).reshape(
            len(names), -1
        )
        events = {}
        for pattern in {tuple(column) for column in given.T}:
            columns = tuple(name for name, there in zip(names, pattern, strict=True) if there)
            rows = np.flatnonzero((np.array(pattern, bool) == given.T).all(axis=1))
            picked = promises.take(pa.array(rows))
            table = pa.table({name: one_chunk(picked[f"g:{name}"]) for name in columns})
            events[columns] = (table, at[rows], x[rows])
        return events

    def _reached(self, columns: tuple[str, ...], promised: Event | None, tuples: pa.Table, places: Ints) -> Array:
        """The largest promise to the group of each tuple before it came, earlier micro-batches included."""
        kept = self.promises.get(columns, {})
        table, at, x = promised or (None, np.zeros(0, np.int64), np.zeros(0, self.axis.dtype))
        n, m = len(kept), len(at)
        parts = []
        for i, column in enumerate(columns):
            own = one_chunk(tuples[f"g:{column}"])
            earlier = pa.array([values[i] for values in kept], own.type)
            new = pa.array([], own.type) if table is None else one_chunk(table[column]).cast(own.type)
            parts.append(pa.concat_arrays([earlier, new, own]))
        codes, size = codes_of(parts, n + m + len(places))
        when = np.concatenate([np.full(n, -1, np.int64), at, places])
        event = np.lexsort((when[: n + m], codes[: n + m]))
        group = codes[: n + m][event]
        values = np.concatenate([np.array(list(kept.values()), self.axis.dtype), x])[event]
        values = running_max(values, run_starts(group))
        stretch = int(when.max(initial=0)) + 2
        if size * stretch >= 2**62:
            codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
            group = codes[: n + m][event]
        joined = group * stretch + when[: n + m][event] + 1
        wanted = codes[n + m :] * stretch + places + 1
        found = np.searchsorted(joined, wanted) - 1
        same = (found >= 0) & (group[np.maximum(found, 0)] == codes[n + m :]) if len(group) else np.zeros(len(places), bool)
        result = np.full(len(places), self.axis.nothing_yet, self.axis.dtype)
        result[same] = values[found[same]]
        return result

    def _remember(self, columns: tuple[str, ...], table: pa.Table, x: Array) -> None:
        kept = self.promises.setdefault(columns, {})
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
        for columns, kept in self.promises.items():
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
        kept = {columns: dict(groups) for columns, groups in self.promises.items()}
        reached, at_steps = [self._declared()], []
        for when, columns, group, value in steps:
            promises = kept.setdefault(columns, {})
            promises[group] = max(promises.get(group, self.axis.nothing_yet), value)
            alone = Progress(self.generating, self.axis, self.fixed)
            alone.promises = kept
            reached.append(max(reached[-1], alone._declared()))
            at_steps.append(when)
        return np.array(reached, self.axis.dtype)[np.searchsorted(np.array(at_steps, np.int64), places)]

    # -- asking ----------------------------------------------------------------------------------------------

    def of_keys(self, keys: pa.Table) -> Array:
        """The frontier of each key: the largest promise that speaks of it, or the end."""
        return np.full(keys.num_rows, self.axis.everything, self.axis.dtype) if self.ended else self.promised(keys)

    def promised(self, keys: pa.Table) -> Array:
        """The frontier of each key, whether or not the input has ended."""
        reached = np.full(keys.num_rows, self.frontier, self.axis.dtype)
        for columns, kept in self.promises.items():
            if columns and set(columns) <= set(self.fixed):
                groups = groups_of(keys, [f"k:{column}" for column in columns])
                own = [kept.get(group, self.axis.nothing_yet) for group in groups]
                np.maximum(reached, np.array(own, self.axis.dtype), out=reached)
        return reached

    @property
    def of_all(self) -> Any:
        """The frontier of groups that have not been seen."""
        return self.axis.everything if self.ended else self.frontier

    def snapshot(self) -> Progress:
        """The progress so far, to compare with."""
        twin = Progress(self.generating, self.axis, self.fixed)
        twin.frontier = self.frontier
        twin.promises = {columns: dict(kept) for columns, kept in self.promises.items()}
        return twin

    def after_end(self, reached: Any) -> None:
        """An end closes what is open. What comes after it is late for that, and for nothing else."""
        if self.ended:
            self.ended = False
            self.frontier = max(self.frontier, reached)

    def about(self) -> dict[str, Any] | None:
        """How far it has come; and what the controllers have to tell."""
        if self.controllers:
            return told(list(self.controllers.values()), self.frontier, self.axis)
        newest = max((_plain(source.high) for source in self.sources.values()), default=None)
        if newest is None:
            return asked(self.generating.control) or None
        return distance(newest, self.frontier, self.axis)

    # -- keeping ---------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """What is carried to the next micro-batch, but for promises to groups."""
        return {
            "frontier": _plain(self.frontier),
            "sources": {name: [_plain(source.high), source.heard] for name, source in self.sources.items()},
            "controllers": {name: controller.to_json() for name, controller in self.controllers.items()},
            "silence": self.silence.at,
        }

    def from_json(self, kept: dict[str, Any]) -> None:
        self.frontier = kept["frontier"]
        self.sources = {name: Source(high, heard) for name, (high, heard) in kept["sources"].items()}
        self.silence = Silence(kept["silence"])
        for name, one in kept["controllers"].items():
            self._controller(name).from_json(one)

    def promises_table(self) -> pa.Table:
        """Promises to groups, as a table: NULL where a promise does not speak of a column."""
        names = self.generating.grouped
        rows = [(columns, group, x) for columns, kept in self.promises.items() for group, x in kept.items()]
        if not rows:
            return pa.table({})
        made = {
            f"g{n}": pa.array([dict(zip(columns, group, strict=True)).get(name) for columns, group, _ in rows])
            for n, name in enumerate(names)
        }
        made["of"] = pa.array([",".join(str(names.index(column)) for column in columns) for columns, _, _ in rows])
        made["x"] = pa.array([_plain(x) for _, _, x in rows], pa.from_numpy_dtype(self.axis.dtype))
        return pa.table(made)

    def promises_from(self, table: pa.Table) -> None:
        names = self.generating.grouped
        for row in table.to_pylist():
            places = [int(n) for n in row["of"].split(",") if n]
            kept = self.promises.setdefault(tuple(names[n] for n in places), {})
            kept[tuple(key(row[f"g{n}"]) for n in places)] = row["x"]


def _plain(x: Any) -> Any:
    return x.item() if isinstance(x, np.generic | np.ndarray) else x


def positions(slices: list[Slice]) -> Ints:
    """The place of every tuple in the order of arrival of a micro-batch."""
    parts = [n * SLICE + np.asarray(one_chunk(piece.rows["__index"])) for n, piece in enumerate(slices) if piece.rows.num_rows]
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)
