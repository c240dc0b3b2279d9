"""An applied operator between DataFrames: the bucket of each input, one exchange for all of them, and the operator."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DataType

from transom.errors import BadQuery, NotPicklable, UnknownType
from transom.kernels.applied.applied_spec import KIND
from transom.plan.quoted import quoted
from transom.planner.applied.applied_stage import AppliedStage, Feed
from transom.planner.shards import labels, number_of_shards
from transom.spark.exchange.observing import observed
from transom.spark.exchange.result_packing import PACKED, unpacked
from transom.spark.exchange.wire import SCHEMA
from transom.spark.frames.below import below
from transom.spark.frames.mapped import mapped
from transom.spark.frames.types import arrow_of
from transom.spark.settings import check_state_store
from transom.spark.workers.operate_applied import AppliedPlan, AppliedProcessor, bucketed, ran

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import Wiring

BESIDE = ("__source", "__origin", "__position", KIND, "__keep", "__end", "__tick")
"""Columns that go to bucket beside those of the stream, where there are any."""


def applied_frame(stage: AppliedStage, wiring: Wiring, number: int | None) -> DataFrame:
    """What comes out of an applied operator: rows, window punctuations and a control row for each shard."""
    frames = [_prepared(feed, stage, n, wiring) for n, feed in enumerate(stage.feeds)]
    if len({frame.isStreaming for frame in frames}) > 1:
        raise BadQuery(
            "some inputs are streaming DataFrames and some are batches",
            given=stage.node.label(),
            remedy="read all of them with readStream, or all with read",
        )
    spark = wiring.spark
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or "1")
    count = number_of_shards(wiring.shards, partitions, spread=stage.spreads is None)
    schema = _output(stage, frames)
    spec = stage.spec(schema, shards=count)
    plan = AppliedPlan(spec, labels(count, partitions), pa.schema([(KIND, pa.int8()), *schema, ("__about", pa.string())]))
    _check_picklable(stage)

    sent = reduce(DataFrame.union, (mapped(frame, bucketed(plan, n), SCHEMA) for n, frame in enumerate(frames)))
    if frames[0].isStreaming:
        check_state_store(spark)
        shard = sent.groupBy("shard").transformWithStateInPandas(AppliedProcessor(plan), PACKED, "append", "none")
        return observed(shard, number).mapInArrow(unpacked, from_arrow_schema(plan.leaving))
    ordered = sent.repartition(partitions, "shard").sortWithinPartitions("shard", "source", "place", "number", "piece")
    return observed(ordered.mapInArrow(ran(plan), from_arrow_schema(plan.output)), number, wiring.taken_observation())


def _prepared(feed: Feed, stage: AppliedStage, number: int, wiring: Wiring) -> DataFrame:
    """The columns that bucket takes of an input."""
    source = wiring.passed(feed.stages) if feed.stage is None else wiring.source(feed.stage, ticking=stage.reads_clock)
    rows = below(source, feed.below)
    chosen = [F.col(quoted(name)) for name in stage.node.feeds[number].schema.names]
    named = {*stage.node.feeds[number].schema.names}
    beside = [name for name in (*BESIDE, *(["event_ts"] if feed.timed else [])) if name in rows.columns and name not in named]
    chosen += [F.col(name) for name in beside]
    if stage.reads_clock:
        chosen.append(F.unix_micros(F.current_timestamp()).alias("__now"))
    return rows.select(*chosen)


def _output(stage: AppliedStage, frames: list[DataFrame]) -> pa.Schema:
    """The columns of the output in the types of Spark."""
    output = stage.node.outputs[stage.node.output]
    if output.like is not None:
        ports = [port for port, _ in stage.node.windows]
        frame = frames[ports.index(output.like)]
        names = stage.node.schema.names
        return pa.schema([(name, arrow_of(frame.schema[name].dataType)) for name in names])
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


def _check_picklable(stage: AppliedStage) -> None:
    """Refuse an operator that cannot be sent to executors, before anything runs."""
    try:
        cloudpickle.dumps((stage.node.operator, stage.node.windows))  # type: ignore[no-untyped-call]
    except Exception as error:
        raise NotPicklable(
            f"{stage.node.name} cannot be sent to executors: {error}",
            given=stage.node.label(),
            remedy="open files and connections in a handler, not in __init__, and keep settings in plain values",
        ) from error
