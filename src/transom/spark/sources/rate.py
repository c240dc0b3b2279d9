"""RATE: Spark's source of numbers, N a second."""

from __future__ import annotations

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from transom.column_names import ARRIVAL, POSITION, SOURCE
from transom.errors import BadQuery, NotSupported
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.types.schema import NUMBER_TYPES, TIME_TYPES, Column
from transom.semantics.sql_type import SqlType


def read_rate(spark: SparkSession, stream: StreamDefinition, source: Endpoint, bounded: bool) -> DataFrame:
    """`timestamp` and `value`, under the names that the stream gives them."""
    if bounded:
        raise NotSupported("RATE never ends", given="RATE", remedy="run it as a stream, or read a FILE")
    given = {"numPartitions": "1", **dict(source.options)}  # Spark deals rows to partitions in turn, and so out of order
    rows = spark.readStream.format("rate").options(**given).load()
    columns = [_pick(column, stream).cast(column.type).alias(column.name) for column in stream.columns]
    return rows.select(
        *columns, sf.lit("rate").alias(SOURCE), sf.col("value").alias(POSITION), sf.col("timestamp").alias(ARRIVAL)
    )


def _pick(column: Column, stream: StreamDefinition) -> SparkColumn:
    base = SqlType.of(column.type).name
    if base in TIME_TYPES:
        return sf.col("timestamp")
    if base in NUMBER_TYPES:
        return sf.col("value")
    raise BadQuery(
        f"RATE has nothing for column {column.name!r} of {stream.title}",
        given=column.type,
        exists=["timestamp TIMESTAMP", "value BIGINT"],
        remedy="declare timestamps and numbers, and compute the rest in a query",
    )
