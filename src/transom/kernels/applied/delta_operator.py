"""`[TUMBLING delta(a, d)]` on columns: each partition is cut where a tuple is more than d past the first of its window."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AT, DELTA_ATTRIBUTE, EVENT_TS, KIND, ORDER, PLACE
from transom.kernels.applied.applied_spec import PUNCTUATION, TUPLE
from transom.kernels.applied.by_instant import in_order
from transom.kernels.applied.extent_results import results
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.columns.arrays import Array, Ints, codes_of, one_chunk, run_starts
from transom.kernels.extents.closing import Extents
from transom.kernels.results import instants
from transom.kernels.slices import Slice
from transom.kernels.state.store import Blocks, pack, unpack
from transom.semantics.length import measure
from transom.windowing.policies.policy import Delta

OPEN = "operator"


class DeltaOperator:
    """The tuples of open windows are one table, in the order of arrival. What closes is sliced out of it."""

    def __init__(self, spec: ExtentSpec) -> None:
        self.spec = spec
        self.counts = {"used": 0, "outside": 0, "held": 0}
        self.before_counts = dict(self.counts)

    def step(self, slices: list[Slice], blocks: Blocks, *, ends: bool = False) -> pa.Table | None:
        """What comes out in this micro-batch; None if nothing arrives. The state is saved unless the input `ends`."""
        kept = blocks.read(OPEN)
        held, note = (None, None) if kept is None else unpack(kept, self.spec.fingerprint)
        if note is not None:
            self.counts = note["counts"]
        self.before_counts = dict(self.counts)
        slices = sorted((piece for piece in slices if piece.rows.num_rows), key=lambda piece: piece.order)
        slices = in_order(slices, self.spec)
        if not slices:
            return None
        new = self._arrived(slices)
        table = new if held is None else pa.concat_tables([held, new], promote_options="default").combine_chunks()
        found, left = self._cut(table)
        made = self._emitted(table, found)
        still = table.take(pa.array(left))
        self.counts["held"] = still.num_rows
        if not ends:
            blocks.write(OPEN, pack(still, self.spec.fingerprint, {"counts": self.counts, "about": self.spec.about}))
        return made

    @property
    def _delta(self) -> Delta:
        evict = self.spec.inputs[0].window.evict
        assert isinstance(evict, Delta)
        return evict

    def _arrived(self, slices: list[Slice]) -> pa.Table:
        """The tuples that are on the axis, with their places."""
        pieces = [_tuples(piece.rows) for piece in slices]
        rows = pa.concat_tables(pieces, promote_options="default").unify_dictionaries().combine_chunks()
        values = one_chunk(rows[self._delta.attribute])
        valid = np.asarray(values.is_valid())
        place = _numbers(values)
        if place.dtype.kind == "f":
            valid &= np.isfinite(place)
        self.counts["used"] += rows.num_rows
        self.counts["outside"] += int((~valid).sum())
        names = [name for name in rows.column_names if not name.startswith((DELTA_ATTRIBUTE, AT))]
        rows = rows.select(names).append_column(PLACE, pa.array(place))
        return rows if valid.all() else rows.filter(pa.array(valid))

    def _cut(self, table: pa.Table) -> tuple[Any, Ints]:
        """The rows of each window that is full, in the order in which they became full, and the rows that are left."""
        keys = [one_chunk(table[name]) for name in self.spec.inputs[0].window.keys]
        codes = codes_of(keys, table.num_rows)[0] if keys else np.zeros(table.num_rows, np.int64)
        order = np.argsort(codes, kind="stable")
        starts = run_starts(codes[order])
        ends = np.append(starts[1:], table.num_rows)
        place = one_chunk(table[PLACE]).to_numpy()[order].copy()
        d = _threshold(self._delta, place.dtype)
        first: list[int] = []
        last: list[int] = []
        left: list[Ints] = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            run = np.maximum.accumulate(place[start:end], out=place[start:end])
            at, size = 0, end - start
            while (past := _past(run, at, d)) < size:
                first.append(start + at)
                last.append(start + past)
                at = past
            left.append(order[start + at : end])
        cause = order[np.array(last, np.int64)] if last else np.zeros(0, np.int64)
        turn = np.argsort(cause, kind="stable")
        spans = np.array(first, np.int64)[turn], np.array(last, np.int64)[turn], cause[turn]
        return (order, *spans), np.sort(np.concatenate(left)) if left else np.zeros(0, np.int64)

    def _emitted(self, table: pa.Table, found: Any) -> pa.Table:
        order, start, end, cause = found
        if not len(start):
            return pa.schema([(KIND, pa.int8()), *self.spec.schema]).empty_table()
        beside: dict[str, pa.Array] = {}
        if EVENT_TS in self.spec.schema.names:
            kind = self.spec.schema.field(EVENT_TS).type
            known = ORDER in table.column_names
            stamps = instants(one_chunk(table[ORDER]).take(pa.array(cause))) if known else pa.nulls(len(cause), kind)
            beside[EVENT_TS] = stamps.cast(kind)
        number = np.arange(len(start))
        return results(self.spec, table.take(pa.array(order)), Extents(number, number, start, end), beside)


def _past(run: Array, at: int, d: Any) -> int:
    """The first row that is more than d past the row `at`."""
    first = run[at]
    past = int(np.searchsorted(run, first + d, side="right"))
    while past < len(run) and not run[past] - first > d:  # doubles: a sum and a difference need not agree
        past += 1
    while past > at + 1 and run[past - 1] - first > d:
        past -= 1
    return max(past, at + 1) if past <= at else past


def _tuples(rows: pa.Table) -> pa.Table:
    if KIND not in rows.column_names:
        return rows
    kinds = np.asarray(one_chunk(rows[KIND]))
    assert set(np.unique(kinds)) <= {TUPLE, PUNCTUATION}
    return rows.filter(pa.array(kinds == TUPLE)).drop_columns([KIND])


def _numbers(values: pa.Array) -> Array:
    """A column as numbers: instants and dates in microseconds."""
    if pa.types.is_floating(values.type):
        return np.asarray(values.fill_null(0.0).to_numpy(zero_copy_only=False), np.float64)
    if pa.types.is_date(values.type):
        values = values.cast(pa.timestamp("us"))
    return np.asarray(values.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False), np.int64)


def _threshold(delta: Delta, dtype: Any) -> Any:
    return np.asarray(measure(delta.threshold), dtype)[()]
