"""Data as it comes: NULLs, NaN, nothing at all, odd types and names, clocks that change, hot keys and many keys."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import transom as tr
from tests.spark.drained import Asking, answer, by, run, stream_of, write
from tests.spark.on_spark import rows_of
from transom.errors import NotSupported
from transom.fluent.relation import Relation
from transom.spark.running.messages.failures import failure
from transom.testing import answer as reference
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

KEYS = int(os.environ.get("TRANSOM_KEYS", "100000"))


def at(seconds: float) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def frame(spark: SparkSession, schema: str, *rows: tuple[Any, ...]) -> DataFrame:
    return spark.createDataFrame(list(rows), schema)


def counted(source: DataFrame, **clauses: Any) -> Relation:
    return tr.stream(source, order_by="ts", **clauses).window(tumble=tr.seconds(10)).group_by("k").agg(n="count(*)", s="sum(v)")


@contextmanager
def zone(spark: SparkSession, name: str) -> Iterator[None]:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", name)
    try:
        yield
    finally:
        spark.conf.set("spark.sql.session.timeZone", before or "UTC")


# -- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["inline", "blocks"])
def test_null_is_a_key_like_any_other(state: str, spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(
        spark, "k STRING, v BIGINT, ts TIMESTAMP", (None, 1, at(1)), ("a", 2, at(2)), (None, None, at(3)), (None, 5, at(11))
    )
    found = answer(rows, counted, tmp_path, state=state)
    assert by(found, "k", "n", "s") == sorted([(None, 2, 1), ("a", 1, 2), (None, 1, 5)], key=repr)


def test_null_timestamps_are_in_no_window_but_are_rows(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP", ("a", 1, at(1)), ("a", 2, None), ("a", 4, at(2)))
    assert by(answer(rows, counted, tmp_path / "time"), "k", "n", "s") == [("a", 2, 5)]
    last = "SELECT count(*) AS n, sum(v) AS s FROM s [RANGE 2 ROWS SLIDE 1 ROW]"
    found = answer(rows, lambda df: tr.sql(last, s=tr.stream(df, order_by="ts", name="s")), tmp_path / "rows")
    assert by(found, "n", "s") == [(1, 1), (2, 3), (2, 6)]


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_nan_is_a_value_and_not_null(state: str, spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(
        spark,
        "k DOUBLE, d DOUBLE, ts TIMESTAMP",
        (math.nan, 1.0, at(1)),
        (-math.nan, math.nan, at(2)),
        (0.0, None, at(3)),
        (-0.0, 2.0, at(4)),
        (None, None, at(5)),
    )

    def query(df: DataFrame) -> Relation:
        cut = tr.stream(df, order_by="ts").window(tumble=tr.seconds(10)).group_by("k")
        return cut.agg(n="count(*)", low="min(d)", high="max(d)", s="sum(d)")

    found = answer(rows, query, tmp_path, state=state)
    plain = rows_of(rows.groupBy("k").agg({"*": "count"}))
    assert len(found) == len(plain) == 3
    by_key = {"nan" if row["k"] is not None and math.isnan(row["k"]) else row["k"]: row for row in found}
    assert by_key["nan"]["n"] == 2
    assert by_key["nan"]["low"] == 1.0
    assert math.isnan(by_key["nan"]["high"])
    assert math.isnan(by_key["nan"]["s"])
    assert by_key[0.0] == {"k": 0.0, "n": 2, "low": 2.0, "high": 2.0, "s": 2.0}
    assert by_key[None] == {"k": None, "n": 1, "low": None, "high": None, "s": None}


def test_an_order_of_doubles_with_nan_and_infinities(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(spark, "x DOUBLE", (0.5,), (math.nan,), (math.inf,), (-math.inf,), (None,), (1.5,), (-0.0,))
    found = answer(
        rows,
        lambda df: tr.stream(df, order_by="x").window(tumble=1.0).agg(a="window_start", n="count(*)"),
        tmp_path,
    )
    assert by(found, "a", "n") == [(0.0, 1), (1.0, 1)]  # the last one is late by then


def test_decimals_as_axis_key_and_argument(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(
        spark,
        "a DECIMAL(12,3), k DECIMAL(6,2), v DECIMAL(10,2)",
        (Decimal("0.1"), Decimal("1.10"), Decimal("10.01")),
        (Decimal("0.299"), Decimal("1.1"), Decimal("0.02")),
        (Decimal("0.3"), Decimal("1.10"), Decimal("-7")),
        (Decimal("0.31"), None, None),
    )

    def query(df: DataFrame) -> Relation:
        cut = tr.stream(df, order_by="a").window(tumble=Decimal("0.3")).group_by("k")
        return cut.agg(lo="window_start", s="sum(v)", m="avg(v)", least="min(v)")

    found = answer(rows, query, tmp_path)
    assert by(found, "k", "lo", "s", "m", "least") == sorted(
        [
            (Decimal("1.1"), Decimal("0").normalize(), Decimal("10.03"), Decimal("5.015"), Decimal("0.02")),
            (Decimal("1.1"), Decimal("0.3"), Decimal("-7"), Decimal("-7"), Decimal("-7")),
            (None, Decimal("0.3"), None, None, None),
        ],
        key=repr,
    )
    plain = rows.groupBy("k").agg({"v": "avg"}).schema[1].dataType
    assert query(rows).to_df().schema["m"].dataType == plain


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "values", "window"),
    [
        ("TINYINT", [100, 120, -127, 50, 127], "RANGE 100 SLIDE 20 SLACK 300"),
        ("INT", [2**31 - 1], "RANGE 1.5"),
        ("BIGINT", [1, 2, 5, 3, 2**53 + 1], "RANGE 2 SLIDE 0.5 SLACK 0.25"),
        ("DECIMAL(3,1)", [Decimal("99.5"), Decimal("-99.9"), Decimal("98.1")], "TUMBLE 50 SLACK 300"),
        ("DECIMAL(3,1)", [Decimal("99.5"), Decimal("98.1")], "TUMBLE 0.25"),
    ],
)
def test_bounds_that_the_attribute_could_not_hold(
    kind: str, values: list[Any], window: str, spark: SparkSession, tmp_path: Path
) -> None:
    rows = frame(spark, f"x {kind}, v BIGINT", *((value, n) for n, value in enumerate(values))).coalesce(1)
    text = f"SELECT window_start AS a, window_end AS b, event_ts AS e, wid AS w, count(*) AS n FROM s [{window}]"

    def query(df: DataFrame) -> Relation:
        return tr.sql(text, s=tr.stream(df, order_by="x", name="s"))

    assert_same_rows(answer(rows, query, tmp_path), reference(query(rows), [(x, n) for n, x in enumerate(values)], end=True).rows)
    told = [column.type.replace(" ", "") for column in query(rows).plan.schema.columns]
    assert [field.dataType.simpleString().upper() for field in query(rows).to_df().schema.fields] == told


@pytest.mark.long
def test_bounds_of_different_digits_meet(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(spark, "x INT", (1,), (2,), (5,)).coalesce(1)
    streams = """
        CREATE STREAM p AS SELECT window_end AS b, count(*) AS n FROM s [RANGE 1 SLIDE 0.25];
        CREATE STREAM q AS SELECT window_end AS b, count(*) AS n FROM s [RANGE 2 SLIDE 0.5];
    """

    def asking(text: str) -> Asking:
        return lambda df: tr.sql(streams + text, s=tr.stream(df, order_by="x", name="s"))

    joined = asking("SELECT p.n AS a, q.n AS c, event_ts AS e FROM p JOIN q ON p.event_ts = q.event_ts")
    ends = [(1, n, Decimal(e) / 2) for e, n in [(3, 1), (4, 1), (5, 2), (6, 2), (11, 1), (12, 1)]]
    assert by(answer(rows, joined, tmp_path / "join"), "a", "c", "e") == sorted(ends, key=repr)
    united = asking("SELECT b FROM (SELECT b FROM p UNION SELECT b FROM q) AS u")
    quarters = {Decimal(x * 4 + n) / 4 for x in (1, 2, 5) for n in range(1, 5)}
    halves = {Decimal(x * 2 + n) / 2 for x in (1, 2, 5) for n in range(1, 5)}
    assert sorted(row["b"] for row in answer(rows, united, tmp_path / "union")) == sorted(quarters | halves)
    again = asking("SELECT cast(window_end AS INT) AS e, count(*) AS n FROM p [TUMBLE 2]")
    assert by(answer(rows, again, tmp_path / "derived"), "e", "n") == [(2, 3), (4, 5), (6, 3), (8, 1)]


@pytest.mark.long
def test_min_and_max_of_strings_dates_and_booleans(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(
        spark,
        "t STRING, d DATE, b BOOLEAN, ts TIMESTAMP",
        ("b", date(2026, 1, 2), True, at(1)),
        ("é", date(1950, 1, 2), None, at(2)),
        (None, None, False, at(3)),
        ("", date(2000, 1, 1), True, at(4)),
    )

    def query(df: DataFrame) -> Relation:
        cut = tr.stream(df, order_by="ts").window(range=tr.seconds(20), slide=tr.seconds(10))
        return cut.agg(lo="min(t)", hi="max(t)", first="min(d)", last="max(d)", no="min(b)", yes="max(b)", end="max(ts)")

    found = answer(rows, query, tmp_path)
    same = {"lo": "", "hi": "é", "first": date(1950, 1, 2), "last": date(2026, 1, 2), "no": False, "yes": True, "end": at(4)}
    assert found == [same, same]


def test_columns_of_any_type_pass_through(spark: SparkSession, tmp_path: Path) -> None:
    schema = (
        "b BOOLEAN, d DATE, n TIMESTAMP_NTZ, a ARRAY<INT>, m MAP<STRING, INT>, r STRUCT<x: INT, y: STRING>, z BINARY, "
        "f FLOAT, i SMALLINT, c DECIMAL(20,5), ts TIMESTAMP"
    )
    full = (
        True,
        date(1969, 12, 31),
        datetime(1969, 7, 20, 20, 17),
        [1, None, 3],
        {"u": 1},
        (1, "y"),
        bytearray(b"\x00\xff"),
        0.5,
        -7,
        Decimal("1.5"),
        at(1),
    )
    rows = frame(spark, schema, full, (*[None] * 10, at(2)))
    text = "SELECT * FROM s [TUMBLE 10 SECONDS]"
    for state in ("inline", "blocks"):
        found = answer(rows, lambda df: tr.sql(text, s=tr.stream(df, order_by="ts", name="s")), tmp_path / state, state=state)
        assert_same_rows(found, rows_of(rows))


def test_a_timestamp_without_a_zone_as_the_axis(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(spark, "n TIMESTAMP_NTZ, v INT", (datetime(1969, 12, 31, 23, 59), 1), (datetime(1970, 1, 1, 0, 1), 2))
    for name in ("UTC", "America/New_York"):
        with zone(spark, name):
            found = answer(
                rows,
                lambda df: tr.stream(df, order_by="n").window(tumble=tr.hours(1)).agg(a="window_start", s="sum(v)"),
                tmp_path / name.replace("/", "-"),
            )
            wall = [(row["a"].replace(tzinfo=None), row["s"]) for row in found]
            assert sorted(wall) == [(datetime(1969, 12, 31, 23), 1), (datetime(1970, 1, 1), 2)]


# -- clocks ----------------------------------------------------------------------------------------------------------


def test_days_are_those_of_utc_whatever_the_session_shows(spark: SparkSession, tmp_path: Path) -> None:
    """Across the change of clocks in New York (2026-03-08 07:00 UTC) every day has 24 hours, and starts at midnight UTC."""
    moments = [datetime(2026, 3, 7, 12, tzinfo=UTC) + timedelta(hours=hours) for hours in range(48)]
    rows = frame(spark, "ts TIMESTAMP", *((moment,) for moment in moments))

    def query(df: DataFrame) -> Relation:
        return tr.stream(df, order_by="ts").window(tumble=tr.days(1)).agg(a="window_start", n="count(*)", e="event_ts")

    def shown(name: str) -> list[str]:
        with zone(spark, name):
            found = query(rows).to_df()
            return sorted(row[0] for row in found.selectExpr("date_format(a, 'yyyy-MM-dd HH:mm')").collect())

    with zone(spark, "America/New_York"):
        found = answer(rows, query, tmp_path)
    starts = [datetime(2026, 3, day, tzinfo=UTC) for day in (7, 8, 9)]
    assert by(found, "a", "n", "e") == [
        (start, n, start + timedelta(days=1)) for start, n in zip(starts, (12, 24, 12), strict=True)
    ]
    assert shown("UTC") == ["2026-03-07 00:00", "2026-03-08 00:00", "2026-03-09 00:00"]
    assert shown("America/New_York") == ["2026-03-06 19:00", "2026-03-07 19:00", "2026-03-08 20:00"]


@pytest.mark.parametrize("name", ["Europe/Berlin", pytest.param("America/New_York", marks=pytest.mark.long)])
def test_dates_are_midnights_of_utc(name: str, spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(
        spark, "d DATE, v INT", (date(2026, 3, 28), 1), (date(2026, 3, 29), 2), (date(2026, 3, 30), 4), (date(1960, 1, 1), 8)
    )
    with zone(spark, name):
        found = answer(
            rows,
            lambda df: (
                tr.stream(df, order_by="d", slack=tr.days(40000)).window(tumble=tr.days(1)).agg(a="window_start", s="sum(v)")
            ),
            tmp_path,
        )
    assert by(found, "a", "s") == by(
        [
            {"a": datetime(2026, 3, 28, tzinfo=UTC), "s": 1},
            {"a": datetime(2026, 3, 29, tzinfo=UTC), "s": 2},
            {"a": datetime(2026, 3, 30, tzinfo=UTC), "s": 4},
            {"a": datetime(1960, 1, 1, tzinfo=UTC), "s": 8},
        ],
        "a",
        "s",
    )


def test_before_1970_and_far_away(spark: SparkSession, tmp_path: Path) -> None:
    moments = [
        datetime(*day, tzinfo=UTC) for day in [(1, 1, 2), (1582, 10, 15), (1969, 12, 31, 23, 59, 59, 999999), (9999, 12, 30)]
    ]
    rows = frame(spark, "ts TIMESTAMP", *((moment,) for moment in moments))
    found = answer(
        rows,
        lambda df: tr.stream(df, order_by="ts").window(tumble=tr.hours(1)).agg(a="window_start", n="count(*)", m="min(ts)"),
        tmp_path,
    )
    assert by(found, "a", "n", "m") == by(
        [{"a": moment.replace(minute=0, second=0, microsecond=0), "n": 1, "m": moment} for moment in moments], "a", "n", "m"
    )


# -- little and much -------------------------------------------------------------------------------------------------


def test_nothing_at_all(spark: SparkSession, tmp_path: Path) -> None:
    nothing = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP")
    assert answer(nothing, counted, tmp_path) == []


def test_micro_batches_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    schema = "k STRING, v BIGINT, ts TIMESTAMP"
    contents = [[("a", 1, at(1))], [], [], [("a", 2, at(5)), ("a", 4, at(21))], []]
    for number, rows in enumerate(contents):
        write(frame(spark, schema, *rows), tmp_path / "in")
        newest = max((tmp_path / "in").glob("*.parquet"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (1e9 + number, 1e9 + number))
    found, _ = run(counted(stream_of(spark, tmp_path / "in", maxFilesPerTrigger=1)).to_df(), tmp_path / "checkpoint")
    assert [by(rows, "k", "n", "s") for rows in found] == [[], [], [], [("a", 2, 3)], []]


def test_a_filter_that_leaves_nothing_lets_time_pass(spark: SparkSession, tmp_path: Path) -> None:
    schema = "k STRING, v BIGINT, ts TIMESTAMP"
    rows = frame(spark, schema, ("a", 1, at(1)), ("b", 9, at(30)), ("a", 2, at(2)))

    def query(condition: str) -> Asking:
        return lambda df: (
            tr.stream(df, order_by="ts").where(condition).window(tumble=tr.seconds(10)).group_by("k").agg(n="count(*)")
        )

    assert answer(rows, query("v > 100"), tmp_path / "all") == []
    assert by(answer(rows, query("k = 'a'"), tmp_path / "some"), "k", "n") == [("a", 1)]  # b made the last tuple late


@pytest.mark.long
def test_one_hot_key(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(200_000).selectExpr(
        "IF(id % 1000 = 0, concat('k', id), 'hot') AS k", "id AS v", "timestamp_micros(id * 1000) AS ts"
    )
    plain = rows.groupBy("k", F.window("ts", "10 seconds")).agg(F.count("*").alias("n"), F.sum("v").alias("s")).drop("window")
    assert_same_rows(answer(rows, counted, tmp_path), rows_of(plain))


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_many_keys(state: str, spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(2 * KEYS).selectExpr(f"id % {KEYS} AS k", "id AS v", f"timestamp_micros(id DIV {KEYS} * 5000000) AS ts")
    write(rows, tmp_path / "in")
    write(rows.limit(1).selectExpr("k", "v", "timestamp_micros(20000000) AS ts"), tmp_path / "more")
    source = stream_of(spark, tmp_path / "in")
    spark.conf.set("spark.transom.state", state)
    try:
        results = counted(source).to_df()
    finally:
        spark.conf.unset("spark.transom.state")
    target = tmp_path / "out"
    for _ in range(2):
        options = {"checkpointLocation": str(tmp_path / "checkpoint"), "path": str(target)}
        results.writeStream.options(**options).trigger(availableNow=True).start().awaitTermination()
        for file in (tmp_path / "more").glob("*.parquet"):
            file.rename(tmp_path / "in" / f"more-{file.name}")
    found = spark.read.parquet(str(target))
    assert found.count() == KEYS
    assert found.where(f"n <> 2 OR s <> 2 * k + {KEYS}").isEmpty()


# -- names -----------------------------------------------------------------------------------------------------------


def test_names_with_spaces_dots_and_capitals(spark: SparkSession, tmp_path: Path) -> None:
    schema = "`the key` STRING, `a.b` BIGINT, Speed BIGINT, `Event Time` TIMESTAMP"
    rows = frame(spark, schema, ("x", 1, 10, at(1)), ("x", 2, 20, at(2)), ("y", 4, 40, at(3)))

    def fluent(df: DataFrame) -> Relation:
        cut = tr.stream(df, order_by="Event Time").where("`a.b` < 4").window(tumble=tr.seconds(10)).group_by("the key")
        return cut.agg(**{"the sum": "sum(`a.b`)", "Top.Most": "max(speed)"})

    assert by(answer(rows, fluent, tmp_path / "fluent"), "the key", "the sum", "Top.Most") == [("x", 3, 20)]
    text = "SELECT `THE KEY`, sum(`A.B`) AS `My Sum`, window_end AS `to` FROM s [TUMBLE 10 SECONDS] GROUP BY `the key`"
    found = answer(rows, lambda df: tr.sql(text, s=tr.stream(df, order_by="Event Time", name="s")), tmp_path / "sql")
    assert by(found, "My Sum", "to") == [(3, at(10)), (4, at(10))]
    arranged = "SELECT DISTINCT `a.b` FROM s [TUMBLE 10 SECONDS] ORDER BY `a.b` DESC"
    found = rows_of(tr.sql(arranged, s=tr.stream(rows, order_by="Event Time", name="s")).to_df())
    assert found == [{"a.b": 4}, {"a.b": 2}, {"a.b": 1}]
    everything = "SELECT * FROM s [TUMBLE 10 SECONDS]"
    assert_same_rows(
        answer(rows, lambda df: tr.sql(everything, s=tr.stream(df, order_by="Event Time", name="s")), tmp_path / "star"),
        rows_of(rows),
    )


def test_names_that_are_words_of_sql(spark: SparkSession) -> None:
    rows = frame(spark, "`SELECT` BIGINT, `from` BIGINT, ts TIMESTAMP", (1, 2, at(1)))
    text = "SELECT `SELECT`, `from` FROM s [TUMBLE 10 SECONDS]"
    assert rows_of(tr.sql(text, s=tr.stream(rows, order_by="ts", name="s")).to_df()) == [{"SELECT": 1, "from": 2}]


def test_names_that_look_like_our_own(spark: SparkSession, tmp_path: Path) -> None:
    schema = "shard STRING, source BIGINT, number BIGINT, rows BIGINT, y0 BIGINT, x0 BIGINT, a BIGINT, `timestamp` TIMESTAMP"
    rows = frame(spark, schema, ("x", 1, 2, 3, 4, 5, 6, at(1)), ("x", 1, 2, 3, 4, 5, 6, at(2)))

    def query(df: DataFrame) -> Relation:
        cut = tr.stream(df, order_by="timestamp").window(tumble=tr.seconds(10)).group_by("shard", "a")
        return cut.agg(source="sum(source)", y1="sum(y0)", y0="sum(number + `rows`)", frontier="max(x0)")

    found = answer(rows, query, tmp_path)
    assert found == [{"shard": "x", "a": 6, "source": 2, "y1": 8, "y0": 10, "frontier": 5}]


# -- around the window -----------------------------------------------------------------------------------------------


@pytest.fixture
def places(spark: SparkSession) -> Iterator[str]:
    frame(spark, "key STRING, place STRING", ("a", "north"), ("b", "south")).createOrReplaceTempView("places")
    yield "places"
    spark.catalog.dropTempView("places")


def visits(spark: SparkSession) -> DataFrame:
    tuples = [("a", 1, at(1)), ("b", 2, at(2)), ("c", 4, at(3)), ("a", 8, at(12)), ("c", 16, at(40))]
    return frame(spark, "k STRING, v BIGINT, ts TIMESTAMP", *tuples)


@pytest.mark.parametrize("how", ["inner", "left"])
def test_a_table_joined_below_the_window(how: str, spark: SparkSession, places: str, tmp_path: Path) -> None:
    def query(df: DataFrame) -> Relation:
        joined = tr.stream(df, order_by="ts", name="visits").join(
            places, {"key": "STRING", "place": "STRING"}, "visits.k = places.key", how
        )
        return joined.window(tumble=tr.seconds(10)).group_by("place").agg(s="sum(v)")

    expected = [("north", 1), ("north", 8), ("south", 2)] + ([(None, 4), (None, 16)] if how == "left" else [])
    assert by(answer(visits(spark), query, tmp_path), "place", "s") == sorted(expected, key=repr)


@pytest.mark.parametrize("how", ["INNER", "LEFT"])
def test_a_table_joined_above_the_window(how: str, spark: SparkSession, places: str, tmp_path: Path) -> None:
    def query(df: DataFrame) -> Relation:
        cut = tr.stream(df, order_by="ts", name="visits").window(tumble=tr.seconds(10)).group_by("k").agg(s="sum(v)")
        return cut.as_stream("sums").join(places, {"key": "STRING", "place": "STRING"}, "k = key", how.lower())

    expected = [("north", 1), ("north", 8), ("south", 2)] + ([(None, 4), (None, 16)] if how == "LEFT" else [])
    assert by(answer(visits(spark), query, tmp_path), "place", "s") == sorted(expected, key=repr)


def test_a_table_joined_in_sql(spark: SparkSession, places: str, tmp_path: Path) -> None:
    text = """
        CREATE TABLE places (key STRING, place STRING);
        SELECT place, sum(v) AS s FROM visits [TUMBLE 10 SECONDS] JOIN places ON k = key GROUP BY place
    """
    found = answer(visits(spark), lambda df: tr.sql(text, visits=tr.stream(df, order_by="ts", name="visits")), tmp_path)
    assert by(found, "place", "s") == [("north", 1), ("north", 8), ("south", 2)]


@pytest.mark.long
def test_having_over_aggregates_and_names(spark: SparkSession, tmp_path: Path) -> None:
    text = "SELECT k, sum(v) AS total FROM s [TUMBLE 1 HOUR] GROUP BY k HAVING total > 2 AND count(*) < 3"
    found = answer(visits(spark), lambda df: tr.sql(text, s=tr.stream(df, order_by="ts", name="s")), tmp_path)
    assert by(found, "k", "total") == [("a", 9), ("c", 20)]


def test_distinct_is_by_window(spark: SparkSession, tmp_path: Path) -> None:
    tuples = [("a", 1, at(1)), ("a", 1, at(2)), ("b", 2, at(3)), ("a", 1, at(11)), ("a", None, at(12)), ("a", None, at(13))]
    rows = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP", *tuples)
    text = "SELECT DISTINCT k, v FROM s [TUMBLE 10 SECONDS]"
    found = answer(rows, lambda df: tr.sql(text, s=tr.stream(df, order_by="ts", name="s")), tmp_path)
    assert by(found, "k", "v") == sorted([("a", 1), ("b", 2), ("a", 1), ("a", None)], key=repr)


def test_order_by_is_by_window(spark: SparkSession, tmp_path: Path) -> None:
    tuples = [("a", 1, at(1)), ("c", 1, at(2)), ("b", 2, at(3)), ("a", 1, at(11)), ("d", 5, at(12)), (None, 7, at(13))]
    rows = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP", *tuples)
    text = "SELECT k, window_end AS e, sum(v) AS s FROM s [TUMBLE 10 SECONDS] GROUP BY k ORDER BY k DESC"
    found = answer(rows, lambda df: tr.sql(text, s=tr.stream(df, order_by="ts", name="s")), tmp_path)
    assert [(row["e"], row["k"]) for row in found] == [
        (at(10), "c"),
        (at(10), "b"),
        (at(10), "a"),
        (at(20), "d"),
        (at(20), "a"),
        (at(20), None),
    ]


# -- windows over windows --------------------------------------------------------------------------------------------


@pytest.mark.long
def test_windows_over_windows_are_the_two_steps(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(4000).selectExpr(
        "concat('k', id % 17) AS k", "id % 101 AS v", "timestamp_micros((id * 700 + (id * 7919) % 5000) * 1000) AS ts"
    )
    text = """
        SELECT max(s) AS top, count(*) AS n, window_end AS e
        FROM (SELECT k, sum(v) AS s FROM s [TUMBLE 1 MINUTE] GROUP BY k) AS minutes [TUMBLE 10 MINUTES]
    """
    minutes = rows.groupBy("k", F.window("ts", "1 minute")).agg(F.sum("v").alias("s")).withColumn("e", F.col("window.end"))
    steps = minutes.groupBy(F.window("e", "10 minutes").alias("w")).agg(F.max("s").alias("top"), F.count("*").alias("n"))
    found = answer(rows, lambda df: tr.sql(text, s=tr.stream(df, order_by="ts", name="s", slack=tr.minutes(1))), tmp_path)
    assert_same_rows(found, rows_of(steps.selectExpr("top", "n", "w.end AS e")))


# -- disorder --------------------------------------------------------------------------------------------------------


def test_late_tuples_come_with_the_frontier_that_excluded_them(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP", ("a", 1, at(1)), ("b", 2, at(25)), ("a", 4, at(3)), (None, 8, at(26)))
    found = answer(rows, lambda df: counted(df).late(), tmp_path)
    assert found == [{"k": "a", "v": 4, "ts": at(3), "frontier": at(25)}]


def test_each_source_has_its_own_progress(spark: SparkSession, tmp_path: Path) -> None:
    tuples = [("a", 1, at(100)), ("b", 2, at(1)), ("a", 4, at(200)), ("b", 8, at(2)), ("b", 16, at(101)), ("a", 32, at(102))]
    rows = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP", *tuples)
    every = by(answer(rows, lambda df: counted(df, per_source=["k"]), tmp_path / "each"), "k", "s")
    assert every == [("a", 1), ("a", 4), ("b", 10), ("b", 16)]
    assert by(answer(rows, counted, tmp_path / "one"), "k", "s") == [("a", 1), ("a", 4)]


def test_one_bad_clock_is_set_aside(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(
        spark,
        "k STRING, v BIGINT, ts TIMESTAMP, arrived TIMESTAMP",
        ("a", 1, at(1), at(1)),
        ("a", 2, at(90000), at(2)),
        ("a", 4, at(3), at(3)),
        ("a", 8, at(12), at(12)),
    )
    found = answer(rows, lambda df: counted(df, ahead=tr.hours(1), arrival_by="arrived"), tmp_path)
    assert by(found, "k", "n", "s") == [("a", 1, 8), ("a", 2, 5)]


def test_a_tuple_without_arrival_time_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    tuples = [("a", 1, at(1), at(1)), ("a", 2, at(2), None)]
    rows = frame(spark, "k STRING, v BIGINT, ts TIMESTAMP, arrived TIMESTAMP", *tuples)
    with pytest.raises(PySparkException, match="'arrived' is NULL") as caught:
        answer(rows, lambda df: counted(df, drop_ratio=0.01, arrival_by="arrived"), tmp_path)
    assert failure(caught.value).name == "BadTuple"


@pytest.mark.parametrize("frame", ["FROM s [TUMBLE 10 SECONDS]", "OVER (ROWS 2 PRECEDING) FROM s", "FROM s [RANGE 2 ROWS]"])
@pytest.mark.parametrize(("call", "says"), [("max(struct(v, k))", "can be compared"), ("sum(k)", "takes numbers")])
def test_arguments_that_an_aggregate_does_not_take_are_refused_before_a_job_starts(
    call: str, says: str, frame: str, spark: SparkSession
) -> None:
    rows = spark.createDataFrame([("a", 1, at(1))], "k STRING, v INT, ts TIMESTAMP")
    text = f"SELECT {call} {'AS y ' * frame.startswith('FROM')}{frame}"
    with pytest.raises(NotSupported, match=says):
        tr.sql(text, s=tr.stream(rows, order_by="ts")).to_df()
