"""TABLE: a table or a view that Spark knows."""

from __future__ import annotations

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from transom.column_names import POSITION, SOURCE
from transom.errors import MissingSource, NotSupported, UnknownColumn, nearest
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.quoted import quoted


def read_table(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """The declared columns of a table. It streams if the table can be streamed, and is asked to.

    A table has no order: rows are numbered as Spark happens to read them, Parquet's by their place in their file.
    """
    rows = _rows(spark, source.name or "", dict(source.options), bounded)
    known = {name.lower(): name for name in reversed(rows.columns)}
    for column in stream.columns:
        if column.name.lower() not in known:
            raise UnknownColumn(
                f"table {source.name!r} has no column {column.name!r}",
                given=column.name,
                exists=rows.columns,
                remedy=nearest(column.name, rows.columns),
            )
    columns = [sf.col(quoted(known[column.name.lower()])).cast(column.type).alias(column.name) for column in stream.columns]
    try:
        placed = rows.select(*columns, sf.col("_metadata.file_path").alias(SOURCE), sf.col("_metadata.row_index").alias(POSITION))
        placed.schema  # noqa: B018 - a remote session finds out here whether the rows come from Parquet files
    except AnalysisException:
        return rows.select(*columns, sf.lit(source.name).alias(SOURCE), sf.monotonically_increasing_id().alias(POSITION))
    return placed


def _rows(spark: SparkSession, name: str, options: dict[str, str], bounded: bool) -> DataFrame:
    try:
        table = spark.read.options(**options).table(name)
        streaming = table.isStreaming
    except AnalysisException as error:
        tables = [one.name for one in spark.catalog.listTables()]
        raise MissingSource(
            f"Spark knows no table {name!r}", given=str(error).splitlines()[0], exists=tables, remedy=nearest(name, tables)
        ) from None
    if bounded and streaming:
        raise NotSupported("this view is a stream, which has no end", given=name, remedy="run the query as a stream")
    if bounded or streaming:
        return table
    try:
        stream = spark.readStream.options(**options).table(name)
        return stream if stream.isStreaming else table
    except AnalysisException:
        return table
