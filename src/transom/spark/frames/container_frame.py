"""Operators over windows with policies between DataFrames: the bucket of each input, one exchange for all, and the operator."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DataType

from transom.column_names import (
    ABOUT,
    EVENT_TS,
    INPUT_END,
    INSTANT,
    KEEP,
    KEY,
    KIND,
    NOW,
    ORDER,
    ORIGIN,
    OWN,
    PICK,
    POSITION,
    PROGRESS,
    SOURCE,
    TICK,
)
from transom.errors import BadQuery, UnknownType
from transom.kernels.applied.applied_spec import ContainerSpec
from transom.plan.nodes.applied import Applied
from transom.plan.quoted import quoted
from transom.planner.applied.applied_stage import AppliedStage
from transom.planner.applied.container_stage import ContainerStage, Feed
from transom.planner.applied.policy_stage import PolicyStage
from transom.planner.shards import labels, number_of_shards
from transom.planner.spec_of import operator_of
from transom.spark.exchange.observing import observed
from transom.spark.exchange.result_packing import PACKED, unpacked
from transom.spark.exchange.wire import SCHEMA
from transom.spark.frames.above import shown, spelled
from transom.spark.frames.below import below
from transom.spark.frames.mapped import mapped
from transom.spark.frames.operator_frame import ANSI, check_keys, output_of, prepared_columns
from transom.spark.frames.types import arrow_of
from transom.spark.settings import check_state_store
from transom.spark.state.processor import ShardProcessor
from transom.spark.user_tables import with_tables
from transom.spark.watched import watch_of
from transom.spark.workers.carried import CarriedOperator
from transom.spark.workers.operate import RESULT
from transom.spark.workers.operate_containers import ContainerPlan, bucketed, operated, ran

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from transom.spark.frames.query_frame import Wiring

STANDING_BESIDE = (SOURCE, ORIGIN, POSITION, KIND, INSTANT, KEEP, INPUT_END, TICK)
"""Columns that go to bucket beside those of the stream, where there are any."""

KEPT_INSTANT = PROGRESS
"""The column in which the instant of a result goes along below, whatever is projected."""


def container_frame(stage: ContainerStage, wiring: Wiring, number: int | None) -> DataFrame:
    """What comes out: rows, window punctuations and a control row for each shard."""
    spark = wiring.spark
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    count = number_of_shards(wiring.shards, partitions, spread=stage.spreads is None)
    rows = [_rows(feed, stage, wiring) for feed in stage.feeds]
    if len({frame.isStreaming for frame in rows}) > 1:
        raise BadQuery(
            "some inputs are streaming DataFrames and some are batches",
            given=stage.name,
            remedy="read all of them with readStream, or all with read",
        )
    if isinstance(stage, AppliedStage):
        frames, spec, schema = _applied(stage, rows, count)
    else:
        assert isinstance(stage, PolicyStage)
        frames, spec, schema = _windowed(stage, rows, count, spark)
    output = pa.schema([(KIND, pa.int8()), *schema, (ABOUT, pa.string())])
    plan = ContainerPlan(spec, labels(count, partitions), output, watch=watch_of(spark), shown=_names(stage))
    sent = reduce(DataFrame.union, (mapped(frame, bucketed(plan, n), SCHEMA) for n, frame in enumerate(frames)))
    if frames[0].isStreaming:
        check_state_store(spark)
        shard = sent.groupBy("shard").transformWithStateInPandas(ShardProcessor(plan, operated), PACKED, "append", "none")
        return observed(shard, number).mapInArrow(unpacked, from_arrow_schema(plan.leaving))
    ordered = sent.repartition(partitions, "shard").sortWithinPartitions("shard", "source", "place", "number", "piece")
    return observed(ordered.mapInArrow(ran(plan), from_arrow_schema(plan.output)), number, wiring.taken_observation())


def _names(stage: ContainerStage) -> tuple[tuple[str, str], ...]:
    return shown(stage.window) if isinstance(stage, PolicyStage) else ()


def container_passed_on(frame: DataFrame, stage: ContainerStage) -> DataFrame:
    """What goes to the operator above: rows of the select list, and punctuations and control rows beside them."""
    items, having = stage.finish()
    chosen = [F.expr(text).alias(name) for name, text in items]
    kept = F.lit(True) if having is None else F.coalesce(F.expr(spelled(having, items)), F.lit(False))
    return frame.withColumn(KEEP, (F.col(KIND) != RESULT) | kept).select(*chosen, KIND, KEEP)


def _rows(feed: Feed, stage: ContainerStage, wiring: Wiring) -> DataFrame:
    """What a port reads, with what Spark computes on the way."""
    source = wiring.passed(feed.stages) if feed.stage is None else wiring.source(feed.stage, ticking=stage.reads_clock)
    if feed.ties is None:
        return below(source, feed.below)
    return below(source.withColumn(KEPT_INSTANT, F.col(EVENT_TS)), feed.below).withColumnRenamed(KEPT_INSTANT, INSTANT)


def _beside(frame: DataFrame, stage: ContainerStage, named: list[str]) -> list[Column]:
    """What goes to bucket beside the columns of the stream: where rows come from, what is no tuple, and the time."""
    chosen: list[Column] = [F.col(name) for name in STANDING_BESIDE if name in frame.columns and name not in named]
    if stage.reads_clock:
        chosen.append(F.unix_micros(F.current_timestamp()).alias(NOW))
    return chosen


def _applied(stage: AppliedStage, rows: list[DataFrame], shards: int) -> tuple[list[DataFrame], ContainerSpec, pa.Schema]:
    """A user's operator takes all columns of its streams."""
    operator: Any = CarriedOperator(stage.node.operator, stage.node.label())
    frames = []
    for frame, node in zip(rows, stage.node.feeds, strict=True):
        names = node.schema.names
        frames.append(frame.select(*(F.col(quoted(name)) for name in names), *_beside(frame, stage, names)))
    schema = _output(stage.node, frames)
    return frames, replace(stage.spec(schema, shards=shards), operator=operator), schema


def _windowed(
    stage: PolicyStage, rows: list[DataFrame], shards: int, spark: SparkSession
) -> tuple[list[DataFrame], ContainerSpec, pa.Schema]:
    """A window takes its keys, the arguments of its aggregates, the columns that are listed, and those of its policies."""
    (frame,) = rows
    prepared, copied = prepared_columns(frame, stage.window, beside=_beside(frame, stage, []))
    for name, original in copied.items():
        prepared = prepared.withColumn(name, F.col(f"`{original}`"))
    types = {field.name: arrow_of(field.dataType) for field in prepared.schema.fields}
    check_keys(types)
    window = with_tables(stage.window, spark)
    spec, parts = operator_of(window, types, ansi=spark.conf.get(ANSI, "true") != "false")
    output = output_of(frame, window, types, spec, passes_on=False)
    schema = pa.schema([field for field in output if field.name not in (KIND, ABOUT)])
    columns = tuple(name for name in types if name.startswith((KEY, "x", OWN)) or name in (ORDER, PICK))
    return [prepared], stage.spec(spec, columns, schema, types, shards=shards, parts=parts), schema  # type: ignore[arg-type]


def _output(node: Applied, frames: list[DataFrame]) -> pa.Schema:
    """The columns of the output in the types of Spark."""
    output = node.outputs[node.output]
    if output.like is not None:
        ports = [port for port, _ in node.windows]
        frame = frames[ports.index(output.like)]
        return pa.schema([(name, arrow_of(frame.schema[name].dataType)) for name in node.schema.names])
    fields = []
    for column in output.parsed:
        try:
            kind = DataType.fromDDL(column.type)
        except Exception as error:
            raise UnknownType(
                f"{column.name} has a type that Spark does not know: {str(error).splitlines()[0]}",
                given=column.type,
                remedy="write it as in Spark SQL",
            ) from None
        fields.append((column.name, arrow_of(kind)))
    return pa.schema(fields)
