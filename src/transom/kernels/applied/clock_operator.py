"""Windows on the clock whose aggregates are algebraic: tuples are added up by pane, and panes make the windows (seed 004, 4.1.8).

A partition's windows end at multiples of the slide from its first tuple on, and so do panes: an average over an hour every
minute keeps sixty partials. A tuple that comes at the instant of a trigger comes after it.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.column_names import EVENT_TS, FIRST, KEY, KIND, LAST, PANE_START, PARTITION_OF, PICK, WID, WINDOW_END, WINDOW_START
from transom.kernels.applied.applied_spec import TUPLE
from transom.kernels.applied.by_instant import in_order
from transom.kernels.applied.clock_state import ClockState
from transom.kernels.applied.extent_results import aggregated
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.columns.arrays import Array, Ints, codes_of, flags, one_chunk, ranges, run_starts, search
from transom.kernels.extents.closing import Extents
from transom.kernels.panes.group_partials import CodedGroups
from transom.kernels.results import as_lifted, column, lifted_name, lifted_parts
from transom.kernels.slices import Slice
from transom.kernels.state.store import Blocks
from transom.windowing.policies.policy import Time


class ClockOperator:
    """`[TUMBLING time(p)]` and `[SLIDING time(p), time(q)]` over aggregates that have partial results."""

    def __init__(self, spec: ExtentSpec) -> None:
        self.spec = spec
        self.counts = {"used": 0, "outside": 0, "held": 0}
        self.before_counts = dict(self.counts)
        window = spec.inputs[0].window
        slide = window.evict if window.trigger is None else window.trigger
        assert isinstance(window.evict, Time)
        assert isinstance(slide, Time)
        assert spec.window.width is not None
        self.range, self.slide, self.width = window.evict.length.micros, slide.length.micros, spec.window.width
        self.tumbles, self.partial = window.tumbles, window.partial

    def step(self, slices: list[Slice], blocks: Blocks, *, ends: bool = False) -> pa.Table | None:
        """What comes out in this micro-batch; None if nothing comes and nothing is due. The state is saved unless the input
        `ends`."""
        state = ClockState(self.spec, blocks)
        self.counts = state.counts
        self.before_counts = dict(self.counts)
        times = [piece.now for piece in slices if piece.now is not None]
        slices = in_order([piece for piece in slices if piece.rows.num_rows], self.spec)
        before, now = state.clock, max([state.clock, *times])
        if not slices and not state.is_due(now):
            return None
        state.clock = now
        state.load(blocks)
        made = self._processed(state, before)
        self._forget(state)
        if slices:
            self._add(state, slices)
        self._plan(state)
        self.counts["held"] = 0 if state.panes is None else state.panes.num_rows
        if not ends:
            state.save(blocks)
        return made

    # The clock

    def _processed(self, state: ClockState, before: int) -> pa.Table:
        """The windows that triggers have processed since the time before, in the order of their instants."""
        if state.panes is None or not state.panes.num_rows:
            return pa.schema([(KIND, pa.int8()), *self.spec.schema]).empty_table()
        table, codes = self._sorted(state.panes)
        start, of = _numbers(table, PANE_START), _numbers(table, PARTITION_OF)
        runs = run_starts(codes)
        row, at = self._triggers(state, start, of, codes, before)
        low = np.repeat(runs, np.diff(runs, append=len(codes)))
        first = search(start, low[row], row + 1, at - self.range)
        serials, instants = of[row], at
        order = np.lexsort((row, serials, instants))
        row, first, serials, instants = row[order], first[order], serials[order], instants[order]
        begins = run_starts(instants, serials)
        which = np.zeros(len(row), np.int64)
        which[begins[1:]] = 1
        which = np.cumsum(which)
        beside = self._beside(state, table, (row, first, which), serials[begins], instants[begins])
        extents = Extents(np.arange(len(row)), which, first, row + 1)
        if PICK in table.column_names:
            extents = extents.pick(flags(column(table, PICK))[row])
        return aggregated(self.spec, table, extents, beside, len(begins))

    def _triggers(self, state: ClockState, start: Array, of: Array, codes: Ints, before: int) -> tuple[Ints, Array]:
        """For each trigger that sees a pane of a group: the last such pane, and the instant."""
        base = state.base_of(of)
        follows = np.append(codes[1:] == codes[:-1], False)
        until = np.minimum(start + self.range, state.clock)
        until[follows] = np.minimum(until, np.append(start[1:], 0))[follows]
        one = (np.maximum(start, before) - base) // self.slide + 1
        number, row = ranges(one, (until - base) // self.slide + 1)
        at = base[row] + number * self.slide
        if not self.partial:
            full = at > base[row] + self.range
            row, at = row[full], at[full]
        return row, at

    def _beside(
        self, state: ClockState, table: pa.Table, found: tuple[Ints, Ints, Ints], serials: Ints, instants: Array
    ) -> dict[str, pa.Array]:
        """What each processed window says of itself, as far as it is selected."""
        row, first, which = found
        names = self.spec.schema.names
        made: dict[str, pa.Array] = {}
        if WINDOW_START in names:
            least = np.full(len(serials), np.iinfo(np.int64).max)
            np.minimum.at(least, which, _numbers(table, FIRST)[first])
            made[WINDOW_START] = pa.array(least)
        if WINDOW_END in names:
            most = np.zeros(len(serials), np.int64)
            np.maximum.at(most, which, _numbers(table, LAST)[row] + 1)
            made[WINDOW_END] = pa.array(most)
        if WID in names:
            made[WID] = pa.array(state.number_processed(serials))
        if EVENT_TS in names:
            made[EVENT_TS] = on_clock(instants, self.spec.schema.field(EVENT_TS).type)
        return made

    def _forget(self, state: ClockState) -> None:
        """Panes that no later trigger sees; and partitions of tumbling windows that were empty for a period."""
        if state.panes is None:
            return
        kept = _numbers(state.panes, PANE_START) >= self._next(state, _numbers(state.panes, PARTITION_OF)) - self.range
        state.panes = state.panes.filter(pa.array(kept))
        if self.tumbles and not self.spec.numbers_rows:
            state.drop_empty(2 * self.range)

    def _next(self, state: ClockState, of: Array) -> Array:
        """The next trigger of each of these partitions."""
        base = state.base_of(of)
        return np.asarray(base + ((state.clock - base) // self.slide + 1) * self.slide)

    def _plan(self, state: ClockState) -> None:
        held = state.panes is not None and state.panes.num_rows
        state.due = int(self._next(state, _numbers(state.panes, PARTITION_OF)).min()) if held else None

    # Tuples

    def _add(self, state: ClockState, slices: list[Slice]) -> None:
        """Add up what has come, and add it to the panes of this instant."""
        rows = pa.concat_tables([piece.rows for piece in slices], promote_options="default").unify_dictionaries().combine_chunks()
        if KIND in rows.column_names:
            rows = rows.filter(pc.equal(rows[KIND], TUPLE)).combine_chunks()
        self.counts["used"] += rows.num_rows
        if not rows.num_rows:
            return
        of, places = state.arrive(rows, empty_after=2 * self.range if self.tumbles else None)
        start = state.clock - (state.clock - state.base_of(of)) % self.width
        names = [name for name in rows.column_names if name.startswith(KEY) or name == PICK]
        codes, size = codes_of([one_chunk(rows[name]) for name in names], rows.num_rows)
        groups = CodedGroups(codes, size)
        first = groups.first
        made = {name: _plain(one_chunk(rows[name]).take(pa.array(first))) for name in names}
        made |= {PARTITION_OF: pa.array(of[first]), PANE_START: pa.array(start[first])}
        if self.spec.numbers_rows:
            last = np.zeros(size, np.int64)
            np.maximum.at(last, codes, places)
            made |= {FIRST: pa.array(places[first]), LAST: pa.array(last[codes[first]])}
        args = {name: column(rows, name) for item in self.spec.window.computed for name in item.args}
        for n, (item, algebra) in enumerate(zip(self.spec.window.computed, self.spec.parts, strict=True)):
            for part, values in enumerate(groups.partials(algebra, [args[name] for name in item.args])):
                made[lifted_name(n, part)] = as_lifted(values)
        new = pa.table(made)
        state.panes = new if state.panes is None else self._merged(state.panes, new)

    def _merged(self, panes: pa.Table, new: pa.Table) -> pa.Table:
        """Panes of the same group and start are one."""
        both = pa.concat_tables([panes, new.select(panes.column_names)], promote_options="permissive").combine_chunks()
        table, codes = self._sorted(both)
        starts = run_starts(codes, _numbers(table, PANE_START))
        if len(starts) == table.num_rows:
            return both
        ends = np.append(starts[1:], table.num_rows) - 1
        made = table.take(pa.array(starts))
        changed = {LAST: table[LAST].take(pa.array(ends))} if LAST in table.column_names else {}
        for n, algebra in enumerate(self.spec.parts):
            for part, values in enumerate(algebra.reduce(lifted_parts(table, n, algebra), starts)):
                changed[lifted_name(n, part)] = as_lifted(values)
        return pa.table({name: changed.get(name, made[name]) for name in made.column_names})

    @staticmethod
    def _sorted(panes: pa.Table) -> tuple[pa.Table, Ints]:
        """Panes by group and start, and the codes of their groups; of equal ones those that came first come first."""
        names = [name for name in panes.column_names if name.startswith(KEY) or name == PICK]
        codes, _ = codes_of([one_chunk(panes[name]) for name in names], panes.num_rows)
        order = np.lexsort((_numbers(panes, PANE_START), codes))
        return panes.take(pa.array(order)).combine_chunks(), codes[order]


def on_clock(instants: Array, kind: pa.DataType) -> pa.Array:
    """Instants on the clock as timestamps of results; NULL where those are of another type."""
    if not pa.types.is_timestamp(kind):
        return pa.nulls(len(instants), kind)
    return pa.array(instants, pa.int64()).cast(pa.timestamp("us", kind.tz)).cast(kind)


def _numbers(table: pa.Table | None, name: str) -> Array:
    assert table is not None
    return np.asarray(one_chunk(table[name]).to_numpy())


def _plain(values: pa.Array) -> pa.Array:
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
