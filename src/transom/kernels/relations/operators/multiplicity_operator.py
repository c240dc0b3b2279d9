"""The operator that counts equal rows: DISTINCT, set operations, and the streams of what appeared, disappeared or is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import KEY, OWN, THERE
from transom.kernels.columns.arrays import Ints, one_chunk
from transom.kernels.relations.changes import (
    MULTIPLICITIES,
    MultiplicitySteps,
    appeared,
    disappeared,
    distinct_rows,
    last_filled,
    net,
    repeated,
    states,
    steps_of,
    stretches_of,
)
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.moments import NEVER, place_of
from transom.kernels.relations.operators.relational_operator import RelationalOperator
from transom.kernels.relations.pairs import Read
from transom.kernels.state.store import Blocks, pack, unpack

LOOKING = ("states", "latest")
"""What is given of the relation at instants, and not of what changes."""


@dataclass(frozen=True)
class MultiplicityRecord:
    """How often a row of the result is there, given how often it is in each input (`operation`).

    The operator gives the changes of that relation, or the stream of what appeared, disappeared, is there at each instant, or
    at the last instant of each micro-batch.
    Rows are equal if their columns are: those of `columns` in each input, by their place. (What crosses the exchange is in
    another order, where a column stands for two.)
    """

    inputs: tuple[Input, ...]
    operation: str
    gives: str
    columns: tuple[tuple[str, ...], ...]
    fingerprint: str = ""


class MultiplicityOperator(RelationalOperator):
    """Counts of distinct rows. `rows` are those that are in some input now, `counts` how often in each."""

    def __init__(self, record: MultiplicityRecord, *, looks: bool = False) -> None:
        super().__init__(record.inputs, record.fingerprint, looks=looks or record.gives in LOOKING)
        self.record = record
        self.own = [[f"{OWN}{name}" for name in columns] for columns in record.columns]
        self.names = self.own[0]
        self.rows: pa.Table | None = None
        self.counts: list[Ints] = [np.zeros(0, np.int64) for _ in record.inputs]

    def advance(self, reads: list[Read], instants: Ints) -> pa.Table | None:
        tables, moments, changes, side = [], [], [], []
        for number, one in enumerate(reads):
            entering, leaving = np.flatnonzero(one.fresh), np.flatnonzero(one.leaving)
            rows = np.concatenate([entering, leaving])
            tables.append(self._named(one.table.take(pa.array(rows)), self.own[number], reads[0].table.schema))
            moments += [one.since[entering], one.until[leaving]]
            changes += [np.ones(len(entering), np.int64), np.full(len(leaving), -1)]
            side.append(np.full(len(rows), number))
        held = tables[0].slice(0, 0) if self.rows is None else self.rows
        distinct, (known, *found) = distinct_rows([held, *tables], self.names)
        counts = []
        for own in self.counts:
            widened = np.zeros(distinct.num_rows, np.int64)
            widened[known] = own
            counts.append(widened)
        of, change = np.concatenate(side), np.concatenate(changes)
        parts = [np.where(of == number, change, 0) for number in range(len(reads))]
        owner, at, before, now = net(np.concatenate(found), np.concatenate(moments), parts, counts)
        combined = MULTIPLICITIES[self.record.operation]
        steps = steps_of(owner, at, combined(before), combined(now))
        ended = reads[0].high == NEVER
        row, moment, count = self._given(steps, combined(counts), instants, ended=ended)
        for own, after in zip(counts, now, strict=True):
            own[owner] = after
        self._keep(distinct, counts)
        if self.record.gives == "latest" and len(instants) and (len(row) or not ended):
            return self._latest(distinct, row, moment, count, instants[-1:])
        if not len(row):
            return None
        if self.record.gives == "changes":
            return self.changes(distinct.take(pa.array(row)), moment, count)
        rows, when = repeated(row, moment, count)
        return self.stamped(distinct.take(pa.array(rows)), np.asarray(place_of(when), np.int64))

    def _latest(self, distinct: pa.Table, row: Ints, moment: Ints, count: Ints, last: Ints) -> pa.Table:
        """The rows of the latest state; where there are none, a row that says so."""
        rows, when = repeated(row, moment, count)
        if not len(rows):
            distinct, rows, when = (
                pa.table({field.name: pa.nulls(1, field.type) for field in distinct.schema}),
                last[:1] * 0,
                last,
            )
        made = self.stamped(distinct.take(pa.array(rows)), np.asarray(place_of(when), np.int64))
        return made.append_column(THERE, pa.array(np.full(len(when), len(row) > 0)))

    def _given(self, steps: MultiplicitySteps, held: Ints, instants: Ints, *, ended: bool) -> tuple[Ints, Ints, Ints]:
        if self.record.gives == "changes":
            return steps.row, steps.moment, steps.count - steps.before
        if self.record.gives == "appeared":
            return appeared(steps)
        if self.record.gives == "disappeared":
            return disappeared(steps)
        found = stretches_of(steps, held)
        if self.record.gives == "latest":  # an end lets time run on until nothing is there any more
            instants = last_filled(found, instants) if ended else instants[-1:]
        return states(found, instants)

    def _named(self, table: pa.Table, own: Sequence[str], schema: pa.Schema) -> pa.Table:
        """Columns of an input under the names of the first one."""
        return pa.table(
            {name: one_chunk(table[given]).cast(schema.field(name).type) for name, given in zip(self.names, own, strict=True)}
        )

    def _keep(self, distinct: pa.Table, counts: list[Ints]) -> None:
        there = np.logical_or.reduce([own != 0 for own in counts])
        self.rows = distinct.filter(pa.array(there)).combine_chunks()
        self.counts = [own[there] for own in counts]

    def called(self) -> dict[str, dict[str, str]]:
        return {"rows": {f"{KEY}{name}": f"{OWN}{name}" for name in self.record.columns[0]}}

    def own_to_json(self, blocks: Blocks) -> dict[str, Any]:
        if self.rows is None or not self.rows.num_rows:
            if blocks.read("rows") is not None:
                blocks.remove("rows")
            return {}
        table = self.rows
        for number, own in enumerate(self.counts):
            table = table.append_column(f"count{number}", pa.array(own))
        blocks.write("rows", pack(table, self.fingerprint))
        return {}

    def own_from_json(self, note: dict[str, Any], blocks: Blocks) -> None:
        kept = blocks.read("rows")
        if kept is None:
            return
        table, _ = unpack(kept, self.fingerprint)
        self.counts = [np.array(one_chunk(table[f"count{number}"]).to_numpy()) for number in range(len(self.inputs))]
        self.rows = table.select(self.names).combine_chunks()
