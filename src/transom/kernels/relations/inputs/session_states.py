"""The states of sessions: the tuples of those that end at an instant, and nothing right after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import PICK
from transom.kernels.columns.arrays import Array, codes_of, flags, one_chunk, take
from transom.kernels.columns.axis import Axis
from transom.kernels.relations.inputs.input_states import InputStates, joined
from transom.kernels.relations.moments import PLACE, after, at
from transom.kernels.state.store import Blocks
from transom.semantics.length import measure
from transom.semantics.windows.session import Session


class SessionStates(InputStates):
    """`waiting` are the tuples of sessions that may still grow."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        window: Session,
        axis: Axis,
        partition_by: tuple[str, ...],
        *,
        keeps_unpicked: bool = False,
    ) -> None:
        super().__init__(name, fingerprint)
        self.gap, self.columns, self.keeps_unpicked = int(axis.number(measure(window.gap))), partition_by, keeps_unpicked
        self.waiting: pa.Table | None = None

    def take(self, table: pa.Table, places: Array, high: int) -> None:
        if table.num_rows:
            self.waiting = joined(self.waiting, table.append_column(PLACE, pa.array(places)))
        if self.waiting is None or not self.waiting.num_rows:
            return
        partition, _ = codes_of([one_chunk(self.waiting[name]) for name in self.columns], self.waiting.num_rows)
        order = np.lexsort((one_chunk(self.waiting[PLACE]).to_numpy(), partition))
        waiting, partition = self.waiting.take(pa.array(order)), partition[order]
        own = one_chunk(waiting[PLACE]).to_numpy()
        begins = np.ones(len(own), bool)
        begins[1:] = (partition[1:] != partition[:-1]) | (own[1:] > own[:-1] + self.gap)
        starts = np.flatnonzero(begins)
        ends = np.append(starts[1:], len(own))
        instant = np.repeat(own[ends - 1] + self.gap, ends - starts)
        done = at(instant) < high
        rows, instant = take(waiting, done), instant[done]
        self.waiting = take(waiting, ~done).combine_chunks()
        if PICK in rows.column_names and not self.keeps_unpicked:
            picked = flags(one_chunk(rows[PICK]))
            rows, instant = take(rows.drop_columns([PICK]), picked), instant[picked]
        self.live.add(rows, at(instant), after(instant))

    def to_json(self, blocks: Blocks) -> dict[str, Any]:
        self._keep(blocks, "waiting", self.waiting)
        return super().to_json(blocks)

    def from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        super().from_json(note, blocks)
        self.waiting = self._kept(blocks, "waiting")
