"""The same rows, handed to Spark and to the reference."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from transom.reference import Arrival, End, Query, ReferenceStream, evaluate

Row = Mapping[str, Any]

TOLERANCE = 1e-9
"""Relative, for doubles: Spark adds them up in whatever order they come."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

ARROW = {
    "string": pa.string(),
    "boolean": pa.bool_(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "decimal": pa.decimal128(12, 2),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "date": pa.date32(),
}


def dataframe(spark: SparkSession, columns: Mapping[str, str], rows: Sequence[Row]) -> DataFrame:
    """The rows as Spark sees them, with `arrival`, their position from 1."""
    schema = pa.schema([("arrival", pa.int64()), *((name, ARROW[kind]) for name, kind in columns.items())])
    numbered = [{"arrival": n, **row} for n, row in enumerate(rows, start=1)]
    return spark.createDataFrame(pa.Table.from_pylist(numbered, schema=schema))


def collect(*frames: DataFrame) -> list[Row]:
    """The rows of all frames, in one job."""
    return reduce(DataFrame.unionByName, frames).toArrow().to_pylist()


def reference(query: Query, columns: Mapping[str, str], rows: Sequence[Row], order_by: str = "ts") -> list[Row]:
    """The answer of the reference. Nothing is promised before the end, so nothing is late."""
    stream = ReferenceStream(columns=columns, order_by=order_by, punctuation=(order_by,))
    return list(evaluate(query, stream, [*map(Arrival, rows), End()]).rows)


def labelled(case: int, rows: Sequence[Row]) -> list[Row]:
    """The rows of one case among several that are compared at once."""
    return [{"case": case, **row} for row in rows]


def maybe(rng: random.Random, value: Any, odds: float = 0.1) -> Any:
    """The value, or now and then NULL."""
    return None if rng.random() < odds else value


def at(micros: int) -> datetime:
    """The timestamp so many microseconds after 1970."""
    return EPOCH + timedelta(microseconds=micros)
