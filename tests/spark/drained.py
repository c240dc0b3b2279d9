"""A query over the rows of a DataFrame, answered as a batch and as a stream that ends."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tests.spark.collected import Collected
from tests.spark.on_spark import rows_of
from transom.fluent.relation import Relation
from transom.plan.nodes.node import Node
from transom.plan.nodes.stream import StreamDefinition
from transom.reference.outcome import Row
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows

Asking = Callable[[DataFrame], Relation]


def run(frame: DataFrame, checkpoint: Path) -> tuple[list[list[Row]], Any]:
    """The rows of each micro-batch over all that is there, and the query when it is done."""
    collected = Collected(rows_of)
    stream = frame.writeStream.foreachBatch(collected).option("checkpointLocation", str(checkpoint))
    query = stream.trigger(availableNow=True).start()
    query.awaitTermination()
    return list(collected.found.values()), query


def write(frame: DataFrame, folder: Path) -> None:
    """The rows as one file."""
    frame.coalesce(1).write.mode("append").parquet(str(folder))


def stream_of(spark: SparkSession, folder: Path, **options: Any) -> DataFrame:
    schema = spark.read.parquet(str(folder)).schema
    return spark.readStream.schema(schema).options(**options).parquet(str(folder))


def read_as_stream(part: Any) -> Any:
    """A plan in which bounded DataFrames are what a drained stream is: with SLACK 0 where nothing is stated, and not complete."""
    if isinstance(part, tuple):
        return tuple(map(read_as_stream, part))
    if isinstance(part, StreamDefinition):
        return replace(part, bounded=False)
    if not isinstance(part, Node):
        return part
    return replace(part, **{field.name: read_as_stream(getattr(part, field.name)) for field in fields(part)})


def batch_and_stream(rows: DataFrame, query: Asking, folder: Path, *, state: str = "inline") -> tuple[list[Row], list[Row]]:
    """The answer to a bounded input, and to a stream of one micro-batch in which the end comes, too."""
    spark = rows.sparkSession
    shutil.rmtree(folder, ignore_errors=True)
    write(rows, folder / "in")
    asked = query(spark.read.parquet(str(folder / "in")))
    batch = rows_of(Relation(read_as_stream(asked.plan)).to_df())
    spark.conf.set("spark.transom.state", state)
    try:
        frame = to_df(query(stream_of(spark, folder / "in")).plan, end=1)
        streamed, _ = run(frame, folder / "checkpoint")
    finally:
        spark.conf.unset("spark.transom.state")
    return batch, [row for each in streamed for row in each]


def answer(rows: DataFrame, query: Asking, folder: Path, *, state: str = "inline") -> list[Row]:
    """The answer, which is the same both ways."""
    batch, streamed = batch_and_stream(rows, query, folder, state=state)
    assert_same_rows(streamed, batch, rel_tol=1e-12)
    return batch


def by(rows: Sequence[Row], *names: str) -> list[tuple[Any, ...]]:
    """Values of columns, sorted."""
    return sorted((tuple(row[name] for name in names) for row in rows), key=repr)
