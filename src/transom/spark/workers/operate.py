"""What runs on executors: bucket on slices of a micro-batch, and the window operator on the slices of a shard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, groupby
from operator import itemgetter
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from transom.column_names import ABOUT, BESIDE, BOUNDARIES, HAS_ENDED, IS_IDLE, KEY, KIND, OWN, PROGRESS
from transom.errors import CheckpointMismatch
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.bucket import FOLD, Bucket
from transom.kernels.columns.batch import Counts, OperatorOutput
from transom.kernels.columns.late_rows import parted
from transom.kernels.columns.nested import values_of, with_text_keys
from transom.kernels.slices import Slice
from transom.kernels.spec import BOUNDS, Spec
from transom.kernels.state.migration import QUERY
from transom.kernels.state.store import Blocks, Memory
from transom.kernels.window_operator import ShardOperator
from transom.spark.by_name import by_name
from transom.spark.exchange.copies import NO_COPIES, Copies
from transom.spark.exchange.memory import keep_memory
from transom.spark.exchange.wire import decode, encode
from transom.spark.watched import NEVER, is_watched
from transom.spark.workers.changed import with_changes

CHUNK, BYTES = 1 << 20, 64 << 20
"""Rows that bucket takes at a time, or bytes of them."""

LAST = ("", 2**62, 0)
"""The place of the end of a bounded input."""

FOLDS = 0
"""The label of the group that folds the sequence, where one does. A shard has it, too: slices to fold have negative numbers."""

RESULT, LATE, CONTROL = 0, 1, 2
COUNTS = ("used", "dropped", "outside", "late", "ahead", "above_max")


class Assembled(Protocol):
    """What the rows of an operator are put together by: the axis of its progress, and the columns that come out."""

    @property
    def spec(self) -> Spec: ...

    @property
    def output(self) -> pa.Schema: ...

    @property
    def without_tolerance(self) -> str | None: ...

    @property
    def items(self) -> tuple[tuple[str, str], ...] | None: ...

    @property
    def shown(self) -> tuple[tuple[str, str], ...]: ...


@dataclass(frozen=True)
class Plan:
    """An operator as it is sent to executors: what it computes, how it is spread, and what its output looks like. `shown` are
    names for whoever watches, and the columns of the operator that they stand for, where Spark computes the select list."""

    spec: Spec
    labels: tuple[int, ...]
    parts: tuple[Algebra, ...]
    output: pa.Schema
    copies: Copies = NO_COPIES
    items: tuple[tuple[str, str], ...] | None = None
    query: str = ""
    without_tolerance: str | None = None
    watch: str = NEVER
    shown: tuple[tuple[str, str], ...] = ()

    @property
    def leaving(self) -> pa.Schema:
        """The columns that leave the operator: those of the items, if there are any, or all but its report."""
        if self.items is None:
            return self.output.remove(self.output.get_field_index(ABOUT))
        return pa.schema([self.output.field(column).with_name(name) for name, column in self.items])

    def bucket(self, partition: int) -> Bucket:
        return Bucket(self.spec, len(self.labels), self.parts, turn=partition)


def bucketed(plan: Plan) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark maps over the partitions of a micro-batch."""

    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_memory()
        partition = partition_id()
        bucket, first = plan.bucket(partition), partition << 32
        sent = count(first)
        for number, table in enumerate(chunks(batches)):
            taken, late = parted(table)
            for shard, piece in bucket.slices(with_text_keys(plan.copies.for_bucket(taken)), ("", 0, first + number)):
                if shard == FOLD:
                    yield encode(FOLDS, FOLD - next(sent), piece)
                    continue
                yield encode(plan.labels[shard], next(sent), replace(piece, passed=late))
                late = None

    return run


def partition_id() -> int:
    """The number of the partition that a task of Spark works on."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def chunks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches put together; a slice is one binary, and large rows may not make it too large for one."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
            rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= CHUNK or size >= BYTES:
            yield pa.Table.from_batches(held).combine_chunks()
            held, rows, size = [], 0, 0
    if held:
        yield pa.Table.from_batches(held).combine_chunks()


def operated(plan: Plan, slices: list[Slice], blocks: Blocks) -> pa.Table:
    """One micro-batch of one shard."""
    keep_memory()
    slices = [plan.copies.for_operator(piece, plan.spec) for piece in slices]
    operator = ShardOperator(plan.spec, list(plan.parts), inspects=is_watched(plan.watch))
    try:
        operator.load(blocks)
    except CheckpointMismatch as error:
        raise with_changes(error, blocks, plan.query) from None
    if not operator.resumed:
        blocks.write(QUERY, plan.query.encode())
    before = replace(operator.kind.counts)
    out = operator.step(slices, blocks)
    operator.save(blocks)
    ended = any(piece.ended for piece in slices)
    return assembled(plan, _after_end(operator, out) if ended else out, before, ended=ended)


def _after_end(operator: ShardOperator, out: OperatorOutput) -> OperatorOutput:
    """After an end nothing waits, and tuples are late up to where it reaches; the delay reported is still that before it."""
    if out.control is None:
        return out
    told = operator.progress.about() or {}
    return replace(out, control=out.control | {name: told[name] for name in ("waiting", "frontier") if name in told})


def assembled(plan: Assembled, out: OperatorOutput, before: Counts | None = None, *, ended: bool = False) -> pa.Table:
    """Results, late tuples and one control row, as one table of the output's columns."""
    pieces = [_control(plan, out, before or Counts(), ended)]
    if out.rows is not None:
        pieces.append(_shaped(plan.output, out.rows, RESULT))
    if out.late is not None and out.late.num_rows:
        pieces.append(_shaped(plan.output, out.late, LATE))
    return pa.concat_tables(pieces)


def _control(plan: Assembled, out: OperatorOutput, before: Counts, ended: bool) -> pa.Table:
    axis = plan.spec.axis
    progress = _instant(plan.spec, out.progress, plan.spec.bounds_type)
    frontier = _instant(plan.spec, out.frontier, plan.spec.frontier_type)[0]
    about = {**{name: getattr(out.counts, name) for name in COUNTS}, "held": out.held}
    about["before"] = {name: count for name, count in vars(before).items() if count}
    about["taken"] = list(out.taken or (out.counts.all - before.all,))
    about["gave"] = {name: 0 if rows is None else rows.num_rows for name, rows in (("results", out.rows), ("late", out.late))}
    about["frontier"] = _text(frontier) if frontier.is_valid else None
    if plan.without_tolerance is not None:
        about["without_tolerance"] = plan.without_tolerance
    if out.control is not None:
        about["control"] = {"time": bool(pa.types.is_temporal(plan.spec.axis_type)), **out.control}
    if out.ages:
        about["late_up_to"] = out.ages
    if out.inspected is not None:
        about["inspected"] = out.inspected | {"results": named(plan.items or plan.shown, out.inspected)}
    row = {ABOUT: pa.array([json.dumps(about)]), PROGRESS: progress}
    row |= {HAS_ENDED: pa.array([ended]), IS_IDLE: pa.array([out.idle])}
    ends = axis.values(np.asarray(out.boundaries, axis.dtype), plan.spec.bounds_type)
    row[BOUNDARIES] = pa.ListArray.from_arrays(pa.array([0, len(ends)], pa.int32()), ends)
    return _shaped(plan.output, pa.table(row), CONTROL)


def named(items: Iterable[tuple[str, str]], inspected: dict[str, Any]) -> dict[str, Any]:
    """Sampled results under the names that they leave with, where these are known here."""
    results = inspected.get("results", {"count": 0, "rows": []})
    final: dict[str, list[str]] = {}
    for name, column in items:
        final.setdefault(column, []).append(name)
    rows = [
        {name: x for column, x in row.items() for name in final.get(outer(column), _own(column, final))}
        for row in results["rows"]
    ]
    return {"count": results["count"], "rows": rows}


def _own(column: str, final: dict[str, list[str]]) -> list[str]:
    """Where no column is picked, or it is a bound of the window: that is shown all the same."""
    return [outer(column)] if not final or column in BOUNDS else []


def _instant(spec: Spec, x: float | int | None, kind: pa.DataType) -> pa.Array:
    """A place of the axis as its one value; NULL before anything is known, and after the end."""
    known = x is not None and spec.axis.nothing_yet < x < spec.axis.everything
    return spec.axis.values(np.array([x if known else 0], spec.axis.dtype), kind, np.array([not known]))


def _text(place: pa.Scalar) -> str:
    """A place as people read it. SLACK may put a frontier before the year 1, which Python has no datetime for."""
    try:
        return str(place.as_py())
    except (OverflowError, ValueError):
        return str(place.cast(pa.timestamp("us")).cast(pa.string()).as_py())


def outer(name: str) -> str:
    """A column of an operator by the name that expressions know it by."""
    if name[:2] in (KEY, OWN):
        return name[2:]
    return f"{BESIDE}{name}" if name[0] == "y" and name[1:].isdigit() else name


def _shaped(schema: pa.Schema, table: pa.Table, kind: int) -> pa.Table:
    """A table with exactly the columns of the output, in its types."""
    names = {outer(name): n for n, name in enumerate(table.column_names)}
    columns = []
    for field in schema:
        if field.name == KIND:
            columns.append(pa.array(np.full(table.num_rows, kind, np.int8)))
        elif field.name in names:
            columns.append(_cast(table.column(names[field.name]), field.type))
        else:
            columns.append(pa.nulls(table.num_rows, field.type))
    return pa.table(columns, schema=schema)


def _cast(column: Any, kind: pa.DataType) -> Any:
    if pa.types.is_nested(kind) and not pa.types.is_nested(column.type):  # a key
        whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        return values_of(whole.cast(pa.string()), kind)
    if pa.types.is_date(column.type) and pa.types.is_int64(kind):
        column = column.cast(pa.timestamp("us"))
    return column if column.type == kind else column.cast(kind, safe=False)


def ran(plan: Plan) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The window operators of a bounded input: slices arrive sorted by shard and place, and go through one by one."""

    @by_name
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_memory()
        for _, arrived in slices_by_shard(batches):
            slices = (plan.copies.for_operator(piece, plan.spec) for piece in arrived)
            operator, blocks = ShardOperator(plan.spec, list(plan.parts)), Memory()
            shape = pa.table({})
            whole = plan.spec.generating.per_source or plan.spec.generating.derived  # in the order of sources, or of instants
            for pieces in [list(slices)] if whole else ([piece] for piece in slices):
                out = operator.step(pieces, blocks)
                shape = pieces[0].rows.schema.empty_table()
                yield from assembled(plan, replace(out, counts=_nothing(out), held=0, control=None, ages={})).to_batches()
            out = operator.step([Slice(LAST, shape, ended=True)], blocks)
            yield from assembled(plan, out, ended=True).to_batches()

    return run


def _nothing(out: OperatorOutput) -> Any:
    """Reports are cumulative: only the last of a shard counts."""
    return type(out.counts)()


def slices_by_shard(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, Iterator[Slice]]]:
    """The slices of each shard, which arrive one shard after the other."""
    rows = (row for batch in batches for row in batch.to_pylist())
    for shard, own in groupby(rows, itemgetter("shard")):
        yield shard, (decode(list(parts)) for _, parts in groupby(own, itemgetter("piece")))
