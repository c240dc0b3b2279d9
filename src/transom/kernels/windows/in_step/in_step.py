"""An operator of several inputs, in step with all of them (seed 001, section 6: sync tuples).

It is a unary operator over the tagged union of its inputs, with one frontier, the smallest of theirs. Rows wait until it has
passed their instant: then nothing of the instant is still to come from any of them, and nothing of it is kept.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from transom.column_names import AXIS, FIXED, INPUT, KEY, OWN
from transom.kernels.columns.arrays import take
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.results import column
from transom.kernels.spec import Spec
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.stateful import StatefulOperator


class WaitingBlock(NamedTuple):
    """A block of rows that wait: how many, and the first of their instants."""

    name: str
    rows: int
    first: Any


class InStepOperator(StatefulOperator):
    """The operator, but for what it makes of the rows of instants that all inputs have passed."""

    takes_late = False
    """Whether rows of an instant that has been passed still leave."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.spec = spec
        self.waiting: list[WaitingBlock] = []
        self.serial = 0

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        late = batch.late
        kept = batch.valid if self.takes_late else batch.valid & ~late
        self.counts.add(late=late.sum(), dropped=(late & ~kept).sum(), used=kept.sum(), outside=(~batch.valid).sum())
        came = column(batch.table, INPUT).to_numpy() if batch.rows else np.zeros(0, np.int64)
        out.taken = tuple(np.bincount(came, minlength=self.spec.generating.inputs).tolist())
        table, a = self._due(take(batch.table, kept) if batch.rows else batch.table, batch.a[kept], blocks)
        passed = a < self.advance.of_all
        if passed.any():
            out.rows = self.made_of(take(table, passed), a[passed])
            out.boundaries = np.unique(a[passed])
        if not passed.all():
            self._keep(take(table, ~passed), a[~passed], blocks)
        out.held = sum(one.rows for one in self.waiting)
        rows = np.flatnonzero(late & ~kept)
        return LateRows(rows, batch.of_tuple[rows])

    # -- waiting ---------------------------------------------------------------------------------------------

    def _due(self, new: pa.Table, a: Any, blocks: Blocks) -> tuple[pa.Table, Any]:
        """The new rows, and those of all blocks with an instant that has been passed."""
        pieces, places = [], []
        for one in [one for one in self.waiting if one.first < self.advance.of_all]:
            table, _ = unpack(blocks.read(one.name) or b"", self.spec.fingerprint)
            pieces.append(table.drop_columns([AXIS]))
            places.append(column(table, AXIS).to_numpy())
            blocks.remove(one.name)
            self.waiting.remove(one)
        pieces, places = [*pieces, new], [*places, a]
        tables = [table.select([name for name in table.column_names if _is_kept(name)]) for table in pieces if table.num_rows]
        return (pa.concat_tables(tables).combine_chunks() if tables else new), np.concatenate(places)

    def _keep(self, table: pa.Table, a: Any, blocks: Blocks) -> None:
        self.serial += 1
        self.waiting.append(WaitingBlock(f"b{self.serial}", table.num_rows, a.min().item()))
        blocks.write(f"b{self.serial}", pack(table.append_column(AXIS, pa.array(a)), self.spec.fingerprint))

    @abstractmethod
    def made_of(self, table: pa.Table, a: Any) -> pa.Table | None:
        """The results of rows that have been passed, given their instants."""

    # -- state -----------------------------------------------------------------------------------------------

    def passed_on(self, frontier: Any) -> Any:
        return frontier

    def reached(self) -> Any:
        """How far an end of the input reaches: beyond the newest row."""
        return self.spec.axis.after(self.advance.newest)

    def to_json(self) -> dict[str, Any]:
        return {"waiting": [list(one) for one in self.waiting], "serial": self.serial}

    def from_json(self, note: dict[str, Any]) -> None:
        self.waiting, self.serial = [WaitingBlock(*one) for one in note["waiting"]], note["serial"]


def _is_kept(name: str) -> bool:
    return name.startswith((KEY, OWN, FIXED))
