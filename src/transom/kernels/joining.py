"""A join in step: rows of two inputs that belong to the same instant (seed 001, section 6: sync tuples).

It is a unary operator over the tagged union of its inputs, with one frontier, the smaller of theirs. Rows wait until it has
passed their instant: then both extents have ended, they are matched, and nothing of the instant is kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from transom.kernels.arrays import Bools, Ints, codes_of, one_chunk, order_of, ranges, take
from transom.kernels.batch import Batch, Counts, Late, Output
from transom.kernels.reporting import KeyFrontier
from transom.kernels.results import column
from transom.kernels.spec import JoinSpec, Spec
from transom.kernels.store import Blocks, pack, unpack

INPUT = "g:input"


class Waiting(NamedTuple):
    """A block of rows that wait: how many, and the first of their instants."""

    name: str
    rows: int
    first: Any


class Joining:
    """The operator that joins."""

    of_all: Any = None
    ended = False
    uniform = False

    def __init__(self, spec: Spec, join: JoinSpec) -> None:
        self.spec, self.join = spec, join
        self.counts = Counts()
        self.waiting: list[Waiting] = []
        self.serial = 0
        self.top: Any = spec.axis.nothing_yet

    def step(self, batch: Batch, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: Output) -> Late:
        late = batch.late
        kept = batch.valid & ~late
        self.counts.add(late=late.sum(), dropped=late.sum(), used=kept.sum(), outside=(~batch.valid).sum())
        table, a = self._due(take(batch.table, kept) if batch.rows else batch.table, batch.a[kept], blocks)
        passed = a < self.of_all
        if passed.any():
            self.top = max(self.top, self.spec.axis.after(a[passed].max()))
            out.rows = self._matched(take(table, passed), a[passed])
            out.boundaries = np.unique(a[passed])
        if not passed.all():
            self._keep(take(table, ~passed), a[~passed], blocks)
        out.open = sum(one.rows for one in self.waiting)
        rows = np.flatnonzero(late)
        return Late(rows, batch.of_tuple[rows])

    # -- waiting ---------------------------------------------------------------------------------------------

    def _due(self, new: pa.Table, a: Any, blocks: Blocks) -> tuple[pa.Table, Any]:
        """The new rows, and those of all blocks with an instant that has been passed."""
        pieces, places = [new], [a]
        for one in [one for one in self.waiting if one.first < self.of_all]:
            table, _ = unpack(blocks.read(one.name) or b"", self.spec.fingerprint)
            pieces.append(table.drop_columns(["__axis"]))
            places.append(column(table, "__axis").to_numpy())
            blocks.remove(one.name)
            self.waiting.remove(one)
        tables = [table.select([name for name in table.column_names if _is_kept(name)]) for table in pieces if table.num_rows]
        return (pa.concat_tables(tables).combine_chunks() if tables else new), np.concatenate(places)

    def _keep(self, table: pa.Table, a: Any, blocks: Blocks) -> None:
        self.serial += 1
        self.waiting.append(Waiting(f"b{self.serial}", table.num_rows, a.min().item()))
        blocks.write(f"b{self.serial}", pack(table.append_column("__axis", pa.array(a)), self.spec.fingerprint))

    # -- matching --------------------------------------------------------------------------------------------

    def _matched(self, table: pa.Table, a: Any) -> pa.Table | None:
        side = column(table, INPUT).to_numpy()
        codes, size = codes_of([one_chunk(table[f"k:{name}"]) for name in self.spec.keys], table.num_rows)
        whole = self._have_keys(table)
        left, right = np.flatnonzero((side == 0) & (whole | self.join.outer)), np.flatnonzero((side == 1) & whole)
        right = right[order_of(codes[right], size)]
        start = np.searchsorted(codes[right], codes[left], side="left")
        end = np.where(whole[left], np.searchsorted(codes[right], codes[left], side="right"), start)
        places, owner = ranges(start, end)
        chosen, partner = left[owner], pa.array(right[places])
        if self.join.outer:
            alone = left[end == start]
            chosen = np.concatenate([chosen, alone])
            partner = pa.concat_arrays([partner, pa.nulls(len(alone), pa.int64())])
        return self._rows(table, a, chosen, partner) if len(chosen) else None

    def _have_keys(self, table: pa.Table) -> Bools:
        """NULL equals nothing."""
        found = np.ones(table.num_rows, bool)
        for name in self.spec.keys:
            found &= np.asarray(one_chunk(table[f"k:{name}"]).is_valid())
        return found

    def _rows(self, table: pa.Table, a: Any, left: Ints, right: pa.Array) -> pa.Table:
        made = {f"t:{name}": one_chunk(table[f"t:{name}"]).take(pa.array(left)) for name in self.join.left}
        made |= {f"t:{name}": one_chunk(table[f"t:{name}"]).take(right) for name in self.join.right}
        made["event_ts"] = self.spec.axis.values(a[left], self.spec.axis_type)
        return pa.table(made)

    # -- state -----------------------------------------------------------------------------------------------

    def reached(self) -> Any:
        """Just beyond the last instant that has been passed."""
        return self.top

    def load(self, blocks: Blocks) -> None:
        """Blocks are read when they are needed."""

    def save(self, blocks: Blocks) -> None:
        """Blocks are written as they change."""

    def to_json(self) -> dict[str, Any]:
        return {"waiting": [list(one) for one in self.waiting], "serial": self.serial}

    def from_json(self, note: dict[str, Any]) -> None:
        self.waiting, self.serial = [Waiting(*one) for one in note["waiting"]], note["serial"]


def _is_kept(name: str) -> bool:
    return name.startswith(("k:", "t:", "g:"))
