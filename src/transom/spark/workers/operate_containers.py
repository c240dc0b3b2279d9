"""What runs on executors for operators over windows with policies: the bucket of each input, and the operator of a shard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import ABOUT, KIND
from transom.kernels.applied.applied_operator import Runs, container_operator
from transom.kernels.applied.applied_spec import TUPLE, ContainerSpec
from transom.kernels.applied.port_slices import slices_of_chunk
from transom.kernels.inspection import sampled
from transom.kernels.slices import Slice
from transom.kernels.state.store import Blocks, Memory
from transom.spark.by_name import by_name
from transom.spark.exchange.memory import keep_memory
from transom.spark.exchange.wire import encode
from transom.spark.watched import NEVER, is_watched
from transom.spark.workers.operate import CONTROL, COUNTS, chunks, named, partition_id, slices_by_shard


@dataclass(frozen=True)
class ContainerPlan:
    """An operator over windows with policies as it is sent to executors."""

    spec: ContainerSpec
    labels: tuple[int, ...]
    output: pa.Schema
    items: None = None
    watch: str = NEVER
    shown: tuple[tuple[str, str], ...] = ()

    @property
    def leaving(self) -> pa.Schema:
        """The columns that leave the operator."""
        return self.output.remove(self.output.get_field_index(ABOUT))


def bucketed(plan: ContainerPlan, number: int) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark maps over the partitions of an input."""

    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_memory()
        partition = partition_id()
        first, row = (number << 56) + (partition << 32), partition << 40
        sent = count(first)
        for n, table in enumerate(chunks(batches)):
            for shard, piece in slices_of_chunk(table, plan.spec.inputs[number], number, len(plan.labels), first + n, row):
                yield encode(plan.labels[shard], next(sent), piece)
            row += table.num_rows

    return run


def operated(plan: ContainerPlan, slices: list[Slice], blocks: Blocks, *, ends: bool = False) -> pa.Table:
    """One micro-batch of one shard: a control row, then what the operator emitted."""
    keep_memory()
    operator = container_operator(plan.spec)
    made = operator.step(slices, blocks, ends=ends)
    control = _control(plan, operator, slices, made)
    return control if made is None else pa.concat_tables([control, _shaped(plan, made)])


def _control(plan: ContainerPlan, operator: Runs, slices: list[Slice], made: pa.Table | None) -> pa.Table:
    before = {name: count for name, count in operator.before_counts.items() if count and name in COUNTS}
    about: dict[str, Any] = {**dict.fromkeys(COUNTS, 0), **operator.counts, "before": before, "frontier": None}
    about["taken"] = [sum(_tuples(piece.rows) for piece in slices if piece.input == n) for n in range(len(plan.spec.inputs))]
    about["gave"] = {"results": 0 if made is None else _tuples(made), "late": 0}
    if is_watched(plan.watch) and made is not None:
        results = made.filter(pa.compute.equal(made[KIND], TUPLE)) if KIND in made.column_names else made
        some = sampled(results)
        about["inspected"] = {"results": named(plan.shown, some)} if some else {}
    columns = [pa.nulls(1, field.type) for field in plan.output]
    columns[plan.output.get_field_index(KIND)] = pa.array(np.array([CONTROL], np.int8))
    columns[plan.output.get_field_index(ABOUT)] = pa.array([json.dumps(about)])
    return pa.Table.from_arrays(columns, schema=plan.output)


def _tuples(table: pa.Table) -> int:
    """Rows that are tuples, and no punctuation."""
    if KIND not in table.column_names:
        return int(table.num_rows)
    return int(np.count_nonzero(np.asarray(table[KIND]) == TUPLE))


def _shaped(plan: ContainerPlan, made: pa.Table) -> pa.Table:
    return made.append_column(ABOUT, pa.nulls(made.num_rows, pa.string())).cast(plan.output)


def ran(plan: ContainerPlan) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The operator over bounded inputs: all slices of a shard. Their end flushes nothing."""

    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_memory()
        for _, arrived in slices_by_shard(batches):
            yield from operated(plan, list(arrived), Memory(), ends=True).to_batches()

    return run
