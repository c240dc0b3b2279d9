"""Sinks: from a DataFrame of results to where they go."""

from __future__ import annotations

from typing import Any, Protocol

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from transom.errors import BadQuery, NotSupported
from transom.plan.nodes.stream import Endpoint
from transom.spark.sinks import console, file, kafka, table, view
from transom.spark.sinks.parts import logged
from transom.spark.sources.filesystem import absolute, open_folder

__all__ = ["check_target", "holds_others", "put_batch", "show_in", "takes_one_stream", "write_batch", "write_stream"]


class Sink(Protocol):
    """A kind of target."""

    def prepared(self, df: DataFrame, target: Endpoint) -> DataFrame:
        """The rows as the target takes them."""
        ...

    def start(self, df: DataFrame, writer: DataStreamWriter, target: Endpoint, checkpoint: str) -> StreamingQuery: ...

    def write(self, df: DataFrame, target: Endpoint) -> None: ...

    def put(self, df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
        """Append a micro-batch of a run that may have been written already."""
        ...


SINKS: dict[str, Sink] = {"FILE": file, "KAFKA": kafka, "TABLE": table, "CONSOLE": console, "VIEW": view}


def write_stream(
    df: DataFrame, target: Endpoint, *, checkpoint: str, trigger: dict[str, Any], query_name: str | None
) -> StreamingQuery:
    """Start a query that appends results to a target. FILE and TABLE hold each result once, however often it is restarted."""
    check_target(target)
    sink = SINKS[target.kind.upper()]
    rows = sink.prepared(df, target)
    writer = rows.writeStream.outputMode("append").option("checkpointLocation", checkpoint)
    if trigger:
        writer = writer.trigger(**trigger)
    if query_name is not None:
        writer = writer.queryName(query_name)
    return sink.start(rows, writer, target, checkpoint)


def write_batch(df: DataFrame, target: Endpoint) -> None:
    """Append the rows of a batch DataFrame to a target."""
    check_target(target)
    sink = SINKS[target.kind.upper()]
    sink.write(sink.prepared(df, target), target)


def put_batch(df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
    """Append a micro-batch of a run, which Spark may hand over again after a restart.

    FILE, and TABLE over plain files that are not partitioned or over Delta, hold it once all the same.
    """
    check_target(target)
    sink = SINKS[target.kind.upper()]
    sink.put(sink.prepared(df, target), target, run, batch)


def show_in(spark: SparkSession, target: Endpoint) -> None:
    """Let a session see what has been put into a target. Micro-batches are put in a session of their own, and each session
    remembers the files of the tables that it has read."""
    if target.kind.upper() == "TABLE":
        spark.catalog.refreshTable(target.name or "")


def holds_others(spark: SparkSession, target: Endpoint) -> bool:
    """Whether a folder, or a table of files, has the log of a stream: Spark's sink would drop the rows of another."""
    kind, name = target.kind.upper(), target.name or ""
    if kind == "FILE":
        return logged(open_folder(absolute(name)))
    return kind == "TABLE" and table.belongs_to_stream(spark, name)


def takes_one_stream(spark: SparkSession, target: Endpoint) -> bool:
    """Whether a second stream would lose its rows there: in a folder, or a table of plain files."""
    kind = target.kind.upper()
    return kind in ("FILE", "VIEW") or (kind == "TABLE" and table.is_of_plain_files(spark, target))


def check_target(target: Endpoint) -> None:
    """Refuse a target that there is not."""
    kind = target.kind.upper()
    if kind not in SINKS:
        raise NotSupported("results cannot go there", given=target.kind, exists=SINKS, remedy="name one of those that exist")
    if target.name is None and kind != "CONSOLE":
        raise BadQuery(f"{kind} needs a name", given=kind, remedy=f"say INSERT INTO {kind} 'where'")
