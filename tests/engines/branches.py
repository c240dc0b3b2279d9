"""A join or a union of branches on the kernels, without Spark: each branch is fed by itself, at its own speed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tests.engines.kernels import ARROW, Fed, KernelEngine, plain_rows
from tests.engines.merged_reference import row_by_row
from transom.column_names import EVENT_TS, IDLE, INPUT
from transom.kernels.bucket import Bucket
from transom.kernels.slices import Slice
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.plan.nodes.node import Node
from transom.planner import plan as planned
from transom.planner.in_step.merged_stage import Branch, MergedStage
from transom.planner.stage import Stage
from transom.reference.history import Item
from transom.reference.of_plan import TYPES, lower
from transom.reference.outcome import Result, Row
from transom.scalar.evaluation import Scope, evaluate

Types = dict[str, pa.DataType]


class MergedKernels:
    """A plan with a join or a union at work. Its state is loaded and saved in every step, as by a restart."""

    def __init__(self, plan: Node, shards: int = 1, slices: int = 1, seed: int = 0) -> None:
        (stage,) = planned(plan).stages
        assert isinstance(stage, MergedStage)
        self.plan, self.stage, self.random = plan, stage, random.Random(seed)
        engine = KernelEngine(shards, slices, seed=seed)
        self.sides = [_Side(stage, n, branch, engine) for n, branch in enumerate(stage.branches)]
        types = {name: _widest([side.types[name] for side in self.sides if name in side.types]) for name in self._names}
        self.types: Types = {**types, INPUT: pa.int64(), **dict.fromkeys((IDLE, "__keep", "__punct", "__end"), pa.bool_())}
        self.types["__px"] = types["__value"]
        self.spec = stage.spec(self.types)
        self.bucket, self.slices = Bucket(self.spec, shards), slices
        self.state = [Memory() for _ in range(shards)]

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for side in self.sides for name in side.types))

    def feed(self, *batches: Sequence[Item]) -> list[Row]:
        """One micro-batch, of which each branch gets its own items."""
        rows = [row for side, batch in zip(self.sides, batches, strict=True) for row in side.rows(batch)]
        self.random.shuffle(rows)
        cuts = sorted(self.random.randint(0, len(rows)) for _ in range(self.slices - 1))
        pieces = [rows[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
        sent: list[list[Slice]] = [[] for _ in self.state]
        for n, piece in enumerate(pieces):
            table = pa.table({name: pa.array([row.get(name) for row in piece], kind) for name, kind in self.types.items()})
            for shard, made in self.bucket.slices(table, ("", 0, n)):
                sent[shard].append(made)
        found: list[Row] = []
        for blocks, slices in zip(self.state, sent, strict=True):
            operator = ShardOperator(self.spec)
            operator.load(blocks)
            found += plain_rows(operator.step(slices, blocks).rows)
            operator.save(blocks)
        results = [Result(row, 0) for row in found]
        for node in self.stage.above:
            results = row_by_row(node, results)
        return [{name: one.row[name] for name in self.plan.schema.names} for one in results]

    @property
    def waiting(self) -> int:
        """How many blocks of rows wait for the slower branch."""
        return sum(name != "head" for blocks in self.state for name in blocks.blocks)


class _Side:
    """A branch: one window, and its results and control rows as they go into the operator."""

    def __init__(self, stage: MergedStage, number: int, branch: Branch, engine: KernelEngine) -> None:
        (window,) = branch.stages
        assert isinstance(window, Stage)
        self.number, self.below, self.idle = number, branch.below, False
        self.fed = Fed(window, lower(window.top)[1], engine)
        self.columns = stage.columns(number)
        schema = stage.node.inputs[number].schema
        known = (*schema.columns, *schema.hidden, stage.node.schema.find(EVENT_TS))
        kinds = {one.name: TYPES.get(one.type.split("(")[0], "string") for one in known}
        self.types: Types = {name: ARROW[kinds[text.strip("`")]] for name, text in self.columns.items()}

    def rows(self, batch: Sequence[Item]) -> list[dict[str, Any]]:
        results = [Result(row, 0) for row in self.fed.feed(batch)]
        for node in self.below:
            results = row_by_row(node, results)
        scopes = [Scope({**one.row}) for one in results]
        made = [{name: evaluate(text, scope) for name, text in self.columns.items()} for scope in scopes]
        rows = [{**row, INPUT: self.number, IDLE: False, "__keep": True, "__punct": False, "__end": False} for row in made]
        for progress, ended in self.fed.promised:
            told = {"__px": progress, "__end": ended, IDLE: self.idle}
            rows.append({INPUT: self.number, "__keep": True, "__punct": True, **told})
        return rows


def _widest(kinds: list[pa.DataType]) -> pa.DataType:
    """Bounds of some inputs may be integers, and of others decimals."""
    return next((kind for kind in kinds if pa.types.is_decimal(kind)), kinds[-1])
