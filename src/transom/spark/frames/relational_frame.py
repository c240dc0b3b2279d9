"""A relational operator between DataFrames: the bucket of each input, one exchange for all of them, and the operator."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DateType

from transom.column_names import (
    ABOUT,
    AFTER,
    AGGREGATE,
    ARRIVAL_TS,
    ASIDE,
    BOUNDARIES,
    CHANGE,
    EVENT_TS,
    HAS_ENDED,
    IDLE,
    INPUT_END,
    INSTANTS,
    IS_IDLE,
    IS_PUNCTUATION,
    KEEP,
    KEY,
    KIND,
    OWN,
    PROGRESS,
    PROMISED,
    VALUE,
)
from transom.errors import BadQuery, NotSupported
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.late_rows import late_column, late_columns, late_type
from transom.kernels.generating import Generating
from transom.kernels.relations.inputs.inputs import BEHIND, Input
from transom.kernels.spec import Spec, WindowedSpec
from transom.planner.relations.inputs import ChangedInput, StreamInput
from transom.planner.relations.relational_stages import GroupStage, RelationalStage
from transom.planner.shards import labels, number_of_shards
from transom.planner.spec_of import spec_of
from transom.spark.exchange.copies import Copies
from transom.spark.exchange.observing import observed
from transom.spark.exchange.result_packing import PACKED, unpacked
from transom.spark.exchange.wire import SCHEMA
from transom.spark.frames.above import shown, spelled
from transom.spark.frames.below import below
from transom.spark.frames.mapped import mapped
from transom.spark.frames.operator_frame import normal_keys, passed_on_types, prepared_columns, result_of
from transom.spark.frames.prepared_input import Prepared, with_alike_keys
from transom.spark.settings import check_state_store
from transom.spark.state.processor import ShardProcessor
from transom.spark.user_tables import with_tables
from transom.spark.watched import watch_of
from transom.spark.workers.operate import CONTROL, LATE, RESULT
from transom.spark.workers.operate_relational import RelationalPlan, bucketed, operated, ran

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import Wiring


def relational_frame(stage: RelationalStage, wiring: Wiring, number: int | None) -> DataFrame:
    """What comes out of a relational operator: tagged, with its progress if it has a number."""
    stage = with_tables(stage, wiring.spark) if isinstance(stage, GroupStage) else stage
    made = with_alike_keys([_prepared(one, wiring) for one in stage.inputs])
    frames = [one.frame for one in made]
    if len({frame.isStreaming for frame in frames}) > 1:
        raise BadQuery(
            "some inputs are streaming DataFrames and some are batches",
            given=stage.name,
            remedy="read all of them with readStream, or all with read",
        )
    types = [one.types for one in made]
    specs = [one.spec(kinds) for one, kinds in zip(made, types, strict=True)]
    if len({spec.axis for spec in specs}) > 1 or specs[0].axis.factor is None:
        raise NotSupported(
            "the inputs of a join or a set operation are measured alike: on time, or on whole numbers",
            given=", ".join(str(spec.axis_type) for spec in specs),
            remedy="cast the columns that windows are on, and their lengths, to one type",
        )
    spark = wiring.spark
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    controlled = any(spec.generating.control is not None for spec in specs)
    count = number_of_shards(wiring.shards, partitions, spread=stage.shards_by, controlled=controlled)
    spread = specs if stage.shards_by else [replace(spec, shard_by=()) for spec in specs]
    inputs = tuple(_input(spec, own.one, kinds) for spec, own, kinds in zip(spread, made, types, strict=True))
    record = replace(stage.operator(inputs, specs[0].axis.factor), fingerprint=f"{stage.fingerprint}-{count}-{partitions}")
    passes_on = number is not None
    output = _output(stage, made, types, inputs, passes_on=passes_on)
    copies = tuple(Copies(early=tuple(one.copied.items())) for one in made)
    watch, names = watch_of(spark), shown(stage)
    plan = RelationalPlan(record, labels(count, partitions), output, copies, looks=passes_on, watch=watch, shown=names)
    sent = reduce(
        lambda one, other: one.union(other), (mapped(frame, bucketed(plan, n), SCHEMA) for n, frame in enumerate(frames))
    )
    if frames[0].isStreaming:
        check_state_store(spark)
        shard = sent.groupBy("shard").transformWithStateInPandas(ShardProcessor(plan, operated), PACKED, "append", "none")
        return observed(shard, number).mapInArrow(unpacked, from_arrow_schema(plan.leaving))
    ordered = sent.repartition(partitions, "shard").sortWithinPartitions("shard", "source", "place", "number", "piece")
    return observed(ordered.mapInArrow(ran(plan), from_arrow_schema(plan.output)), number, wiring.taken_observation())


def relation_passed_on(frame: DataFrame, stage: RelationalStage) -> DataFrame:
    """What goes to the operator above: rows, or rows that enter and leave, and control rows beside them."""
    if not frame.isStreaming:
        frame = _of_a_batch(frame)
    items, condition = stage.finish()
    kept = F.lit(True) if condition is None else F.coalesce(F.expr(spelled(condition, items)), F.lit(False))
    frame = frame.withColumn(KEEP, (F.col(KIND) == CONTROL) | kept)
    told = (CHANGE, AFTER) if stage.gives_changes else ()
    hidden = [KIND, PROGRESS, BOUNDARIES, HAS_ENDED, IS_IDLE, KEEP, EVENT_TS, *told]
    hidden += late_columns(frame.columns)
    named = {name for name, _ in items}
    chosen = [F.expr(text).alias(name) for name, text in items]
    return frame.select(*chosen, *(name for name in hidden if name not in named)).withColumn(ARRIVAL_TS, F.current_timestamp())


def _of_a_batch(frame: DataFrame) -> DataFrame:
    """Of a bounded input control rows say which instants there were: only the end of all shards promises anything."""
    nothing = F.lit(None).cast(frame.schema[PROGRESS].dataType)
    told = {PROGRESS: nothing, HAS_ENDED: F.lit(False), IS_IDLE: F.lit(False)}
    return frame.where(F.col(KIND).isin(RESULT, LATE) | (F.size(BOUNDARIES) > 0)).withColumns(told)


# -- inputs --------------------------------------------------------------------------------------------------


def _prepared(one: StreamInput | ChangedInput, wiring: Wiring) -> Prepared:
    """The columns that bucket takes of an input, and how its progress is known."""
    if isinstance(one, StreamInput):
        stage = one.stage
        rows = below(wiring.passed(one.stages) if one.stages else wiring.source(stage), stage.below)
        frame, copied = prepared_columns(rows, stage)
        return Prepared(frame, lambda types: spec_of(stage, types), one, copied)
    frame = below(wiring.passed(one.stages), one.below)
    chosen = [F.expr(text).alias(name) for name, text in one.carried.texts().items()]
    if one.reports is None:
        chosen += [F.col(CHANGE).alias(f"{OWN}{CHANGE}"), F.col(AFTER).alias(BEHIND)]
    chosen += [
        _instant(frame).alias(VALUE),
        (F.col(KIND) == CONTROL).alias(IS_PUNCTUATION),
        F.col(PROGRESS).alias(PROMISED),
        F.col(HAS_ENDED).alias(INPUT_END),
        F.col(IS_IDLE).alias(IDLE),
        F.col(BOUNDARIES).alias(INSTANTS),
        F.col(KEEP),
        *(F.col(name) for name in late_columns(frame.columns)),
    ]
    return Prepared(normal_keys(frame.select(*chosen)), lambda types: _changed_spec(one, types), one)


def _instant(frame: DataFrame) -> Column:
    if isinstance(frame.schema[EVENT_TS].dataType, DateType):
        return F.timestamp_seconds(F.unix_date(EVENT_TS) * F.lit(86_400))
    return F.col(EVENT_TS)


def _changed_spec(one: ChangedInput, types: dict[str, pa.DataType]) -> Spec:
    """How bucket takes what an operator below gives."""
    kind = types[VALUE]
    axis = Axis(None) if pa.types.is_floating(kind) else Axis(10**kind.scale if pa.types.is_decimal(kind) else 1)
    keys = tuple(name for name, _ in one.carried.keys)
    return Spec(axis=axis, axis_type=kind, generating=Generating(derived=True), keys=keys, shard_by=keys)


def _input(spec: Spec, one: StreamInput | ChangedInput, types: dict[str, pa.DataType]) -> Input:
    ours = (f"{OWN}{CHANGE}", BEHIND)
    names = [name for name in types if name.startswith((KEY, OWN, "x")) and name not in ours]
    schema = pa.schema([(name, types[name]) for name in names])
    partition_by = one.stage.partition_by if isinstance(one, StreamInput) else ()
    stamped = one.stamped if isinstance(one, ChangedInput) else ()
    window = spec.window if isinstance(spec, WindowedSpec) else one.reports if isinstance(one, ChangedInput) else None
    if isinstance(one, ChangedInput):
        return Input(spec, schema, window, stamped=stamped, is_reported=one.reports is not None, is_open=one.is_open)
    by, own = tuple(f"{ASIDE}{name}" for name in partition_by), one.stage
    made = Input(spec, schema, window, by, stamped, stamps=own.stamps, numbered=own.numbered, late_number=own.late_number)
    return replace(made, called=own.called)


# -- what comes out ------------------------------------------------------------------------------------------


def _output(
    stage: RelationalStage,
    made: list[Prepared],
    types: list[dict[str, pa.DataType]],
    inputs: tuple[Input, ...],
    *,
    passes_on: bool,
) -> pa.Schema:
    axis = inputs[0].spec.axis_type
    kinds: dict[str, pa.DataType] = {KIND: pa.int8(), **stage.output(types)}
    kinds.pop(CHANGE, None)
    kinds.pop(AFTER, None)
    if isinstance(stage, GroupStage):
        kinds |= {f"{AGGREGATE}{n}": result_of(made[0].whole, call) for n, call in enumerate(stage.calls)}
    kinds[EVENT_TS] = axis
    if stage.gives_changes:
        kinds |= {CHANGE: pa.int8(), AFTER: pa.bool_()}
    if passes_on:
        kinds |= passed_on_types(axis)
    for one, known in zip(inputs, types, strict=True):
        kinds |= {name: known[name] for name in late_columns(known)}
        if one.late_number is not None:
            kinds[late_column(one.late_number)] = late_type(list(known.items()), one.spec.frontier_type)
    return pa.schema([*kinds.items(), (ABOUT, pa.string())])
