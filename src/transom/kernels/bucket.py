"""Bucket: what a slice of a micro-batch shows by itself (seed 000, section 4).

It has no state and does not know what came before its slice. So it finds places on the axis, reports how far the slice
alone had come before each tuple, adds up partial aggregates by key, pane and that, and sends to every shard what every
shard must know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import (
    AHEAD,
    ARRIVAL,
    ARRIVAL_TS,
    AXIS,
    FIXED,
    HIGH,
    IDLE,
    INDEX,
    INPUT_END,
    INSTANTS,
    IS_PUNCTUATION,
    KEEP,
    KEY,
    LISTED,
    NOW,
    ORDER,
    OWN,
    PANE,
    PICK,
    PROMISED,
    PROMISED_PLACE,
    SEQUENCE_NUMBER,
    SOURCE,
    TICK,
    VALUE,
)
from transom.disorder.controllers import needs_arrival
from transom.disorder.dratio.normal import missing_arrival
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, flags, is_ascending, one_chunk, take, where
from transom.kernels.columns.arrival import in_order_of_arrival
from transom.kernels.columns.number_packing import packed
from transom.kernels.columns.sequence import Sequence
from transom.kernels.columns.sharding import shards_of
from transom.kernels.panes.lifting import lifted, panes_of
from transom.kernels.panes.settling import adds_up, settled, settles
from transom.kernels.results import column
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec, WindowedSpec

FOLD = -1
"""In place of a shard: what goes to the operator that folds the sequence."""

CARRIED = (KEY, FIXED, "x", OWN, LISTED)
"""How the columns begin that go on to the window operator."""


@dataclass
class Bucket:
    """The bucket of one operator. Late tuples of its slices are counted by one shard after the other, from the `turn`-th on.
    The columns that are `numbered` number the tuples of a slice in the order of arrival."""

    spec: Spec
    shards: int = 1
    parts: tuple[Algebra, ...] = ()
    turn: int = 0
    numbered: tuple[str, ...] = ()

    def slices(self, table: pa.Table, order: tuple[Any, ...]) -> Iterator[tuple[int, Slice]]:
        """The slices to send, each with its shard. Rows of several substreams are taken one after the other."""
        ended, ticks = _told(table, INPUT_END), _told(table, TICK)
        if ended.any() or ticks.any():
            yield from self._slice(table.slice(0, 0), order, ended=bool(ended.any()), now=_now(table))
            told = ended | ticks
            if INSTANTS in table.column_names:  # which an operator below has had until its end
                told &= ~np.asarray(column(table, INSTANTS).is_valid())
            table = take(table, ~told)
        for n, (place, part) in enumerate(in_order_of_arrival(table, order)):
            yield from self._slice(part, place, counts=(self.turn + n) % self.shards)

    def _slice(
        self, table: pa.Table, order: tuple[Any, ...], *, counts: int = 0, ended: bool = False, now: int | None = None
    ) -> Iterator[tuple[int, Slice]]:
        if self.spec.generating.hears_punctuation or IS_PUNCTUATION in table.column_names:
            table = table.append_column(INDEX, pa.array(np.arange(table.num_rows)))
        promises, table = self._promises(table)
        now = now if now is not None else _now(table)
        a, valid = self._places(table)
        known = valid & ~flags(column(table, AHEAD)) if AHEAD in table.column_names else valid
        highs, before = self._highs(table, a, known)
        sequence = self._sequence(a, known)
        about = {"highs": highs, "promises": promises, "ended": ended, "now": now, **self._controlled(table, sequence, known)}
        about["newest"] = _newest(table, a, known)
        a = a if valid.all() else np.where(valid, a, self.spec.axis.nothing_yet)
        rows = self._rows(table, a, before, known)
        keep = np.ones(rows.num_rows, bool)
        if KEEP in rows.column_names and self.spec.generating.per is None:
            keep = flags(column(rows, KEEP))
            rows = take(rows.drop_columns([KEEP]), keep)
        late, kept, partials = None, None, None
        lifting = self.spec.lifts
        if lifting is not None and settles(lifting):
            picked = flags(column(table, PICK)) if PICK in table.column_names else keep
            kept, places = where(known, keep & picked), where(keep, a)
            if adds_up(lifting, rows, places):
                partials, rows = self._settled(lifting, rows, places, where(keep, settled(lifting, a, sequence)))
        elif lifting is not None and self.spec.generating.control is None:
            a, behind, frontier = self._local(rows)
            picked = flags(column(rows, PICK)) if PICK in rows.column_names else np.ones(len(a), bool)
            late = self._late(a, behind & picked, ~behind & picked)
            rows = lifted(lifting, self.parts, rows, a, behind, frontier)
        added = self._by_shard(partials)
        if self.spec.generating.stepped:
            yield FOLD, Slice(order, rows.slice(0, 0), kept=kept, elsewhere=rows.num_rows, **about)
        for shard, own in enumerate(self._by_shard(rows)):
            if self.spec.generating.stepped:
                if own.num_rows or (partials is not None and added[shard].num_rows):
                    yield shard, Slice(order, own, partials=added[shard])
                continue
            counted: dict[str, Any] = {"late": late, "kept": kept} if shard == counts else {}
            yield shard, Slice(order, own, partials=added[shard], **counted, **about)

    def _by_shard(self, rows: pa.Table | None) -> list[Any]:
        """The rows of each shard."""
        if rows is None or self.shards == 1:
            return [rows] * self.shards
        shards = shards_of([one_chunk(rows[f"{KEY}{name}"]) for name in self.spec.shard_by], rows.num_rows, self.shards)
        return [take(rows, shards == shard) for shard in range(self.shards)]

    def _promises(self, table: pa.Table) -> tuple[pa.Table | None, pa.Table]:
        """The rows that are punctuations, and those that are tuples."""
        if IS_PUNCTUATION not in table.column_names:
            return None, table
        are = flags(column(table, IS_PUNCTUATION))
        rows = take(table, are)
        x, given = self.spec.axis.numbers(column(rows, PROMISED))
        names = [name for name in rows.column_names if name.startswith(FIXED)]
        x = np.where(given, x, self.spec.axis.nothing_yet).astype(self.spec.axis.dtype)
        promises = rows.select([INDEX, *names]).append_column(PROMISED_PLACE, pa.array(x))
        told = given | flags(column(rows, IDLE)) if IDLE in names else given
        if INSTANTS in names:
            told = told | np.asarray(column(rows, INSTANTS).is_valid())
        return promises.filter(pa.array(told)), take(table, ~are)

    def _places(self, table: pa.Table) -> tuple[Array, Bools]:
        if VALUE not in table.column_names:
            return np.zeros(table.num_rows, self.spec.axis.dtype), np.ones(table.num_rows, bool)
        return self.spec.axis.numbers(column(table, VALUE))

    def _highs(self, table: pa.Table, a: Array, known: Bools) -> tuple[dict[str, Any], Array | None]:
        """The largest value of the slice, and the largest before each tuple, unless they are in order: then none is below it."""
        nothing = self.spec.axis.nothing_yet
        if self.spec.generating.slack is None:
            return {}, None
        before, sofar = None, a
        if not (known.all() and is_ascending(a)):
            sofar = np.maximum.accumulate(np.where(known, a, nothing))
            before = np.append(np.array([nothing], self.spec.axis.dtype), sofar)[:-1]
        return ({self._name(table): sofar[-1].item()} if len(a) and sofar[-1] > nothing else {}), before

    def _sequence(self, a: Array, known: Bools) -> Sequence | None:
        """The whole sequence, where a controller looks at it."""
        generating = self.spec.generating
        if generating.control is None:
            return None
        places = where(known, a)
        return Sequence.of(places if generating.grain == 1 else places // generating.grain)

    def _controlled(self, table: pa.Table, sequence: Sequence | None, known: Bools) -> dict[str, Any]:
        """What a controller reads: the sequence, and the arrival times."""
        control = self.spec.generating.control
        arrives = ARRIVAL in table.column_names
        if arrives and column(table, ARRIVAL).null_count:
            raise missing_arrival(self.spec.arrival_by or ARRIVAL_TS)
        if control is None or sequence is None:
            return {}
        at = None
        if arrives and needs_arrival(control):
            arrival, given = self.spec.axis.numbers(column(table, ARRIVAL))
            if not given[known].all():
                raise missing_arrival(self.spec.arrival_by or ARRIVAL_TS)
            at = packed(arrival[known])
        sent = sequence.to_bytes(by_maxima=self.spec.generating.by_lateness)
        return {"source": self._name(table), "sequence": sent, "arrival": at}

    def _name(self, table: pa.Table) -> str:
        """The substream of a slice."""
        return (table[SOURCE][0].as_py() if self.spec.generating.per_source and table.num_rows else "") or ""

    def _rows(self, table: pa.Table, a: Array, before: Array | None, known: Bools) -> pa.Table:
        kept = [ORDER, PICK, KEEP, AHEAD, SOURCE]
        if self.spec.generating.hears_punctuation:
            kept.append(INDEX)
        names = [name for name in table.column_names if name in kept or name.startswith(CARRIED)]
        if not self.spec.generating.per_source and SOURCE in names:
            names.remove(SOURCE)
        table = table.select(names)
        for name in self.numbered:
            table = table.set_column(names.index(name), name, pa.array(np.arange(table.num_rows)))
        if self.spec.generating.control is not None:
            return self._in_sequence(table, a, known)
        rows = table.append_column(AXIS, pa.array(a))
        return rows if before is None else rows.append_column(HIGH, pa.array(before))

    def _in_sequence(self, rows: pa.Table, a: Array, known: Bools) -> pa.Table:
        """Rows with their number in the sequence, which has their places too, unless some have none, it is too coarse, or it goes
        elsewhere. Keys repeat."""
        numbers = np.arange(len(a)) if known.all() else np.cumsum(known) - known
        rows = rows.append_column(SEQUENCE_NUMBER, pa.array(numbers))
        if not known.all() or self.spec.generating.grain > 1 or self.spec.generating.stepped:
            rows = rows.append_column(AXIS, pa.array(a))
        if self.spec.lifts:
            for name in (f"{KEY}{key}" for key in self.spec.keys):
                if pa.types.is_string(rows.schema.field(name).type):
                    rows = rows.set_column(rows.column_names.index(name), name, column(rows, name).dictionary_encode())
        return rows

    def _settled(self, spec: WindowedSpec, rows: pa.Table, a: Array, sure: Bools) -> tuple[pa.Table, pa.Table]:
        """Partials of the tuples that are settled, and the others, of whose places only the pane matters."""
        others = np.flatnonzero(~sure)
        names = [name for name in rows.column_names if name not in (SEQUENCE_NUMBER, AXIS)]
        nobody = np.zeros(len(a), bool)
        if 2 * len(others) < len(a):  # to code a few in vain takes less than to copy all others
            added = lifted(spec, self.parts, rows.select(names), a, nobody, a[:0], without=others)
        else:
            own = np.flatnonzero(sure)
            added = lifted(spec, self.parts, take(rows.select(names), own), a.take(own), nobody[own], a[:0])
        left = take(rows.select([*names, SEQUENCE_NUMBER]), others)
        return added, left.append_column(PANE, pa.array(panes_of(spec, a.take(others))))

    # -- partial aggregates ----------------------------------------------------------------------------------

    def _local(self, rows: pa.Table) -> tuple[Array, Bools, Array]:
        """Places, which tuples are late by the slice alone, and the frontier of the slice before each."""
        nothing = self.spec.axis.nothing_yet
        a = column(rows, AXIS).to_numpy()
        if HIGH not in rows.column_names:
            return a, np.zeros(len(a), bool), a
        high = column(rows, HIGH).to_numpy()
        frontier = high - self.spec.generating.slack
        frontier[high <= nothing] = nothing
        return a, (a > nothing) & (a < frontier), frontier

    def _late(self, a: Array, behind: Bools, on_time: Bools) -> tuple[int, bytes]:
        """How many are late by the slice alone, and the places of the others."""
        on_time &= a > self.spec.axis.nothing_yet
        return int(np.count_nonzero(behind)), packed(where(on_time, a))


def _newest(table: pa.Table, a: Array, known: Bools) -> Any:
    """The largest place of the query's own tuples; None where there is none."""
    own = known & flags(column(table, KEEP)) if KEEP in table.column_names else known
    places = where(own, a)
    return places.max().item() if len(places) else None


def _told(table: pa.Table, name: str) -> Bools:
    """Which rows are no tuples but say something: that the input has ended, or that time goes on."""
    return flags(column(table, name)) if name in table.column_names else np.zeros(table.num_rows, bool)


def _now(table: pa.Table) -> int | None:
    """The time of the micro-batch, where it matters."""
    return table[NOW][0].as_py() if NOW in table.column_names and table.num_rows else None
