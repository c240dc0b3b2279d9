"""The kernels as an engine: bucket, exchange and window operators on arrays, without Spark.

What Spark would compute below and above the operators is computed by the reference, tuple by tuple.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from tests.engines.plans import IS_PUNCTUATION, plan_of
from transom.column_names import ARRIVAL_TS
from transom.kernels.bucket import FOLD, Bucket
from transom.kernels.columns.batch import Counts as KernelCounts
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec
from transom.kernels.state.rescaling.rescale_shards import rescaled
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.kernels.windows.frontier_operator import FrontierOperator, handed_to
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.planner import plan as planned
from transom.planner.spec_of import operator_of
from transom.planner.stage import Stage
from transom.reference.history import Arrival, End, Item
from transom.reference.outcome import OutcomeCounts, Row
from transom.reference.query import Query
from transom.reference.stream import ReferenceStream
from transom.rules import RULES
from transom.rules.walk import Rule
from transom.scalar.evaluation import Scope, evaluate, holds
from transom.semantics.time import EPOCH
from transom.semantics.tuples import Tuple
from transom.testing.engine import Execution

CLOCK = "__clock"
ARROW = {
    "string": pa.string(),
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "decimal": pa.decimal128(38, 12),
    "timestamp": pa.timestamp("us", "UTC"),
    "date": pa.date32(),
}


class KernelEngine:
    """Kernels, with the tuples spread over shards and each micro-batch over slices, as Spark does. With fewer `rules` they run
    what a plan says without the others. With `apart`, a frontier operator folds the sequence of a controller."""

    def __init__(
        self, shards: int = 1, slices: int = 1, *, rules: Sequence[Rule] = RULES, seed: int = 0, apart: bool = False
    ) -> None:
        self.shards, self.slices, self.rules, self.seed, self.apart = shards, slices, rules, seed, apart

    def start(self, query: Query, stream: ReferenceStream) -> Execution:
        return _KernelExecution(query, stream, self)


def stage_of(plan: Node, engine: KernelEngine) -> Stage:
    """The one stage of a plan."""
    (stage,) = planned(plan, engine.rules).stages
    assert isinstance(stage, Stage)
    return stage


class _KernelExecution:
    def __init__(self, query: Query, stream: ReferenceStream, engine: KernelEngine) -> None:
        self._stream, self._engine = stream, engine
        plan = plan_of(query, stream)
        self._random = random.Random(engine.seed)
        self._clock: Any = EPOCH
        self._main = _Running(stage_of(plan, engine), stream, engine)
        self._judge = _Running(stage_of(LateOf(plan, "q"), engine), stream, engine)
        self._late: list[Row] = []

    def feed(self, batch: Sequence[Item]) -> list[Row]:
        pieces, ended = self._pieces(batch)
        self._late += self._judge.step(pieces, ended)[1]
        return self._main.step(pieces, ended)[0]

    def _pieces(self, batch: Sequence[Item]) -> tuple[list[list[dict[str, Any]]], bool]:
        rows, ended = self._rows(batch), any(isinstance(item, End) for item in batch)
        cuts = sorted(self._random.randint(0, len(rows)) for _ in range(self._engine.slices - 1))
        return [rows[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)], ended

    def _rows(self, batch: Sequence[Item]) -> list[dict[str, Any]]:
        rows = []
        for item in batch:
            if isinstance(item, Arrival):
                self._clock = self._clock if item.arrival_ts is None else item.arrival_ts
                values = self._stream.tuple_values(item.values)
                arrival = self._clock if self._stream.arrival_by is None else values[self._stream.arrival_by]
                rows.append({**values, ARRIVAL_TS: arrival, CLOCK: self._clock, IS_PUNCTUATION: False})
            elif not isinstance(item, End):
                nothing = dict.fromkeys(self._stream.columns)
                self._stream.punctuation_of(item.values)
                rows.append({**nothing, ARRIVAL_TS: self._clock, CLOCK: self._clock, **item.values, IS_PUNCTUATION: True})
        return rows

    def rescale(self, shards: int) -> None:
        """Go on with another number of shards."""
        self._main.rescale(shards)
        self._judge.rescale(shards)

    def late(self) -> list[Row]:
        return self._late

    def counts(self) -> OutcomeCounts:
        found = self._main.counts()
        arrived = found.used + found.dropped + found.outside
        return OutcomeCounts(arrived, found.used, found.dropped, found.outside, found.late, found.above_max)


class Fed(_KernelExecution):
    """A stage whose results and progress go on to another operator."""

    def __init__(self, stage: Stage, stream: ReferenceStream, engine: KernelEngine) -> None:
        self._stream, self._engine = stream, engine
        self._random = random.Random(engine.seed)
        self._clock = EPOCH
        self._main = _Running(stage, stream, engine, passes_on=True)

    def feed(self, batch: Sequence[Item]) -> list[Row]:
        rows, self._late = self._main.step(*self._pieces(batch))
        return rows

    def rescale(self, shards: int) -> None:
        self._main.rescale(shards)

    @property
    def promised(self) -> list[tuple[Any, bool]]:
        """The progress that each shard passed on in the last micro-batch, and whether it had come to an end."""
        return self._main.promised

    @property
    def boundaries(self) -> list[list[Any]]:
        """The instants of the extents that ended in the last micro-batch, by shard."""
        return self._main.boundaries


class _Running:
    """One stage, with its state by shard."""

    def __init__(self, stage: Stage, stream: ReferenceStream, engine: KernelEngine, *, passes_on: bool = False) -> None:
        self.stage, self.stream = stage, stream
        self.columns = {name: text.replace("`", "") for name, text in stage.columns().items()}
        items, having = stage.finish()
        hidden = [("event_ts", "event_ts")] if passes_on and "event_ts" not in dict(items) else []
        self.finish = ([*items, *hidden], having)
        self.promised: list[tuple[Any, bool]] = []
        self.now: int | None = None
        self.boundaries: list[list[Any]] = [[] for _ in range(engine.shards)]
        types = {name: self._type(text) for name, text in self.columns.items()}
        spec, parts = operator_of(stage, types)
        if engine.apart and spec.generating.control is not None:
            spec = replace(spec, generating=replace(spec.generating, stepped=True))
        self.frontier = Memory()
        self.types, self.spec, self.parts = types, replace(spec, passes_on=passes_on), list(parts)
        spec = self.spec
        self.shards = engine.shards if stage.shard_by else 1
        self.bucket = Bucket(spec, self.shards, tuple(self.parts))
        self.state = [Memory() for _ in range(self.shards)]
        self._counts = [KernelCounts() for _ in range(self.shards)]

    def rescale(self, shards: int) -> None:
        """The state of all shards for another number of them, where it is spread."""
        if not self.stage.shard_by:
            return
        kept = [memory.blocks for memory in self.state]
        self.shards, self.boundaries = shards, [[] for _ in range(shards)]
        self.bucket = Bucket(self.spec, shards, tuple(self.parts))
        self.state = [Memory() for _ in range(shards)]
        if any(kept):
            for memory, blocks in zip(self.state, rescaled(kept, shards), strict=True):
                memory.blocks = blocks
        self._counts = [self._counted(memory) for memory in self.state]

    def _counted(self, memory: Memory) -> KernelCounts:
        operator = ShardOperator(self.spec, self.parts)
        operator.load(memory)
        return operator.kind.counts

    def _type(self, text: str) -> pa.DataType:
        if text in self.stream.columns:
            return ARROW[self.stream.columns[text]]
        if text == ARRIVAL_TS:
            return ARROW["timestamp" if self.stream.arrival_by is None else self.stream.columns[self.stream.arrival_by]]
        return _arrow_of(text, self.stage)

    def step(self, pieces: list[list[dict[str, Any]]], ended: bool) -> tuple[list[Row], list[Row]]:
        """One micro-batch: what leaves, and what is late."""
        sent: dict[int, list[Slice]] = {shard: [] for shard in range(FOLD, self.shards)}
        times = [row[CLOCK] for piece in pieces for row in piece]
        self.now = (times[-1] - EPOCH) // timedelta(microseconds=1) if times else self.now
        for n, piece in enumerate(pieces):
            table = self._table(piece)
            for shard, made in self.bucket.slices(table, ("", 0, n)):
                last = n == len(pieces) - 1 and (shard == FOLD or not self.spec.generating.stepped)
                sent[shard].append(replace(made, ended=ended and last))
        if self.spec.generating.stepped:
            steps = self._folded(sent[FOLD])
            for shard in range(self.shards):
                sent[shard].append(handed_to(steps, counts=shard == 0))
        rows: list[Row] = []
        late: list[Row] = []
        self.promised = []
        for shard in range(self.shards):
            operator = ShardOperator(self.spec, self.parts)
            operator.load(self.state[shard])
            out = operator.step(sent[shard], self.state[shard])
            operator.save(self.state[shard])
            self._counts[shard] = out.counts
            self.promised.append((self._value(out.progress), ended))
            self.boundaries[shard] = [self._value(x) for x in out.boundaries]
            rows += [] if self.stage.only_late else self._finished(out.rows)
            late += self._late_rows(out.late)
        return rows, late

    def _folded(self, slices: list[Slice]) -> Slice:
        """What the frontier operator hands to all shards."""
        folding = FrontierOperator(self.spec, self.parts)
        folding.load(self.frontier)
        steps = folding.step(slices)
        folding.save(self.frontier)
        return steps

    def _value(self, x: Any) -> Any:
        """Progress as a value of the axis; None where there is none, or an end."""
        axis = self.spec.axis
        known = x is not None and axis.nothing_yet < x < axis.everything
        return axis.values(np.array([x], axis.dtype), self.spec.bounds_type)[0].as_py() if known else None

    def _is_ahead(self, row: dict[str, Any]) -> bool:
        return not row[IS_PUNCTUATION] and self.stream.is_ahead(Tuple(0, 0, row, row[ARRIVAL_TS]))

    @staticmethod
    def _named(value: Any) -> str:
        return "" if value is None else str(value)

    def _table(self, rows: list[dict[str, Any]]) -> pa.Table:
        made: dict[str, list[Any]] = {name: [] for name in self.columns}
        made["__keep"] = []
        filters = [node for node in self.stage.below if isinstance(node, Filter)]
        conditions = [node.condition.text for node in filters]
        for row in rows:
            scope = Scope({**row})
            for name, text in self.columns.items():
                made[name].append(self._is_ahead(row) if name == "__ahead" else evaluate(text, scope))
            made["__keep"].append(row[IS_PUNCTUATION] or all(holds(text, scope) for text in conditions))
        per_source = self.stage.reading.per_source
        if per_source:
            made["__source"] = ["\x1f".join(self._named(row[name]) for name in per_source) for row in rows]
        if self.stage.looks_at_clock:
            made["__now"] = [self.now for _ in rows]
        types = {
            **self.types,
            "__keep": pa.bool_(),
            "__pick": pa.bool_(),
            "__punct": pa.bool_(),
            "__ahead": pa.bool_(),
        }
        return pa.table({name: pa.array(values, types.get(name)) for name, values in made.items()})

    def _finished(self, table: pa.Table | None) -> list[Row]:
        if table is None:
            return []
        items, having = self.finish
        rows: list[Row] = []
        for row in plain_rows(table):
            scope = Scope(row)
            made = {name: evaluate(text, scope) for name, text in items}
            if having is None or holds(having, Scope({**scope.columns, **made})):
                rows.append(made)
        return rows

    def _late_rows(self, table: pa.Table | None) -> list[Row]:
        if table is None:
            return []
        named = table.rename_columns([_outer(name) for name in table.column_names])
        wanted = [*self.stream.columns, "frontier"]
        return [{name: _utc(value) for name, value in row.items() if name in wanted} for row in named.to_pylist()]

    def counts(self) -> KernelCounts:
        total = KernelCounts()
        for one in self._counts:
            total = total.plus(one)
        return total


def plain_rows(table: pa.Table | None) -> list[Row]:
    """The rows of an operator by the names that expressions know."""
    rows = [] if table is None else table.to_pylist()
    return [{_outer(name): _utc(value) for name, value in row.items()} for row in rows]


def _outer(name: str) -> str:
    """A column of an operator by the name that expressions know it by."""
    if name[:2] in ("k:", "t:"):
        return name[2:]
    return f"__{name}" if name[0] == "y" and name[1:].isdigit() else name


def _utc(value: Any) -> Any:
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _arrow_of(text: str, stage: Stage) -> Any:
    """The type of an expression, as far as it can be told; else Arrow finds it in the values."""
    from transom.plan.expression import Expression

    kind = Expression(text).type_in(stage.input_schema).split("(")[0].lower()
    return ARROW.get(kind)


__all__ = ["KernelEngine", "Spec"]
