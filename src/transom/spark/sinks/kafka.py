"""KAFKA: a record for each row, its value JSON, its key a column if one is named.

Kafka takes a record as often as it is sent: at least once. Each has an idempotency key in its headers, a hash of its value: a row
that is sent again has the same one, since results do not depend on the run.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from transom.errors import UnknownColumn, nearest
from transom.plan.nodes.stream import Endpoint
from transom.plan.quoted import quoted
from transom.spark.sinks.file import TIMESTAMPS
from transom.spark.sources.kafka import connector, need_servers

HEADER = "idempotency-key"


def start(df: DataFrame, writer: DataStreamWriter, target: Endpoint, checkpoint: str) -> StreamingQuery:
    with connector():
        return writer.format("kafka").options(**options_of(target)).start()


def write(df: DataFrame, target: Endpoint) -> None:
    with connector():
        df.write.format("kafka").options(**options_of(target)).save()


def put(df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
    write(df, target)


def prepared(df: DataFrame, target: Endpoint) -> DataFrame:
    """The records that the rows make."""
    key = {name.lower(): value for name, value in target.options}.get("key")
    value = sf.to_json(sf.struct("*"), {**TIMESTAMPS, "ignoreNullFields": "false"}).alias("value")
    if key is None:
        return df.select(value).withColumn("headers", _headers())
    names = {name.lower(): name for name in df.columns}
    if key.lower() not in names:
        raise UnknownColumn(
            "the results have no such column", given=f"key {key!r}", exists=df.columns, remedy=nearest(key, df.columns)
        )
    keyed = df.select(sf.col(quoted(names[key.lower()])).cast("string").alias("key"), value)
    return keyed.withColumn("headers", _headers())


def _headers() -> Column:
    hashed = sf.encode(sf.sha2(sf.encode(sf.col("value"), "UTF-8"), 256), "UTF-8")
    return sf.array(sf.struct(sf.lit(HEADER).alias("key"), hashed.alias("value")))


def options_of(target: Endpoint) -> dict[str, str]:
    options = {name: value for name, value in target.options if name.lower() != "key"}
    need_servers(options)
    return {**options, "topic": target.name or ""}
