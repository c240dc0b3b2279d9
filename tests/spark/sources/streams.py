"""Streams over files, and what came of them micro-batch by micro-batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession

from tests.spark.collected import Collected
from transom.column_names import POSITION, SOURCE
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.types.schema import Column
from transom.spark.sources.read_stream import read

Batch = list[tuple[str, int]]


def stream_of(path: Path | str, columns: str, format: str | None = None, **options: Any) -> StreamDefinition:
    """A stream over files; columns as in `a INT, b STRING`."""
    pairs = [column.strip().split(" ", 1) for column in columns.split(";")]
    given = tuple((name, str(value)) for name, value in options.items())
    return StreamDefinition("s", tuple(Column(*pair) for pair in pairs), source=Endpoint("FILE", str(path), format, given))


def rows_of(spark: SparkSession, stream: StreamDefinition) -> list[tuple[Any, ...]]:
    """The stream's columns of the rows that are there now, in the order of their arrival."""
    rows = read(spark, stream, bounded=True).orderBy(SOURCE, POSITION)
    return [tuple(row)[:-2] for row in rows.collect()]


def batches_of(spark: SparkSession, stream: StreamDefinition, checkpoint: Path) -> dict[int, Batch]:
    """What each micro-batch of one run holds: (source, position) in order."""

    def places(rows: DataFrame) -> list[tuple[str, int]]:
        found: list[Row] = rows.select(SOURCE, POSITION).orderBy(SOURCE, POSITION).collect()
        return [(row[0], row[1]) for row in found]

    seen = Collected(places)
    query = read(spark, stream).writeStream.foreachBatch(seen).option("checkpointLocation", str(checkpoint))
    query.trigger(availableNow=True).start().awaitTermination(60)
    return seen.found


def uncommit(checkpoint: Path, batch: int) -> None:
    """As if the query had been killed before a micro-batch was committed."""
    (checkpoint / "commits" / str(batch)).unlink()
    (checkpoint / "commits" / f".{batch}.crc").unlink(missing_ok=True)
