"""The operator that joins two relations, as a stream of pairs or as a relation that changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.column_names import KEY, OWN
from transom.kernels.columns.arrays import Ints, is_ascending, one_chunk
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.moments import place_of
from transom.kernels.relations.operators.relational_operator import RelationalOperator
from transom.kernels.relations.pair_conditions import PairCondition
from transom.kernels.relations.pairs import Meeting, PairRows, Read, changes_of, stream_of


@dataclass(frozen=True)
class JoinRecord:
    """A join: its kind, and the columns that are equal (`k:..` of both inputs).

    It gives the changes of the relation, or the stream of new pairs, each with the instant at which it appeared. (The smallest or
    the largest timestamp of its tuples is for Spark to pick from columns of both.) `least` and `most` bound the place of the
    right row less that of the left one. Timestamps of pairs are up to `back` before the instant. Rows match where `condition`
    holds, too.
    """

    inputs: tuple[Input, Input]
    kind: str
    keys: tuple[str, ...]
    gives_changes: bool
    least: int | None = None
    most: int | None = None
    back: int | None = 0
    condition: PairCondition | None = None
    fingerprint: str = ""


class JoinOperator(RelationalOperator):
    """The join of two inputs."""

    def __init__(self, record: JoinRecord, *, looks: bool = False) -> None:
        super().__init__(record.inputs, record.fingerprint, looks=looks)
        self.record = record
        self.keeps_tuples, self.back = not record.gives_changes, record.back
        self.meeting = Meeting(tuple(f"{KEY}{name}" for name in record.keys), record.least, record.most, record.condition)

    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        left, right = reads
        made = (changes_of if self.record.gives_changes else stream_of)(self.record.kind, left, right, self.meeting)
        if not len(made.moment):
            return None
        if self.record.gives_changes:
            return self.changes(self._columns(left, right, made), made.moment, made.change)
        stamps = np.asarray(place_of(made.moment), np.int64)
        if not is_ascending(stamps):
            order = np.argsort(stamps, kind="stable")
            made, stamps = made.of(order), stamps[order]
        return self.stamped(self._columns(left, right, made), stamps)

    def _columns(self, left: Read, right: Read, made: PairRows) -> pa.Table:
        """The columns of both rows; of a row without a match, NULLs for those of the other."""
        sides = [(left, made.left)] if self.record.kind in ("semi", "anti") else [(left, made.left), (right, made.right)]
        columns = {}
        for side, rows in sides:
            chosen = pa.array(rows, mask=rows < 0)
            for name in side.table.column_names:
                if name.startswith(OWN):
                    columns[name] = one_chunk(side.table[name]).take(chosen)
        return pa.table(columns) if columns else pa.table({"": pa.nulls(len(made.moment))}).select([])
