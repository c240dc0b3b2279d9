"""A query on the kernels: bucket, operator and packed state, one shard, without Spark."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from transom.fluent import Relation
from transom.kernels.bucket import Bucket
from transom.kernels.columns.batch import Counts
from transom.kernels.slices import Slice
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.planner import plan as planned
from transom.planner.spec_of import operator_of
from transom.planner.stage import Stage


class Engine:
    """Micro-batches in, results out. The query names columns and nothing more, since Spark is not here to compute."""

    def __init__(self, query: Relation, types: dict[str, pa.DataType]) -> None:
        (stage,) = planned(query.plan).stages
        assert isinstance(stage, Stage)
        self.stage = stage
        self.columns = {name: text.strip("`") for name, text in self.stage.columns().items()}
        own = {name: types[text] for name, text in self.columns.items()}
        self.spec, parts = operator_of(self.stage, own)
        self.parts = list(parts)
        self.bucket, self.blocks, self.counts = Bucket(self.spec, 1, tuple(self.parts)), Memory(), Counts()
        self.batches = 0

    def step(self, table: pa.Table, *, ended: bool = False) -> pa.Table:
        """The rows that leave with a micro-batch."""
        own = pa.table({name: table[text] for name, text in self.columns.items()})
        self.batches += 1
        return self._step([replace(piece, ended=ended) for _, piece in self.bucket.slices(own, (self.batches,))])

    def _step(self, slices: list[Slice]) -> pa.Table:
        operator = ShardOperator(self.spec, self.parts)
        operator.load(self.blocks)
        out = operator.step(slices, self.blocks)
        operator.save(self.blocks)
        self.counts = out.counts
        items, _ = self.stage.finish()
        if out.rows is None:
            return pa.table({name: [] for name, _ in items})
        return pa.table({name: out.rows[_inner(text, out.rows)] for name, text in items})

    def answer(self, table: pa.Table, batch: int) -> pa.Table:
        """All rows, over micro-batches of so many."""
        parts = [self.step(table.slice(start, batch)) for start in range(0, table.num_rows, batch)]
        parts.append(self.step(table.slice(0, 0), ended=True))
        return pa.concat_tables([part for part in parts if part.num_rows])


def _inner(text: str, rows: Any) -> str:
    """A column of the operator, of the name that the select list knows it by."""
    name = text.strip("`")
    return next(one for one in (name, name.removeprefix("__"), f"k:{name}") if one in rows.column_names)
