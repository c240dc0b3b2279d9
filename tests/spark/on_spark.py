"""Running logical queries on Spark: as a batch, and as a stream cut into micro-batches."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from tests.engines.kernels import ARROW
from tests.engines.plans import IS_PUNCTUATION, plan_of
from tests.spark.collected import Collected
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.reference.history import Arrival, End, Item
from transom.reference.outcome import Row
from transom.reference.query import Query
from transom.reference.stream import ReferenceStream
from transom.semantics.time import EPOCH
from transom.spark.frames.query_frame import to_df


def table_of(stream: ReferenceStream, items: Sequence[Item], clock: list[Any]) -> pa.Table:
    """Items as rows: punctuations are marked, arrival times are given."""
    rows: list[dict[str, Any]] = []
    for item in items:
        if isinstance(item, Arrival):
            clock[0] = clock[0] if item.arrival_ts is None else item.arrival_ts
            rows.append({**stream.tuple_values(item.values), IS_PUNCTUATION: False, "__arrival": clock[0]})
        elif not isinstance(item, End):
            rows.append({**dict.fromkeys(stream.columns), **item.values, IS_PUNCTUATION: True, "__arrival": clock[0]})
    types = {**{name: ARROW[kind] for name, kind in stream.columns.items()}, IS_PUNCTUATION: pa.bool_()}
    if not stream.punctuation:
        del types[IS_PUNCTUATION]
    types["__arrival"] = ARROW["timestamp"]
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()})


def with_frame(plan: Node, frame: DataFrame) -> Node:
    """The plan, reading from a DataFrame."""
    if isinstance(plan, Scan):
        return replace(plan, stream=replace(plan.stream, frame=frame))
    return replace(plan, input=with_frame(plan.input, frame))  # type: ignore[attr-defined, call-arg, type-var]


def plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return value.normalize() if isinstance(value, Decimal) and value.is_finite() else value


def rows_of(frame: DataFrame) -> list[Row]:
    return [{name: plain(value) for name, value in row.asDict().items()} for row in frame.collect()]


def batch_rows(
    spark: SparkSession, query: Query, stream: ReferenceStream, items: Sequence[Item], folder: Path, *, late: bool = False
) -> list[Row]:
    """The answer to all items as a bounded input."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pq.write_table(table_of(stream, items, [EPOCH]), folder / "part-0.parquet")
    plan = with_frame(plan_of(query, stream), spark.read.parquet(str(folder)))
    return rows_of(to_df(LateOf(plan, "q")).drop(IS_PUNCTUATION) if late else to_df(plan))


def stream_rows(
    spark: SparkSession, query: Query, stream: ReferenceStream, batches: Sequence[Sequence[Item]], folder: Path
) -> list[list[Row]]:
    """The rows that leave in each micro-batch."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "in").mkdir(parents=True)
    clock = [EPOCH]
    for number, batch in enumerate(batches):
        path = folder / "in" / f"part-{number:03}.parquet"
        pq.write_table(table_of(stream, batch, clock), path)
        os.utime(path, (1e9 + number, 1e9 + number))
    schema = spark.read.parquet(str(folder / "in")).schema
    source = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder / "in"))
    collected = Collected(rows_of)
    frame = to_df(with_frame(plan_of(query, stream), source))
    running = (
        frame.writeStream.foreachBatch(collected)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    running.awaitTermination()
    found = collected.found
    return [found.get(number, []) for number in range(len(batches))]
