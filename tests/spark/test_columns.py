"""PySpark's Columns mean in a query of ours what they mean in Spark: classic ones here, those of Connect without a server."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as sf

import transom as tr
from transom.errors import BadExpression, BadQuery
from transom.plan.expression import Expression
from transom.spark.column_text import read_column

pytestmark = pytest.mark.spark

ROWS: list[tuple[Any, ...]] = [("it's", 1, 1.5, datetime(2026, 1, 2, 3, 4, 5, 678901), [1, 2]), (None, -7, None, None, None)]
SCHEMA = "`a b` STRING, n INT, x DOUBLE, ts TIMESTAMP, parts ARRAY<INT>"

COLUMNS: dict[str, Callable[[Any], Any]] = {
    "name": lambda f: f.col("n"),
    "odd name": lambda f: f.col("a b"),
    "quoted name": lambda f: f.col("`a b`"),
    "sum": lambda f: f.col("n") + 1 - f.col("x") * 2 / 4 % 3,
    "comparison": lambda f: (f.col("n") > 1) & (f.col("a b") == "it's") | ~(f.col("x") <= 1.5),
    "null": lambda f: f.col("x").isNull() | f.col("x").isNotNull(),
    "nullsafe": lambda f: f.col("x").eqNullSafe(None),
    "case": lambda f: f.when(f.col("n") > 0, "up").when(f.col("n") < -100, "deep").otherwise("down"),
    "case without else": lambda f: f.when(f.col("n") > 0, f.lit(1)),
    "cast": lambda f: f.col("x").cast("int"),
    "try cast": lambda f: f.col("a b").try_cast("int"),
    "in": lambda f: f.col("n").isin(1, 2),
    "like": lambda f: f.col("a b").like("it%"),
    "text": lambda f: f.lit("a\\b\n'\"c"),
    "numbers": lambda f: f.lit(1.5) + f.lit(1e-7) + f.lit(3) + f.lit(Decimal("1.50")),
    "truth": lambda f: f.lit(True),
    "nothing": lambda f: f.lit(None),
    "instant": lambda f: f.lit(datetime(2026, 1, 2, 3, 4, 5, 678901)) == f.col("ts"),
    "day": lambda f: f.lit(date(2026, 1, 2)),
    "function": lambda f: f.round(f.abs("n") + f.hour("ts"), 1),
    "element": lambda f: f.col("parts")[1],
    "negative": lambda f: -f.col("n"),
    "between": lambda f: f.col("n").between(0, 5),
    "text of SQL": lambda f: f.expr("n + 1") * 2,
    "part of a text": lambda f: f.col("a b").substr(1, 2),
    "starts": lambda f: f.col("a b").startswith("it"),
}

AGGREGATES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "avg": (lambda f: f.avg("x").alias("m"), "AVG(x)"),
    "count": (lambda f: f.count("*"), "COUNT(*)"),
    "distinct": (lambda f: f.count_distinct("n", "x"), "COUNT(DISTINCT n, x)"),
    "sum distinct": (lambda f: f.sum_distinct("n"), "SUM(DISTINCT n)"),
    "first": (lambda f: f.first("n", ignorenulls=True), "FIRST(n) IGNORE NULLS"),
    "percentile": (lambda f: f.percentile("x", 0.5), "PERCENTILE(x, 0.5)"),
    "max by": (lambda f: f.max_by("n", "x"), "MAX_BY(n, x)"),
    "computed": (lambda f: f.max("x") - f.min("x"), "(MAX(x) - MIN(x))"),
}

REFUSED: dict[str, Callable[[Any], Any]] = {
    "window": lambda f: f.window("ts", "5 minutes"),
    "udf": lambda f: f.udf(lambda x: x, "int")("n"),
    "lambda": lambda f: f.transform("parts", lambda x: x + 1),
}


def connected() -> Any:
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    from pyspark.sql.connect import functions

    return functions


def test_values_are_those_of_spark(spark: SparkSession) -> None:
    rows = spark.createDataFrame(ROWS, SCHEMA)
    theirs, classic, over_connect = {}, {}, {}
    remote = connected()
    for number, (what, made) in enumerate(COLUMNS.items()):
        theirs[what] = made(sf).alias(f"c{number}")
        for found, functions in ((classic, sf), (over_connect, remote)):
            text = Expression.of(read_column(made(functions))[1]).text
            found[what] = sf.expr(text).alias(f"c{number}")
    expected = rows.select(*theirs.values()).collect()
    assert rows.select(*classic.values()).collect() == expected
    assert rows.select(*over_connect.values()).collect() == expected


@pytest.mark.parametrize("what", AGGREGATES)
def test_aggregates(what: str, spark: SparkSession) -> None:
    made, text = AGGREGATES[what]
    for functions in (sf, connected()):
        assert Expression.of(read_column(made(functions))[1]).text == text


def test_a_column_has_its_alias(spark: SparkSession) -> None:
    for functions in (sf, connected()):
        assert read_column(functions.avg("x").alias("m"))[0] == "m"
        assert read_column(functions.avg("x"))[0] is None


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_name(what: str, spark: SparkSession) -> None:
    for functions in (sf, connected()):
        column = REFUSED[what](functions)
        with pytest.raises(BadExpression):
            read_column(column)


def test_a_window_of_pyspark_is_refused(spark: SparkSession) -> None:
    column = sf.sum("n").over(Window.partitionBy("x"))
    with pytest.raises(BadExpression, match="Window"):
        read_column(column)


def test_in_a_query(spark: SparkSession) -> None:
    rows = [
        ("a", 1.0, datetime(2026, 1, 2, 3, 1)),
        ("a", 3.0, datetime(2026, 1, 2, 3, 2)),
        ("b", -1.0, datetime(2026, 1, 2, 3, 2)),
    ]
    frame = spark.createDataFrame(rows, "k STRING, x DOUBLE, ts TIMESTAMP")
    windows = tr.stream(frame, order_by="ts").where(sf.col("x") > 0).window(tumble="5 minutes")
    asked = windows.group_by([frame["k"], sf.hour("ts").alias("h")]).agg(
        sf.avg("x").alias("m"), sf.col("window_start"), hi=sf.max("x") + 1, last=sf.max_by("k", "ts"), window_end="max(ts)"
    )
    start = datetime(2026, 1, 2, 3, 0)
    assert [tuple(row) for row in asked.to_df().collect()] == [("a", 3, 2.0, start, 4.0, "a", datetime(2026, 1, 2, 3, 2))]
    again = windows.group_by("k", "window_end").agg(n=tr.count(), having=sf.count("*") > 1)
    assert [tuple(row) for row in again.to_df().collect()] == [("a", datetime(2026, 1, 2, 3, 5), 2)]
    assert again.order_by(sf.col("k").desc()).plan == again.order_by("k DESC NULLS LAST").plan
    with pytest.raises(BadQuery, match="given a name"):
        windows.group_by(sf.hour("ts"))
    with pytest.raises(BadQuery, match="there is a column 'x' already"):
        windows.group_by(sf.hour("ts").alias("x"))
    over = tr.stream(frame, order_by="ts").select(
        "k", s=tr.sum(sf.col("x") * 2).over(preceding=tr.rows(1), partition_by=sf.col("k"))
    )
    assert sorted(tuple(row) for row in over.to_df().collect()) == [("a", 2.0), ("a", 8.0), ("b", -2.0)]
