"""The relational operators as an engine for transcripts: buckets and operators on arrays, without Spark.

What Spark would compute between operators is computed by the reference, row by row. State is stored and read in every step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from tests.engines.kernels import ARROW, Fed, KernelEngine, plain_rows
from tests.engines.merged_reference import row_by_row
from transom.column_names import AFTER, ARRIVED, CHANGE, FRONTIER, IDLE, INPUT_NAME, INSTANTS, OWN_TS
from transom.kernels.bucket import Bucket
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.late_rows import late_column, parted
from transom.kernels.columns.nested import with_text_keys
from transom.kernels.generating import Generating
from transom.kernels.relations.inputs.inputs import BEHIND, Input
from transom.kernels.relations.inputs.stamping import stamped
from transom.kernels.relations.operators.registry import operator_of
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec, WindowedSpec
from transom.kernels.state.rescaling.rescale_shards import rescaled
from transom.kernels.state.store import Memory
from transom.plan.expression import Expression
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter
from transom.plan.nodes.windowed import Cut
from transom.plan.types.schema import Schema
from transom.planner import plan as planned
from transom.planner.late_of import late_of, nodes_above
from transom.planner.relations.inputs import ChangedInput, StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.spec_of import spec_of
from transom.reference.history import Arrival, End
from transom.reference.of_plan import stream_of
from transom.reference.outcome import Result, Row
from transom.rules import RULES
from transom.rules.walk import Rule
from transom.scalar.evaluation import Scope, evaluate, holds
from transom.testing.relation_transcript import RelationExecution, Timed

Promised = list[tuple[Any, bool, list[Any]]]
"""What each shard passes on: its progress, whether the input has ended, and the instants it has had."""


class KernelRelations:
    """The operators on arrays, spread over shards."""

    def __init__(self, shards: int = 1, seed: int = 0, *, rules: Sequence[Rule] = RULES) -> None:
        self.shards, self.seed, self.rules = shards, seed, rules

    def start(self, plan: Node, tables: Mapping[str, list[Row]]) -> RelationExecution:
        return _Execution(plan, self)


class _Execution:
    def __init__(self, plan: Node, engine: KernelRelations) -> None:
        stage = planned(plan, engine.rules).stages[-1]
        assert isinstance(stage, RelationalStage)
        self.plan, self.stage, self.asked = plan, stage, late_of(plan)
        self.top = _Running(stage, engine, top=True)

    def feed(self, batch: Sequence[Timed]) -> list[Row]:
        rows, _, late = self.top.step(batch)
        results = [Result(row, 0) for row in (rows if self.asked is None else late_rows(late, self.asked))]
        for node in self.stage.above if self.asked is None else nodes_above(self.plan, self.asked):
            results = row_by_row(node, results)
        return [{name: one.row[name] for name in self.plan.schema.names} for one in results]

    def rescale(self, shards: int) -> None:
        """Go on with another number of shards."""
        self.top.rescale(shards)

    def late(self) -> Mapping[str, list[Row]]:
        return {}

    def counts(self) -> Mapping[str, Mapping[str, int]]:
        return {}


class _Running:
    """One operator, with its state by shard."""

    def __init__(self, stage: RelationalStage, engine: KernelRelations, *, top: bool) -> None:
        self.stage, self.top = stage, top
        self.shards = engine.shards if stage.shards_by else 1
        self.sides = [_side(one, engine) for one in stage.inputs]
        inputs = tuple(side.input for side in self.sides)
        if not stage.shards_by:
            inputs = tuple(replace(one, spec=replace(one.spec, shard_by=())) for one in inputs)
        factor = inputs[0].spec.axis.factor
        assert factor is not None
        self.record = replace(stage.operator(inputs, factor), fingerprint="x")
        self.state = [Memory() for _ in range(self.shards)]
        self.number = 0

    def rescale(self, shards: int) -> None:
        """The state of all shards for another number of them, where it is spread, here and below."""
        for side in self.sides:
            if not isinstance(side, _StreamSide):
                side.below.running.rescale(shards)
        if not self.stage.shards_by:
            return
        kept = [memory.blocks for memory in self.state]
        made = rescaled(kept, shards) if any(kept) else [{} for _ in range(shards)]
        self.shards, self.state = shards, [Memory() for _ in range(shards)]
        for memory, blocks in zip(self.state, made, strict=True):
            memory.blocks = blocks

    def step(self, batch: Sequence[Timed]) -> tuple[list[dict[str, Any]], Promised, list[Row]]:
        sent: list[list[Slice]] = [[] for _ in self.state]
        for n, side in enumerate(self.sides):
            for table in side.tables(batch):
                self.number += 1
                taken, passed = parted(table)
                bucket = Bucket(side.input.spec, self.shards, numbered=side.input.numbered)
                for shard, piece in bucket.slices(with_text_keys(stamped(taken, side.input), ("k:",)), ("", 0, self.number)):
                    sent[shard].append(replace(piece, input=n, passed=passed))
                    passed = None
        rows: list[dict[str, Any]] = []
        promised: Promised = []
        late: list[Row] = []
        for blocks, slices in zip(self.state, sent, strict=True):
            operator = operator_of(self.record, looks=not self.top)
            operator.load(blocks)
            out = operator.step(slices, blocks)
            operator.save(blocks)
            axis, kind = operator.axis, operator.axis_type
            known = out.progress is not None and axis.nothing_yet < out.progress < axis.everything
            progress = axis.values(np.array([out.progress]), kind)[0].as_py() if known else None
            ended = any(piece.ended for piece in slices)
            promised.append((progress, ended, axis.values(out.boundaries, kind).to_pylist()))
            rows += self._finished(plain_rows(out.rows))
            late += [] if out.late is None else out.late.to_pylist()
        return rows, promised, late

    def _finished(self, rows: list[Row]) -> list[dict[str, Any]]:
        items, condition = self.stage.finish()
        made = []
        for row in rows:
            scope = Scope({**row})
            named = {name: evaluate(text, scope) for name, text in items}
            if condition is None or holds(condition, Scope({**scope.columns, **named})):
                hidden = {name: row[name] for name in ("event_ts", CHANGE, AFTER) if name in row}
                made.append({**hidden, **named})
        return made


class _StreamSide:
    """A stream with a window."""

    def __init__(self, one: StreamInput) -> None:
        self.stage, self.stream = one.stage, one.stage.scan
        self.columns = one.stage.columns()
        schema = one.stage.input_schema
        types = {name: _arrow(text, schema) for name, text in self.columns.items()}
        spec = spec_of(one.stage, types)
        self.types = types
        partition_by = tuple(f"x@{name}" for name in one.stage.partition_by)
        window = spec.window if isinstance(spec, WindowedSpec) else None
        about = (one.stage.stamps, one.stage.numbered, one.stage.late_number, one.stage.called)
        self.input = Input(spec, _carried(types), window, partition_by, (), False, *about)
        self.row_num = 0

    def tables(self, batch: Sequence[Timed]) -> list[pa.Table]:
        assert self.stream is not None
        stream = self.stream.stream
        rows: list[dict[str, Any]] = []
        conditions = [node.condition.text for node in self.stage.below if isinstance(node, Filter)]
        for name, item in batch:
            if isinstance(item, Arrival) and name == stream.name:
                self.row_num += 1
                scope = Scope(
                    {**{column.name: item.values.get(column.name) for column in stream.columns}, "row_num": self.row_num}
                )
                row = {column: evaluate(text, scope) for column, text in self.columns.items()}
                rows.append({**row, "__keep": all(holds(text, scope) for text in conditions)})
        types = {**self.types, "__keep": pa.bool_()}
        table = pa.table({column: pa.array([row[column] for row in rows], kind) for column, kind in types.items()})
        ended = any(isinstance(item, End) for _, item in batch)
        end = pa.table({**{column: pa.nulls(1, kind) for column, kind in types.items()}, "__end": pa.array([True])})
        return [table, end] if ended else [table]


class _Below:
    """The operator below an input, and what Spark computes of its rows."""

    def __init__(self, stages: Sequence[Any], nodes: Sequence[Node], engine: KernelRelations) -> None:
        (stage,) = stages
        self.number = getattr(stage, "late_number", None)
        self.nodes, self.relational = nodes, isinstance(stage, RelationalStage)
        self.running: Any
        if isinstance(stage, RelationalStage):
            self.running = _Running(stage, engine, top=False)
            self.kind = self.running.sides[0].input.spec.axis_type
            self.schema = stage.node.schema
        else:
            cut = next(node for node in stage.top.chain() if isinstance(node, Cut))
            stream = stream_of(stage.scan.stream, cut.disorder, cut)
            self.running = Fed(stage, stream, KernelEngine(engine.shards, 1, seed=engine.seed))
            self.stream = stage.scan.stream.name
            self.kind = self.running._main.spec.bounds_type
            self.schema = stage.top.schema
        for node in nodes:
            self.schema = node.schema

    def step(self, batch: Sequence[Timed]) -> tuple[list[Row], Promised, list[Row]]:
        """The rows of a micro-batch, what each shard promises, and late tuples."""
        if self.relational:
            rows, promised, late = self.running.step(batch)
        else:
            rows = self.running.feed([item for name, item in batch if name == self.stream or isinstance(item, End)])
            late = [] if self.number is None else [{late_column(self.number): one} for one in self.running.late()]
            pairs = zip(self.running.promised, self.running.boundaries, strict=False)  # one shard may do for all
            promised = [(progress, ended, instants) for (progress, ended), instants in pairs]
        return [one for row in rows for one in self._passed(dict(row))], promised, late

    def _passed(self, row: Row) -> list[Row]:
        """A row through what Spark computes between the operators, with what it is stamped with."""
        results = [Result(row, 0)]
        for node in self.nodes:
            results = row_by_row(node, results)
        own = [name for name in row if name.startswith((OWN_TS, ARRIVED))]
        hidden = {name: row[name] for name in ("event_ts", CHANGE, AFTER, *own) if name in row}
        return [{**hidden, **one.row} for one in results]

    def table(self, batch: Sequence[Timed], texts: Mapping[str, str], types: Mapping[str, pa.DataType]) -> pa.Table:
        """The columns that bucket takes, with those of control rows."""
        rows, promised, late = self.step(batch)
        flat = {"__punct": False, "__end": False, IDLE: False, "__px": None, INSTANTS: None, "__keep": True}
        made = []
        for row in rows:
            own = {name: evaluate(text, Scope({**row})) for name, text in texts.items()}
            own |= {"__value": row["event_ts"], f"t:{CHANGE}": row.get(CHANGE), BEHIND: row.get(AFTER)}
            made.append({**own, **flat})
        for progress, ended, instants in promised:
            nothing = dict.fromkeys([*texts, "__value", f"t:{CHANGE}", BEHIND])
            made.append({**nothing, **flat, "__punct": True, "__end": ended, "__px": progress, INSTANTS: instants})
        flags = dict.fromkeys(("__punct", "__end", IDLE, "__keep"), pa.bool_())
        nothing = dict.fromkeys([*texts, "__value", f"t:{CHANGE}", BEHIND])
        made += [{**nothing, **flat, **one} for one in late]
        kinds = {**types, "__value": self.kind, **flags, "__px": self.kind, INSTANTS: pa.list_(self.kind)}
        kinds |= {name: None for one in late for name in one}
        return pa.table({name: pa.array([row.get(name) for row in made], kind) for name, kind in kinds.items()})


class _MadeSide:
    """A window on a stream that operators below make."""

    def __init__(self, one: StreamInput, engine: KernelRelations) -> None:
        self.below = _Below(one.stages, one.stage.below, engine)
        self.columns = one.stage.columns()
        self.types = {name: _below_type(text, self.below.schema, self.below.kind) for name, text in self.columns.items()}
        spec = spec_of(one.stage, self.types | {"__value": self.below.kind})
        assert isinstance(spec, WindowedSpec)
        partition_by = tuple(f"x@{name}" for name in one.stage.partition_by)
        about = (one.stage.stamps, one.stage.numbered, None, one.stage.called)
        self.input = Input(spec, _carried(self.types), spec.window, partition_by, (), False, *about)

    def tables(self, batch: Sequence[Timed]) -> list[pa.Table]:
        return [self.below.table(batch, self.columns, self.types)]


class _BelowSide:
    """An operator below, which says what changes, or reports the whole relation at each instant."""

    def __init__(self, one: ChangedInput, engine: KernelRelations) -> None:
        self.below = _Below(one.stages, one.below, engine)
        self.texts, kind = one.carried.texts(), self.below.kind
        self.types = {name: _below_type(text, self.below.schema, kind) for name, text in self.texts.items()}
        keys = tuple(name for name, _ in one.carried.keys)
        axis = Axis(10**kind.scale if pa.types.is_decimal(kind) else 1)
        spec = Spec(axis=axis, axis_type=kind, generating=Generating(derived=True), keys=keys, shard_by=keys)
        self.input = Input(
            spec, _carried(self.types), one.reports, stamped=one.stamped, is_open=one.is_open, is_reported=one.reports is not None
        )
        if one.reports is None:
            self.types |= {f"t:{CHANGE}": pa.int8(), BEHIND: pa.bool_()}

    def tables(self, batch: Sequence[Timed]) -> list[pa.Table]:
        return [self.below.table(batch, self.texts, self.types)]


def _side(one: StreamInput | ChangedInput, engine: KernelRelations) -> _StreamSide | _MadeSide | _BelowSide:
    if isinstance(one, ChangedInput):
        return _BelowSide(one, engine)
    return _MadeSide(one, engine) if one.stages else _StreamSide(one)


def late_rows(late: Sequence[Row], asked: LateOf) -> list[Row]:
    """Late tuples that went through operators, as Spark gives them."""
    made = []
    for one in late:
        number, found = next((n, one[late_column(n)]) for n, _ in enumerate(asked.leaves) if one.get(late_column(n)) is not None)
        name, columns = asked.taken[number]
        own = {asked.owners[name, column]: found[column.name] for column in columns}
        beside = {INPUT_NAME: name, FRONTIER: found[FRONTIER], "event_ts": found[FRONTIER]}
        made.append({**dict.fromkeys(asked.schema.names), **own, **beside})
    return made


def _carried(types: Mapping[str, pa.DataType]) -> pa.Schema:
    ours = (f"t:{CHANGE}", BEHIND)
    return pa.schema([(name, kind) for name, kind in types.items() if name.startswith(("k:", "t:", "x")) and name not in ours])


def _arrow(text: str, schema: Schema) -> pa.DataType:
    """The type of an expression, as far as it is known without Spark; numbers otherwise."""
    kind = Expression(text).type_in(schema).split("(")[0].lower()
    return pa.list_(ARROW[kind[6:-1]]) if kind.startswith("array<") else ARROW.get(kind, pa.int64())


def _below_type(text: str, schema: Schema, kind: pa.DataType) -> pa.DataType:
    """The type of a column that an operator below gives; what marks the timestamps of an input is of the axis."""
    name = text.strip("`")
    if OWN_TS in name or name == "event_ts":
        return kind
    return _arrow(text, schema)


__all__ = ["KernelRelations"]
