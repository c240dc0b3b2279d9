"""A window operator between two DataFrames: columns for bucket, the exchange by shard, and the operator with its state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.state import GroupStateTimeout
from pyspark.sql.types import ArrayType, DataType, DateType, DoubleType, FloatType, StructType

from transom.column_names import (
    ABOUT,
    AGGREGATE,
    ARRIVAL,
    BOUNDARIES,
    EVENT_TS,
    FIXED,
    FRONTIER,
    HAS_ENDED,
    IDLE,
    INPUT_END,
    IS_IDLE,
    IS_PUNCTUATION,
    KEEP,
    KEY,
    KIND,
    NOW,
    ORDER,
    ORIGIN,
    OWN,
    POSITION,
    PROGRESS,
    PROMISED,
    ROW_NUM,
    SOURCE,
    TICK,
    VALUE,
)
from transom.errors import BadExpression
from transom.kernels.columns.late_rows import late_columns
from transom.kernels.spec import BOUNDS, Spec
from transom.plan.nodes.relational import Filter, TableJoin
from transom.plan.quoted import quoted
from transom.planner.aggregate_calls import WrittenAggregate
from transom.planner.runnable import no_map
from transom.planner.shards import folds_once, labels, number_of_shards
from transom.planner.spec_of import operator_of
from transom.planner.stage import Stage
from transom.spark.exchange.copies import copies_of
from transom.spark.exchange.observing import observed
from transom.spark.exchange.result_packing import PACKED, unpacked
from transom.spark.exchange.wire import SCHEMA
from transom.spark.frames.above import picked, shown
from transom.spark.frames.below import arrival_known
from transom.spark.frames.expression_text import column_of
from transom.spark.frames.given.given_frame import GivenFrame
from transom.spark.frames.mapped import mapped
from transom.spark.frames.query_text import described
from transom.spark.frames.types import arrow_of
from transom.spark.quiet import quietly
from transom.spark.settings import check_state_store, keeps_blocks
from transom.spark.state.frontier_processor import FrontierProcessor
from transom.spark.state.inline import STATE, stateful
from transom.spark.state.processor import ShardProcessor
from transom.spark.user_tables import with_tables
from transom.spark.watched import watch_of
from transom.spark.workers.operate import CONTROL, RESULT, Plan, bucketed, operated, ran
from transom.uda.plain_values import result_type

ANSI = "spark.sql.ansi.enabled"

IN_MICROSECONDS = (VALUE, PROMISED, ORDER, ARRIVAL)
"""Columns in which a date is the instant it begins at."""


def operated_frame(
    frame: DataFrame,
    stage: Stage,
    spark: SparkSession,
    shards: int | None,
    frontier: str | None = None,
    *,
    inline: bool,
    number: int | None = None,
    seen: Observation | None = None,
) -> DataFrame:
    """What comes out of a stage's operator: tagged, unless it is the final results already. If it has a number, it passes its
    progress on to another one. `frontier` says where the sequence of a controller is folded, if it has been stated."""
    passes_on = number is not None
    prepared, copied = prepared_columns(frame, stage)
    types = {field.name: arrow_of(field.dataType) for field in prepared.schema.fields}
    types |= {name: types[original] for name, original in copied.items()}
    check_keys(types)
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    count = number_of_shards(shards, partitions, spread=bool(stage.shard_by), controlled=stage.reading.is_controlled)
    stage = with_tables(stage, spark)
    spec, parts = operator_of(stage, types, ansi=spark.conf.get(ANSI, "true") != "false")
    fingerprint = f"{spec.fingerprint}-{count}-{partitions}"  # keys stay in their shards
    output = output_of(frame, stage, types, spec, passes_on)
    reported = tuple(name for name in BOUNDS if name in output.names)
    spec = replace(spec, fingerprint=fingerprint, passes_on=passes_on, reported=reported)
    controlled = stage.reading.is_controlled and bool(stage.shard_by) and prepared.isStreaming
    by_tuple, able = stage.disorder.is_folded_by_tuple, keeps_blocks(spark)
    if controlled and folds_once(count, by_tuple=by_tuple, asked=frontier, able=able):
        spec = replace(spec, generating=replace(spec.generating, stepped=True))
    items = None if passes_on else picked(stage, output.names)
    copies, unstated = copies_of(copied, spec), stage.without_tolerance
    query, watch = described(stage.top), watch_of(spark)
    plan = Plan(spec, labels(count, partitions), parts, output, copies, items, query, unstated, watch, shown(stage))
    return ran_frame(prepared, plan, spark, inline=inline, number=number, seen=seen)


def ran_frame(
    prepared: DataFrame, plan: Plan, spark: SparkSession, *, inline: bool, number: int | None, seen: Observation | None = None
) -> DataFrame:
    """Bucket, the exchange, and the operator where its state is kept."""
    sent = mapped(prepared, bucketed(plan), SCHEMA)
    if prepared.isStreaming:
        if plan.spec.generating.stepped:
            check_state_store(spark)
            query, _, partitioned = plan.spec.fingerprint.rsplit("-", 2)
            folding = FrontierProcessor(plan, f"{query}-1-{partitioned}")
            sent = sent.groupBy("shard").transformWithStateInPandas(folding, SCHEMA, "append", "none")
        shard = sent.groupBy("shard")
        if inline:
            made = shard.applyInPandasWithState(stateful(plan), PACKED, STATE, "append", GroupStateTimeout.NoTimeout)
        else:
            check_state_store(spark)
            made = shard.transformWithStateInPandas(ShardProcessor(plan, operated), PACKED, "append", "none")
        return observed(made, number).mapInArrow(unpacked, from_arrow_schema(plan.leaving))
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    ordered = sent.repartition(partitions, "shard").sortWithinPartitions("shard", "source", "place", "number", "piece")
    tagged = observed(ordered.mapInArrow(ran(plan), from_arrow_schema(plan.output)), number, seen)
    if plan.items is None:
        return tagged
    return tagged.where(F.col(KIND) == RESULT).select(*(F.col(quoted(column)).alias(name) for name, column in plan.items))


def _normal(frame: DataFrame, name: str) -> Column:
    """A key whose equal values are equal bits: NaN and zero have several."""
    column = F.col(quoted(name))
    if isinstance(frame.schema[name].dataType, DoubleType | FloatType):
        return F.when(F.isnan(column), F.lit(float("nan"))).otherwise(column + F.lit(0.0))
    return column


def prepared_columns(frame: DataFrame, stage: Stage, beside: Sequence[Column] | None = None) -> tuple[DataFrame, dict[str, str]]:
    """The columns that bucket takes; and the names of those that are copies, each with that of its original. What goes `beside`
    them is known if it is given."""
    chosen: list[Column] = []
    originals: dict[tuple[str, str, str], str] = {}
    copied: dict[str, str] = {}
    for name, text in stage.columns().items():
        if name == ARRIVAL and not arrival_known(stage):
            continue
        kind = _type(frame, text, "expression")
        column = column_of(text)
        what = ("column", column) if column is not None else ("expression", text)
        original = originals.setdefault((*what, _treated(name, kind)), name)
        if original == name:
            chosen.append(F.expr(text).alias(name))
        else:
            copied[name] = original
    chosen += beside if beside is not None else _beside(frame, stage)
    prepared = frame.select(*chosen)
    kinds = {field.name: field.dataType for field in prepared.schema.fields}
    for name in IN_MICROSECONDS:
        if isinstance(kinds.get(name), DateType):
            prepared = prepared.withColumn(name, F.timestamp_seconds(F.unix_date(name) * F.lit(86_400)))  # midnight in UTC
    return normal_keys(prepared), copied


def _beside(frame: DataFrame, stage: Stage) -> list[Column]:
    """What goes to bucket beside the columns of the stream: what is no tuple, where rows come from, and the time."""
    chosen: list[Column] = []
    if stage.scan is None:
        chosen += [
            (F.col(KIND) == CONTROL).alias(IS_PUNCTUATION),
            F.col(PROGRESS).alias(PROMISED),
            F.col(HAS_ENDED).alias(INPUT_END),
            F.col(IS_IDLE).alias(IDLE),
        ]
    filters = [node for node in stage.below if isinstance(node, TableJoin | Filter)]
    if filters or stage.scan is None:
        chosen.append(F.col(KEEP))
    for name in (SOURCE, ORIGIN, POSITION, *((INPUT_END, TICK) if stage.scan is not None else ())):
        if name in frame.columns:
            chosen.append(F.col(name))
    chosen += [F.col(name) for name in late_columns(frame.columns)]
    if stage.looks_at_clock:
        chosen.append(F.unix_micros(F.current_timestamp()).alias(NOW))
    return chosen


def _treated(name: str, kind: DataType) -> str:
    """What happens to a column on the way to bucket: two that are treated differently are not the same."""
    if name in IN_MICROSECONDS:
        return "instant" if isinstance(kind, DateType) else ""
    return "key" if name.startswith((KEY, FIXED)) and isinstance(kind, DoubleType | FloatType | StructType | ArrayType) else ""


def normal_keys(frame: DataFrame) -> DataFrame:
    """Keys whose equal values are equal bits."""
    for field in frame.schema.fields:
        if field.name.startswith(KEY) and isinstance(field.dataType, DoubleType | FloatType):
            frame = frame.withColumn(field.name, _normal(frame, field.name).cast(field.dataType))
    return frame


def _type(frame: DataFrame, text: str, what: str) -> DataType:
    """The type that Spark gives an expression, before anything runs."""
    if isinstance(frame, GivenFrame):
        return frame.type_of_text(text)
    try:
        with quietly():
            return frame.select(F.expr(text).alias("y")).schema["y"].dataType
    except PySparkException as error:
        reason = (error.getMessage() or str(error)).splitlines()[0]
        raise BadExpression(f"Spark does not understand an {what}: {reason}", given=text, remedy="correct it") from None


def result_of(frame: DataFrame, call: WrittenAggregate) -> pa.DataType:
    """The type of what an aggregate gives: a user's says so itself."""
    user = call.call.user
    if user is None and isinstance(frame, GivenFrame):
        return frame.type_of_call(call)
    return arrow_of(_type(frame, call.text, "aggregate")) if user is None else result_type(user.returns)


def check_keys(types: dict[str, pa.DataType]) -> None:
    """Refuse groups by a MAP, of which Arrow and Spark do not agree when two are equal."""
    for name, kind in types.items():
        if name.startswith((KEY, FIXED)) and "map<" in str(kind):
            raise no_map(name[2:], str(kind))


def passed_on_types(bounds: pa.DataType) -> dict[str, pa.DataType]:
    """The columns of a control row: progress, the boundaries of extents that have ended, whether the input has, or is idle."""
    return {PROGRESS: bounds, BOUNDARIES: pa.list_(bounds), HAS_ENDED: pa.bool_(), IS_IDLE: pa.bool_()}


def output_of(frame: DataFrame, stage: Stage, types: dict[str, pa.DataType], spec: Spec, passes_on: bool) -> pa.Schema:
    """The columns that come out of the operator: of the window's own, those that the query selects."""
    listed = stage.listed
    kinds: dict[str, pa.DataType] = {KIND: pa.int8()}
    kinds |= {name: types[f"{KEY}{name}"] for name in stage.keys if name not in listed}
    kinds |= {name: pa.int64() if name == ROW_NUM else types[f"{OWN}{name}"] for name in listed}
    wanted = stage.asked_for | ({EVENT_TS} if passes_on else set())
    window = stage.window_types(spec.axis_type, spec.bounds_type, types.get(ORDER))
    kinds |= {name: kind for name, kind in window.items() if name in wanted}
    numbered = frame.withColumn(ROW_NUM, F.lit(1).cast("bigint"))
    kinds |= {f"{AGGREGATE}{n}": result_of(numbered, call) for n, call in enumerate(stage.calls)}
    if stage.wants_late:
        kinds[FRONTIER] = spec.frontier_type
    kinds |= {name: types[name] for name in late_columns(types)}
    if passes_on:
        kinds |= passed_on_types(spec.bounds_type)
    return pa.schema([*kinds.items(), (ABOUT, pa.string())])
