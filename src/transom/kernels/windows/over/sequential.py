"""The strategy `sequential`: users' aggregates over OVER frames, tuple after tuple of each partition, each with its own state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import EVENT_TS, OWN
from transom.kernels.aggregates.algebras.user_algebra import lists_of, natural
from transom.kernels.columns.arrays import Array, Bools, Ints, one_chunk
from transom.kernels.extents.closing import Runs
from transom.kernels.results import column
from transom.kernels.spec import FrameSpec, OverSpec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.over.over_frame import Found, OverFrame
from transom.kernels.windows.over.parted import Parted
from transom.semantics.keys import key
from transom.semantics.length import Rows, measure
from transom.uda.plain_values import has_odd
from transom.uda.run.kept_bytes import from_bytes, to_bytes
from transom.uda.run.runners import Active, Runner, Tuples, at_last


class SequentialFrame(OverFrame):
    """A frame whose aggregate a user wrote. Its results are lists: the rows it returned for each tuple."""

    def __init__(self, spec: OverSpec, n: int, frame: FrameSpec) -> None:
        super().__init__(spec, n, frame)
        user = frame.computed.call.user
        assert user is not None
        self.user = user
        self.runner: Runner | None = user.runner(frame.preceding, frame.slide, self._reach, active=frame.active)
        self.entries = Entries(self.names, self.runner)
        self.events: list[tuple[int, Any, Any]] = []
        """Of arrivals and expiries: the row of the tuple among all rows, the instant, and the result."""

    @property
    def _reach(self) -> Any:
        preceding = self.frame.preceding
        if preceding is None:
            return None
        return preceding.count if isinstance(preceding, Rows) else self.spec.axis.number(measure(preceding))

    def evaluate(self, part: Parted, a: Array, due: Bools, past: Bools, reached: Array) -> tuple[Found, Bools, Bools]:
        rows, order, back, runs = part.rows, part.order, part.back, part.runs
        a, due, past, reached = a[order], due[order], past[order], reached[order]
        slots = self._slots(a)
        yields = self._yields(rows, due, runs, slots)
        counts, values = self._counts(rows, runs, a, due, yields, reached, slots, order)
        needed = self._needed(part, a, past, reached) if self.frame.active else np.zeros(len(a), bool)
        ends = np.cumsum(np.append([0], counts))
        returned = self.user.column(values)
        lists = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), returned)
        return (lists, back), yields[back], needed[back]

    def _counts(
        self,
        rows: pa.Table,
        runs: Runs,
        a: Array,
        due: Bools,
        yields: Bools,
        reached: Array,
        slots: Array | None,
        order: Ints,
    ) -> tuple[Ints, list[Any]]:
        """How many rows each tuple gives, and those rows one after another."""
        args = [column(rows, name) for name in self.frame.computed.args]
        columns, odd = [natural(arg, self.user) for arg in args], any(map(has_odd, args))
        counts = np.zeros(len(a), np.int64)
        if self.runner is None:
            return self._slotwise(columns, runs, a, due, yields, slots, counts)
        numbers = column(rows, "n").to_pylist() if self.frame.active else []
        entries = self.entries.of(rows, runs)
        found: list[Any] = []
        bounds = [*runs.start.tolist(), len(a)]
        for entry, start, end in zip(entries, bounds, bounds[1:], strict=False):
            places = start + np.flatnonzero(due[start:end])
            if len(places):
                tuples = self._tuples(columns, a, yields, places, numbers, odd)
                out, ends = self.runner.run(entry, tuples)
                if self.frame.active:
                    self._note(out, numbers, order, start, end)
                else:
                    giving = places[yields[places]] if self.frame.slide is not None else places
                    counts[giving] = 1 if ends is None else np.diff(np.append([0], ends))
                    found += out
            if isinstance(self.runner, Active):
                self._note(self.runner.flush(entry, reached[start].item()), numbers, order, start, end)
        return counts, found

    def _note(self, out: list[tuple[int, Any, Any]], numbers: list[int], order: Ints, start: int, end: int) -> None:
        """Events name tuples by their numbers, which are each tuple's own in its partition alone."""
        if out:
            places = {numbers[place]: int(order[place]) for place in range(start, end)}
            self.events += [(places[number], instant, value) for number, instant, value in out]

    def _tuples(self, columns: list[list[Any]], a: Array, yields: Bools, places: Ints, numbers: list[int], odd: bool) -> Tuples:
        first, last = int(places[0]), int(places[-1]) + 1
        whole = last - first == len(places)
        chosen = [one[first:last] if whole else [one[place] for place in places] for one in columns]
        flags = yields[places].tolist() if self.frame.slide is not None else None
        return Tuples(chosen, a[places].tolist(), flags, [numbers[place] for place in places] if numbers else (), odd)

    def _slotwise(
        self, columns: list[list[Any]], runs: Runs, a: Array, due: Bools, yields: Bools, slots: Array | None, counts: Ints
    ) -> tuple[Ints, list[Any]]:
        """Slots in time, each complete when it is due: a run of its own over what counts of it."""
        start, _ = self._bounds(runs, a, slots)
        found: list[Any] = []
        for place in np.flatnonzero(due & yields).tolist():
            rows = at_last(self.user.base, [one[start[place] : place + 1] for one in columns])
            counts[place] = len(rows)
            found += rows
        return counts, found

    def happened(self, table: pa.Table) -> pa.Table | None:
        """The results of arrivals and expiries, with ACTIVE EXPIRATION: each with the tuple it belongs to, at its instant."""
        events, self.events = self.events, []
        if not events:
            return None
        rows = pa.array([place for place, _, _ in events])
        made = {f"{OWN}{name}": one_chunk(table[f"{OWN}{name}"]).take(rows) for name in self.spec.tuples}
        instants = np.array([instant for _, instant, _ in events], self.spec.axis.dtype)
        made[EVENT_TS] = self.spec.axis.values(instants, self.spec.bounds_type)
        made[f"y{self.n}"] = lists_of([[value] for _, _, value in events], self.user)
        return pa.table(made)

    def load(self, blocks: Blocks) -> None:
        super().load(blocks)
        kept = blocks.read(f"bodies{self.n}")
        if kept is not None:
            self.entries.from_table(unpack(kept, self.spec.fingerprint)[0])

    def save(self, blocks: Blocks) -> None:
        super().save(blocks)
        if self.runner is not None:
            blocks.write(f"bodies{self.n}", pack(self.entries.to_table(), self.spec.fingerprint))


class Entries:
    """What is kept for each partition, as bytes until it is needed."""

    def __init__(self, names: tuple[str, ...], runner: Runner | None) -> None:
        self.names, self.runner = names, runner
        self.places: dict[tuple[Any, ...], int] = {}
        self.kept: list[bytes] = []
        self.live: dict[int, Any] = {}
        self.keys: pa.Table | None = None

    def of(self, rows: pa.Table, runs: Runs) -> list[Any]:
        """The entry of each run of rows."""
        firsts = pa.array(runs.start)
        own = pa.table({name: one_chunk(rows[name]).take(firsts) for name in self.names} or {"": pa.nulls(len(runs.start))})
        found, new = [], []
        for place, values in enumerate(_keys(own)):
            if values not in self.places:
                self.places[values] = len(self.kept)
                self.kept.append(b"")
                new.append(place)
            found.append(self._live(self.places[values]))
        if new:
            added = own.take(pa.array(new))
            self.keys = added if self.keys is None else pa.concat_tables([self.keys, added])
        return found

    def _live(self, place: int) -> Any:
        if place not in self.live:
            assert self.runner is not None
            kept = self.kept[place]
            self.live[place] = self.runner.restore(from_bytes(kept)) if kept else self.runner.fresh()
        return self.live[place]

    def to_table(self) -> pa.Table:
        for place, entry in self.live.items():
            assert self.runner is not None
            self.kept[place] = to_bytes(self.runner.dump(entry))
        if self.keys is None:
            return pa.table({})
        return self.keys.append_column("state", pa.array(self.kept, pa.large_binary()))

    def from_table(self, table: pa.Table) -> None:
        if not table.num_columns:
            return
        self.kept = column(table, "state").to_pylist()
        self.keys = table.drop_columns(["state"])
        self.places = {values: place for place, values in enumerate(_keys(self.keys))}


def _keys(table: pa.Table) -> list[tuple[Any, ...]]:
    """Rows as keys: NULL is one, and all NaNs are the same."""
    return list(zip(*([key(value) for value in column(table, name).to_pylist()] for name in table.column_names), strict=True))
