"""CONSOLE: rows as tables on the screen."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from transom.plan.nodes.stream import Endpoint


def prepared(df: DataFrame, target: Endpoint) -> DataFrame:
    return df


def start(df: DataFrame, writer: DataStreamWriter, target: Endpoint, checkpoint: str) -> StreamingQuery:
    return writer.format("console").options(**{"truncate": "false", **dict(target.options)}).start()


def write(df: DataFrame, target: Endpoint) -> None:
    df.write.format("console").options(**{"truncate": "false", **dict(target.options)}).mode("append").save()


def put(df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
    write(df, target)
