"""OVER frames: one result per tuple, or per yield tuple of each SLIDE.

A tuple is settled when no tuple that may still come can change its results. Settled tuples stay in the buffer as long
as a later frame may reach back to them; of a frame without bound only a partial result stays, one for each partition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import BESIDE, EVENT_TS, ORDER, OWN
from transom.kernels.columns.arrays import Array, Bools, Ints, is_ascending, one_chunk, take
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.results import column
from transom.kernels.spec import FrameSpec, OverSpec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.over.over_frame import OverFrame, slot_end, slot_start
from transom.kernels.windows.over.parted import Parted
from transom.kernels.windows.over.sequential import SequentialFrame
from transom.kernels.windows.stateful import StatefulOperator
from transom.semantics.length import Rows, measure


class OverFrames(StatefulOperator):
    """The operator for OVER frames."""

    def __init__(self, spec: OverSpec) -> None:
        super().__init__(spec)
        self.spec = spec
        self.buffer: pa.Table | None = None
        self.over = [_frame(spec, n, frame) for n, frame in enumerate(spec.frames)]

    @property
    def _slot(self) -> Any:
        """The length of a slot on the axis, where the frames slide so."""
        slide = self.spec.frames[0].slide
        return None if slide is None or isinstance(slide, Rows) else self.spec.axis.number(measure(slide))

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        in_order = not self.spec.in_arrival_order
        late = batch.late if in_order else np.zeros(batch.rows, bool)
        taken = (batch.valid & ~late) if in_order else np.ones(batch.rows, bool)
        self.counts.add(used=taken.sum(), dropped=late.sum(), late=late.sum(), outside=(~taken & ~late).sum())
        table = self._buffered(batch, taken)
        if table.num_rows:
            self._evaluate(table, out)
        gone = np.flatnonzero(late)
        return LateRows(gone, batch.of_tuple[gone])

    def _buffered(self, batch: Batch, taken: Bools) -> pa.Table:
        names = [name for name in batch.table.column_names if not name.startswith(BESIDE) or name == ORDER]
        new = batch.table.select(names)
        a = np.zeros(batch.rows, self.spec.axis.dtype) if self.spec.in_arrival_order else batch.a
        for name, values in (("a", a), ("n", batch.n), ("done", np.zeros(batch.rows, bool))):
            new = new.append_column(name, pa.array(values))
        new = take(new, taken)
        return new if self.buffer is None else pa.concat_tables([self.buffer, new])

    def _evaluate(self, table: pa.Table, out: OperatorOutput) -> None:
        """What is settled gives its results, in the order of the frames; then what no frame can reach is forgotten."""
        table, a = _in_order(table)
        done = np.asarray(column(table, "done"), bool)
        reached = self.advance.after(table)
        due = self._settled(table, a, reached) & ~done
        past = done | due
        yields, values = due.copy(), []
        kept = ~past
        args = tuple(dict.fromkeys(name for frame in self.spec.frames for name in frame.computed.args))
        parted: dict[tuple[str, ...], Parted] = {}
        for frame in self.over:
            if frame.names not in parted:
                parted[frame.names] = Parted.of(table, frame.names, args)
            result, yielding, needed = frame.evaluate(parted[frame.names], a, due, past, reached)
            values.append(result)
            yields &= yielding
            kept |= needed
        first = self.over[0]
        if isinstance(first, SequentialFrame) and first.frame.active:
            out.rows = first.happened(table)
        elif yields.any():
            out.rows = self._rows(table, a, yields, values)
        past_column = pa.array(past)
        table = table.set_column(table.column_names.index("done"), "done", past_column)
        self.buffer = take(table, kept)
        out.held = int((~past).sum())

    def _settled(self, table: pa.Table, a: Array, reached: Array) -> Bools:
        if self.spec.in_arrival_order:
            return np.ones(len(a), bool)
        if self._slot is not None:
            end = slot_end(a, self._slot, self.spec.axis.factor is None)
            promised = self.advance.promised(table)
            return np.asarray((promised >= end) | (self.advance.ended & (end <= self.advance.newest)), bool)
        peers = any(not frame.by_rows and not frame.computed.call.is_sequential for frame in self.spec.frames)
        return reached > a if peers else reached >= a

    def _rows(self, table: pa.Table, a: Array, yields: Bools, values: list[tuple[pa.Array, Ints]]) -> pa.Table:
        rows = take(table.select([f"{OWN}{name}" for name in self.spec.tuples]), yields)
        made = {name: one_chunk(rows[name]) for name in rows.column_names}
        if EVENT_TS in self.spec.reported:
            made[EVENT_TS] = self._event_ts(a[yields])
        for n, (result, place) in enumerate(values):
            made[f"y{n}"] = result.take(pa.array(place[yields]))
        return pa.table(made)

    def _event_ts(self, a: Array) -> pa.Array:
        if self.spec.in_arrival_order:
            return pa.nulls(len(a), self.spec.order_type or self.spec.axis_type)
        return self.spec.axis.values(a, self.spec.axis_type)

    def passed_on(self, frontier: Any) -> Any:
        """The timestamp below which no result is still to come: tuples of a slot wait for its end."""
        if self.spec.in_arrival_order:
            return self.spec.axis.nothing_yet
        if self._slot is None:
            return frontier
        return slot_start(np.array([frontier], self.spec.axis.dtype), self._slot, self.spec.axis.factor is None)[0]

    def reached(self) -> Any:
        """How far an end of the input reaches: beyond the last tuple, or up to it, where its slot is cut off."""
        return self.spec.axis.after(self.advance.newest) if self._slot is None else self.advance.newest

    def load(self, blocks: Blocks) -> None:
        kept = blocks.read("buffer")
        if kept is not None:
            self.buffer, _ = unpack(kept, self.spec.fingerprint)
        for frame in self.over:
            frame.load(blocks)

    def save(self, blocks: Blocks) -> None:
        if self.buffer is not None:
            blocks.write("buffer", pack(self.buffer, self.spec.fingerprint))
        for frame in self.over:
            frame.save(blocks)


def _in_order(table: pa.Table) -> tuple[pa.Table, Array]:
    """The buffer by place and arrival, which is how most of it has come."""
    a, n = column(table, "a").to_numpy(), column(table, "n").to_numpy()
    if is_ascending(a) and (is_ascending(n) or ((a[1:] > a[:-1]) | (n[1:] > n[:-1])).all()):
        return table, a
    order = np.lexsort((n, a))
    return table.take(pa.array(order)), a[order]


def _frame(spec: OverSpec, n: int, frame: FrameSpec) -> OverFrame:
    return (SequentialFrame if frame.computed.call.is_sequential else OverFrame)(spec, n, frame)
