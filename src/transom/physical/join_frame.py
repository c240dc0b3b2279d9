"""A join between DataFrames: as a stream, the operator over the tagged union of both; as a batch, Spark's own join."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from transom.physical.join_stage import JoinStage
from transom.physical.operate import CONTROL, RESULT, Plan
from transom.physical.operator_frame import normal_keys, passed_on_types, ran_frame
from transom.physical.shards import labels
from transom.physical.types import arrow_of
from transom.plan.join import EVENT_TS


def joined_frame(
    sides: list[DataFrame], stage: JoinStage, spark: SparkSession, shards: int | None, number: int | None
) -> DataFrame:
    """What comes out of a join; with a number, it passes its progress on."""
    if not any(side.isStreaming for side in sides):
        return _batch(sides, stage)
    tagged = [_tagged(side, stage, n) for n, side in enumerate(sides)]
    both = normal_keys(tagged[0].unionByName(tagged[1], allowMissingColumns=True))
    types = {field.name: arrow_of(field.dataType) for field in both.schema.fields}
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    count = shards or partitions
    spec = stage.spec(types)
    spec = replace(spec, fingerprint=f"{spec.fingerprint}-{count}-{partitions}", passes_on=number is not None)
    plan = Plan(spec, labels(count, partitions), (), _output(stage, types, passes_on=number is not None))
    return ran_frame(both, plan, spark, inline=False, number=number)


def _tagged(frame: DataFrame, stage: JoinStage, side: int) -> DataFrame:
    """The rows of a branch with its number, and its control rows: its progress, and its end."""
    made = [F.expr(text).alias(name) for name, text in stage.columns(side).items()]
    return frame.select(
        *made,
        F.lit(side).alias("g:input"),
        (F.col("__kind") == CONTROL).alias("__punct"),
        F.col("__progress").alias("__px"),
        F.col("__ended").alias("__end"),
        F.col("__keep"),
    )


def _output(stage: JoinStage, types: dict[str, pa.DataType], *, passes_on: bool) -> pa.Schema:
    kinds: dict[str, pa.DataType] = {"__kind": pa.int8()}
    kinds |= {name: types[f"t:{name}"] for name in stage.join.schema.names}
    kinds[EVENT_TS] = types["__value"]
    if passes_on:
        kinds |= passed_on_types(types["__value"])
    return pa.schema([*kinds.items(), ("__about", pa.string())])


def _batch(sides: list[DataFrame], stage: JoinStage) -> DataFrame:
    """Of a bounded input all extents have ended."""
    named = []
    for n, side in enumerate(sides):
        columns = {name.replace("k:", f"__k{n}:"): text for name, text in stage.columns(n).items()}
        named.append(side.where(F.col("__keep")).select(*(F.expr(text).alias(name) for name, text in columns.items())))
    left, right = named[0], named[1].drop("__value")
    equal = [F.col(f"`__k0:{key}`") == F.col(f"`__k1:{key}`") for key in stage.keys]
    joined = left.join(right, equal, stage.join.kind.lower())
    own = [F.col(f"`t:{name}`").alias(name) for name in stage.join.schema.names]
    return joined.select(
        F.lit(RESULT).cast("tinyint").alias("__kind"),
        *own,
        F.col("__value").alias(EVENT_TS),
        F.col("__value").alias("__progress"),
        F.slice(F.array("__value"), 1, 0).alias("__boundaries"),
        F.lit(False).alias("__ended"),
    )
