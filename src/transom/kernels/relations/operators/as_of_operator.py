"""The operator of the as-of join: rows of the left input leave when both inputs have passed them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import KEY, OWN
from transom.kernels.columns.arrays import Ints, one_chunk, take
from transom.kernels.relations.as_of import last_before, still_needed
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.moments import at
from transom.kernels.relations.operators.relational_operator import RelationalOperator, places
from transom.kernels.relations.pairs import Read
from transom.kernels.state.store import Blocks, pack, unpack


@dataclass(frozen=True)
class AsOfRecord:
    """An as-of join on keys (`k:..`).

    `strictly` wants a match from before the row's own timestamp, `within` bounds how long before, in places of the axis, and
    `outer` keeps rows without a match.
    """

    inputs: tuple[Input, Input]
    keys: tuple[str, ...]
    strictly: bool = False
    within: int | None = None
    outer: bool = False
    fingerprint: str = ""


class AsOfOperator(RelationalOperator):
    """Both inputs have the window NOW: a row is there at its own instant. `last` are the right rows that may be matched yet."""

    def __init__(self, record: AsOfRecord, *, looks: bool = False) -> None:
        super().__init__(record.inputs, record.fingerprint, looks=looks)
        self.record = record
        self.keys = [f"{KEY}{name}" for name in record.keys]
        self.last: pa.Table | None = None

    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        left, right = (self._fresh(one) for one in reads)
        if self.last is not None:
            right = pa.concat_tables([self.last, right], promote_options="default").unify_dictionaries().combine_chunks()
        when, stamped = places(left), places(right)
        found = last_before(left, when, right, stamped, self.keys, strictly=self.record.strictly, within=self.record.within)
        made = self._rows(left, right, found)
        needed = still_needed(right, stamped, self.keys, self._passed(reads[0].high, stamped), within=self.record.within)
        self.last = take(right, needed).combine_chunks() if needed.any() else None
        return made

    def _fresh(self, one: Read) -> pa.Table:
        """The rows of instants that have been passed in this step, in the order of arrival."""
        return one.table.take(pa.array(np.flatnonzero(one.fresh)))

    def _passed(self, high: int, stamped: Ints) -> int:
        """The place below which no left row is still to come."""
        newest = int(stamped.max(initial=0)) + 1
        return min((high + 1) // 2, newest) if high < at(2**61) else newest

    def _rows(self, left: pa.Table, right: pa.Table, found: Ints) -> pa.Table | None:
        kept = np.arange(len(found)) if self.record.outer else np.flatnonzero(found >= 0)
        if not len(kept):
            return None
        match = pa.array(found[kept], mask=found[kept] < 0)
        columns = {name: one_chunk(left[name]).take(pa.array(kept)) for name in left.column_names if name.startswith(OWN)}
        columns |= {name: one_chunk(right[name]).take(match) for name in right.column_names if name.startswith(OWN)}
        return self.stamped(pa.table(columns), places(left)[kept])

    def own_to_json(self, blocks: Blocks) -> dict[str, Any]:
        if self.last is not None:
            blocks.write("last", pack(self.last, self.fingerprint))
        elif blocks.read("last") is not None:
            blocks.remove("last")
        return {}

    def own_from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        kept = blocks.read("last")
        self.last = None if kept is None else unpack(kept, self.fingerprint)[0]
