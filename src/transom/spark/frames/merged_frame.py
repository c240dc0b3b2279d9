"""An operator over several branches between DataFrames: as a stream, over their tagged union; as a batch, Spark's own."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import DataType, DecimalType, IntegralType, LongType

from transom.column_names import (
    ABOUT,
    BOUNDARIES,
    EVENT_TS,
    HAS_ENDED,
    IDLE,
    INPUT,
    INPUT_END,
    IS_IDLE,
    IS_PUNCTUATION,
    JOIN_KEY,
    KEEP,
    KEY,
    KIND,
    OWN,
    PROGRESS,
    PROMISED,
    VALUE,
)
from transom.errors import BadQuery
from transom.planner.in_step.join_stage import JoinInStepStage
from transom.planner.in_step.merged_stage import MergedStage
from transom.planner.in_step.union_stage import UnionStage
from transom.planner.shards import labels, number_of_shards
from transom.spark.frames.operator_frame import normal_keys, passed_on_types, ran_frame
from transom.spark.frames.query_text import described
from transom.spark.frames.types import arrow_of
from transom.spark.workers.operate import CONTROL, RESULT, Plan

Wider = dict[str, DataType]
"""Columns that are cast, and to which types."""


def merged_frame(
    sides: list[DataFrame], stage: MergedStage, spark: SparkSession, shards: int | None, number: int | None
) -> DataFrame:
    """What comes out of a join or a union; with a number, it passes its progress on."""
    wider = _wider(sides, stage)
    _check_alike(sides, stage, wider)
    if not sides[0].isStreaming:
        return _joined(sides, stage, wider) if isinstance(stage, JoinInStepStage) else _united(sides, stage, wider)
    tagged = [_tagged(side, stage, n, wider) for n, side in enumerate(sides)]
    both = normal_keys(reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), tagged))
    types = {field.name: arrow_of(field.dataType) for field in both.schema.fields}
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    count = number_of_shards(shards, partitions, spread=bool(stage.keys))
    spec = stage.spec(types)
    spec = replace(spec, fingerprint=f"{spec.fingerprint}-{count}-{partitions}", passes_on=number is not None)
    plan = Plan(
        spec, labels(count, partitions), (), _output(stage, types, passes_on=number is not None), query=described(stage.node)
    )
    return ran_frame(both, plan, spark, inline=False, number=number)


def _wider(sides: list[DataFrame], stage: MergedStage) -> Wider:
    """The columns that are compared and are exact numbers of different types, and the type that takes in all of them: where
    decimals are long, Spark would round one to the digits of the other."""
    found: Wider = {}
    schemas = [side.select(*_columns(stage, n, {})).schema for n, side in enumerate(sides)]
    for name in (name for name in schemas[0].names if name == VALUE or name.startswith(KEY)):
        kinds = [schema[name].dataType for schema in schemas]
        scales = [kind.scale for kind in kinds if isinstance(kind, DecimalType)]
        if len(set(kinds)) > 1 and all(isinstance(kind, IntegralType | DecimalType) for kind in kinds):
            found[name] = DecimalType(38, max(scales)) if scales else LongType()
    return found


def _check_alike(sides: list[DataFrame], stage: MergedStage, wider: Wider) -> None:
    """What only Spark knows: which inputs stream, and the types of expressions."""
    if len({side.isStreaming for side in sides}) > 1:
        raise BadQuery(
            "some inputs are streaming DataFrames and some are batches",
            given=stage.node.label(),
            remedy="read all of them with readStream, or all with read",
        )
    if not isinstance(stage, UnionStage):
        return
    kinds = [side.select(*_columns(stage, n, wider)).schema for n, side in enumerate(sides)]
    for other in kinds[1:]:
        for one, two in zip(kinds[0].fields, other.fields, strict=True):
            if one.dataType != two.dataType:
                raise BadQuery(
                    "streams of a union have as many columns, of the same types",
                    given=f"{one.name[2:]} {one.dataType.simpleString()} and {two.dataType.simpleString()}",
                    remedy="cast one of them",
                )


def _columns(stage: MergedStage, side: int, wider: Wider) -> list[Column]:
    return [_cast(F.expr(text), wider.get(name)).alias(name) for name, text in stage.columns(side).items()]


def _cast(column: Column, kind: DataType | None) -> Column:
    return column if kind is None else column.cast(kind)


def _tagged(frame: DataFrame, stage: MergedStage, side: int, wider: Wider) -> DataFrame:
    """The rows of a branch with its number, and its control rows: its progress, its silence, and its end."""
    return frame.select(
        *_columns(stage, side, wider),
        F.lit(side).alias(INPUT),
        F.col(IS_IDLE).alias(IDLE),
        (F.col(KIND) == CONTROL).alias(IS_PUNCTUATION),
        _cast(F.col(PROGRESS), wider.get(VALUE)).alias(PROMISED),
        F.col(HAS_ENDED).alias(INPUT_END),
        F.col(KEEP),
    )


def _output(stage: MergedStage, types: dict[str, pa.DataType], *, passes_on: bool) -> pa.Schema:
    kinds: dict[str, pa.DataType] = {KIND: pa.int8()}
    kinds |= {name: types[f"{OWN}{name}"] for name in stage.node.schema.names}
    kinds[EVENT_TS] = types[VALUE]
    if passes_on:
        kinds |= passed_on_types(types[VALUE])
    return pa.schema([*kinds.items(), (ABOUT, pa.string())])


def _joined(sides: list[DataFrame], stage: JoinInStepStage, wider: Wider) -> DataFrame:
    """Of a bounded input all extents have ended."""
    named = []
    for n, side in enumerate(sides):
        own = side.where(F.col(KEEP)).select(*_columns(stage, n, wider))
        named.append(own.withColumnsRenamed({f"{KEY}{key}": f"{JOIN_KEY}{n}:{key}" for key in stage.keys}))
    left, right = named[0], named[1].drop(VALUE)
    equal = [F.col(f"`{JOIN_KEY}0:{key}`") == F.col(f"`{JOIN_KEY}1:{key}`") for key in stage.keys]
    return _bounded(left.join(right, equal, stage.join.kind.lower()), stage)


def _united(sides: list[DataFrame], stage: MergedStage, wider: Wider) -> DataFrame:
    named = [side.where(F.col(KEEP)).select(*_columns(stage, n, wider)) for n, side in enumerate(sides)]
    united = reduce(DataFrame.unionByName, named)
    if isinstance(stage, UnionStage) and not stage.union.every:
        united = united.distinct()
    return _bounded(united.sort(VALUE), stage)


def _bounded(made: DataFrame, stage: MergedStage) -> DataFrame:
    return made.select(
        F.lit(RESULT).cast("tinyint").alias(KIND),
        *(F.col(f"`t:{name}`").alias(name) for name in stage.node.schema.names),
        F.col(VALUE).alias(EVENT_TS),
        F.col(VALUE).alias(PROGRESS),
        F.slice(F.array(VALUE), 1, 0).alias(BOUNDARIES),
        F.lit(False).alias(HAS_ENDED),
        F.lit(False).alias(IS_IDLE),
    )
