"""What runs on executors for a relational operator: the bucket of each input, and the operator on the slices of a shard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count

import pyarrow as pa

from transom.column_names import ABOUT, KEY
from transom.kernels.bucket import Bucket
from transom.kernels.columns.batch import Counts
from transom.kernels.columns.late_rows import parted
from transom.kernels.columns.nested import with_text_keys
from transom.kernels.inspection import sampled
from transom.kernels.relations.inputs.stamping import stamped
from transom.kernels.relations.operators.registry import Record, operator_of
from transom.kernels.relations.operators.relational_operator import RelationalOperator
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec
from transom.kernels.state.store import Blocks, Memory
from transom.spark.by_name import by_name
from transom.spark.exchange.copies import Copies
from transom.spark.exchange.memory import keep_memory
from transom.spark.exchange.wire import encode
from transom.spark.watched import NEVER, is_watched
from transom.spark.workers.operate import assembled, chunks, partition_id, slices_by_shard


@dataclass(frozen=True)
class RelationalPlan:
    """A relational operator as it is sent to executors."""

    record: Record
    labels: tuple[int, ...]
    output: pa.Schema
    copies: tuple[Copies, ...]
    """Of each input, the columns that are made here instead of being sent."""
    looks: bool = False
    items: None = None
    without_tolerance: str | None = None
    watch: str = NEVER
    shown: tuple[tuple[str, str], ...] = ()

    @property
    def spec(self) -> Spec:
        """What the control row is measured by: the axis that all inputs share."""
        return self.record.inputs[0].spec

    @property
    def leaving(self) -> pa.Schema:
        """The columns that leave the operator."""
        return self.output.remove(self.output.get_field_index(ABOUT))

    def operator(self) -> RelationalOperator:
        return operator_of(self.record, looks=self.looks)


def bucketed(plan: RelationalPlan, number: int) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark maps over the partitions of an input."""

    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_memory()
        partition = partition_id()
        taken_in = plan.record.inputs[number]
        bucket = Bucket(taken_in.spec, len(plan.labels), turn=partition, numbered=taken_in.numbered)
        first = (number << 56) + (partition << 32)
        sent = count(first)
        for n, table in enumerate(chunks(batches)):
            taken, late = parted(table)
            rows = with_text_keys(stamped(plan.copies[number].for_bucket(taken), taken_in), (KEY,))
            for shard, piece in bucket.slices(rows, ("", 0, first + n)):
                yield encode(plan.labels[shard], next(sent), replace(piece, input=number, passed=late))
                late = None

    return run


def operated(plan: RelationalPlan, slices: list[Slice], blocks: Blocks) -> pa.Table:
    """One micro-batch of one shard."""
    keep_memory()
    operator = plan.operator()
    operator.load(blocks)
    before = operator.counted()
    out = operator.step(slices, blocks)
    if is_watched(plan.watch):
        out.inspected = sampled(out.rows)
    operator.save(blocks)
    return assembled(plan, out, before, ended=any(piece.ended for piece in slices))


def ran(plan: RelationalPlan) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The operator over bounded inputs: all slices of a shard, and then their end."""

    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_memory()
        for _, arrived in slices_by_shard(batches):
            operator, blocks = plan.operator(), Memory()
            slices = list(arrived)
            ends = (Slice(("", 2**62, 0), pa.table({}), ended=True, input=number) for number in range(len(plan.record.inputs)))
            slices.extend(ends)
            out = operator.step(slices, blocks)
            yield from assembled(plan, out, Counts(), ended=True).to_batches()

    return run
