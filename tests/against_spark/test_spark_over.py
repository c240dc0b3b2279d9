"""OVER frames are SQL's, as Spark has them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession
from second_opinion import TOLERANCE, Row, at, collect, dataframe, maybe, reference

from transom import days, rows, seconds
from transom.reference import Over, Query
from transom.semantics import Length
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

AGGREGATES = {
    "n": "count(*)",
    "present": "count(x)",
    "total": "sum(x)",
    "mean": "avg(y)",
    "low": "min(x)",
    "high": "max(y)",
    "spread": "stddev_samp(y)",
}

AXES: Mapping[str, Any] = {
    "timestamp": lambda n: at(n * 500_000),
    "date": lambda n: date(1970, 1, 1) + timedelta(days=n),
    "bigint": lambda n: n,
    "double": lambda n: n / 2,
    "decimal": lambda n: Decimal(n) / 4,
}


def random_rows(seed: int, kind: str = "timestamp", count: int = 90) -> list[Row]:
    """Out of order, with many ties, NULL keys, NULL values and a NULL in the order column."""
    rng = random.Random(seed)
    return [
        {
            "id": n,
            "ts": maybe(rng, AXES[kind](rng.randrange(-30, 30)), 0.04),
            "k": maybe(rng, rng.choice("ab"), 0.2),
            "h": maybe(rng, rng.randrange(2), 0.2),
            "x": maybe(rng, rng.randrange(-50, 50)),
            "y": maybe(rng, rng.uniform(-5, 5)),
        }
        for n in range(count)
    ]


def columns(kind: str = "timestamp") -> dict[str, str]:
    return {"id": "bigint", "ts": kind, "k": "string", "h": "bigint", "x": "bigint", "y": "double"}


def our_frames(data: list[Row], keys: tuple[str, ...], frames: Mapping[str, Length | None], kind: str, peers: bool) -> list[Row]:
    select: dict[str, str | Over] = {"id": "id", "at": "event_ts"}
    for frame, preceding in frames.items():
        for name, text in AGGREGATES.items():
            select[f"{name}_{frame}"] = Over(aggregate=text, preceding=preceding, partition_by=keys, peers=peers)
    return reference(Query(select=select), columns(kind), data)


def spark_frames(spark: SparkSession, data: list[Row], keys: tuple[str, ...], frames: Mapping[str, str], kind: str) -> list[Row]:
    """A tuple without a value to order by has no frame here; Spark would order it first."""
    partition = f"PARTITION BY {', '.join(keys)}" if keys else ""
    over = {
        f"{name}_{frame}": f"{text} OVER ({partition} {bounds} AND CURRENT ROW)"
        for frame, bounds in frames.items()
        for name, text in AGGREGATES.items()
    }
    items = ", ".join(f"{text} AS {name}" for name, text in over.items())
    query = f"SELECT id, ts AS at, {items} FROM {{data}} WHERE ts IS NOT NULL"
    return collect(spark.sql(query, data=dataframe(spark, columns(kind), data)))


def rows_between(bound: str) -> str:
    return f"ORDER BY ts, arrival ROWS BETWEEN {bound} PRECEDING"


def range_between(bound: str) -> str:
    return f"ORDER BY ts RANGE BETWEEN {bound} PRECEDING"


@pytest.mark.parametrize("keys", [(), ("k",), ("k", "h")], ids=["whole", "by_k", "by_k_h"])
def test_rows_frames_are_those_of_spark_in_order_of_timestamp_then_arrival(spark: SparkSession, keys: tuple[str, ...]) -> None:
    data = random_rows(1)
    ours = our_frames(data, keys, {"zero": rows(0), "three": rows(3), "forty": rows(40), "all": None}, "timestamp", peers=False)
    bounds = {"zero": "0", "three": "3", "forty": "40", "all": "UNBOUNDED"}
    theirs = spark_frames(spark, data, keys, {frame: rows_between(bound) for frame, bound in bounds.items()}, "timestamp")
    assert_same_rows(ours, theirs, rel_tol=TOLERANCE)


@pytest.mark.parametrize("keys", [(), ("k",), ("k", "h")], ids=["whole", "by_k", "by_k_h"])
def test_range_frames_are_closed_and_include_peers_as_in_spark(spark: SparkSession, keys: tuple[str, ...]) -> None:
    data = random_rows(2)
    lengths = {"zero": seconds(0), "half": seconds(0.5), "odd": seconds(2.7), "long": seconds(10), "all": None}
    bounds = {
        "zero": "INTERVAL '0' SECOND",
        "half": "INTERVAL '0.5' SECOND",
        "odd": "INTERVAL '2.7' SECOND",
        "long": "INTERVAL '10' SECOND",
        "all": "UNBOUNDED",
    }
    bounded = {frame: length for frame, length in lengths.items() if length is not None}
    ours = our_frames(data, keys, bounded, "timestamp", peers=False)
    unbounded = our_frames(data, keys, {"all": None}, "timestamp", peers=True)
    theirs = spark_frames(spark, data, keys, {frame: range_between(bound) for frame, bound in bounds.items()}, "timestamp")
    assert_same_rows(_side_by_side(ours, unbounded), theirs, rel_tol=TOLERANCE)


def _side_by_side(left: list[Row], right: list[Row]) -> list[Row]:
    by_id = {row["id"]: row for row in right}
    return [{**row, **by_id[row["id"]]} for row in left]


@pytest.mark.parametrize(
    ("kind", "length", "bound"),
    [
        ("bigint", 7, "7"),
        ("double", 3.25, "3.25D"),
        ("double", 3.5, "3.5D"),
        ("decimal", Decimal("2.25"), "CAST(2.25 AS DECIMAL(12, 2))"),
        ("date", days(4), "INTERVAL '4' DAY"),
    ],
)
def test_range_frames_on_every_axis_are_those_of_spark(spark: SparkSession, kind: str, length: Length, bound: str) -> None:
    data = random_rows(3, kind)
    ours = our_frames(data, ("k",), {"near": length}, kind, peers=False)
    theirs = spark_frames(spark, data, ("k",), {"near": range_between(bound)}, kind)
    if kind == "date":  # a result is stamped with an instant: dates are those of their midnights
        theirs = [{**row, "at": datetime.combine(row["at"], time(), UTC)} for row in theirs]
    assert_same_rows(ours, theirs, rel_tol=TOLERANCE)
