"""Users' aggregates on Spark: classes, tables that bodies read, several columns, and failures by their names."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from transom.errors import NotPicklable
from transom.spark.running.messages.failures import failure

pytestmark = pytest.mark.spark

START = datetime(2026, 1, 1, tzinfo=UTC)


def bids(spark: SparkSession) -> DataFrame:
    rows = [("a", 4.0, 0), ("b", 8.0, 1), ("a", 2.0, 2), ("a", None, 5), ("b", 1.0, 6)]
    moved = [(item, price, START + timedelta(seconds=s)) for item, price, s in rows]
    return spark.createDataFrame(moved, "item STRING, price DOUBLE, ts TIMESTAMP")


def asked(sql: str, spark: SparkSession) -> list[tuple[Any, ...]]:
    stream = tr.stream(bids(spark), order_by="ts", name="bid")
    return sorted((tuple(row) for row in tr.sql(sql, bid=stream).to_df().collect()), key=repr)


def test_a_class(spark: SparkSession) -> None:
    class Change:
        def initialize(self, x: Any) -> None:
            self.last = x

        def iterate(self, x: Any) -> Any:
            gone, self.last = self.last, x
            return None if x is None else x - gone

    tr.aggregate(returns="DOUBLE", name="change")(Change)
    assert asked("SELECT item, change(price) AS up FROM bid GROUP BY item", spark) == [("a", -2.0), ("b", -7.0)]


def test_a_class_on_arrays_gets_panes(spark: SparkSession) -> None:
    class Product:
        identity = (1.0,)

        def lift(self, x: Any) -> Any:
            return x

        def combine(self, a: Any, b: Any) -> Any:
            return (a[0] * b[0],)

        def lower(self, partial: Any) -> Any:
            return partial[0]

    tr.aggregate(returns="DOUBLE", name="multiplied")(Product)
    found = asked("SELECT item, multiplied(price) AS p FROM bid [RANGE 10 SECONDS SLIDE 5 SECONDS] GROUP BY item", spark)
    assert found == [("a", 8.0), ("a", 8.0), ("a", None), ("b", 1.0), ("b", 8.0), ("b", 8.0)]


def test_a_class_that_cannot_be_sent(spark: SparkSession) -> None:
    lock = threading.Lock()

    class Locked:
        def initialize(self, x: Any) -> Any:
            return lock.locked()

        iterate = initialize

    tr.aggregate(returns="BOOLEAN", name="locked_up")(Locked)
    with pytest.raises(NotPicklable, match="locked_up cannot be sent"):
        asked("SELECT locked_up(price) AS y FROM bid", spark)


def test_several_columns_and_times(spark: SparkSession) -> None:
    sql = "SELECT g.id AS id, g.grp AS grp, g.seen AS seen FROM (SELECT product_group(item, ts, 2) AS g FROM bid) AS grouped"
    found = asked(sql, spark)
    assert [row[:2] for row in found] == [("a", 1), ("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert found[0][2].timestamp() == START.timestamp()


def test_a_body_reads_a_table(spark: SparkSession) -> None:
    spark.createDataFrame([("a", 3.0), ("b", 5.0)], "item STRING, hi DOUBLE").createOrReplaceTempView("limits")
    sql = """
      CREATE TABLE limits (item STRING, hi DOUBLE);
      CREATE AGGREGATE above(item STRING, x DOUBLE) RETURNS DOUBLE {
        INITIALIZE: { INSERT INTO RETURN SELECT x - l.hi FROM limits AS l WHERE l.item = above.item AND x > l.hi; }
        ITERATE: { INSERT INTO RETURN SELECT x - l.hi FROM limits AS l WHERE l.item = above.item AND x > l.hi; }
      };
      SELECT item, above(item, price) AS over FROM bid GROUP BY item;
    """
    assert asked(sql, spark) == [("a", 1.0), ("b", 3.0)]


def test_a_failure_is_told_by_its_name(spark: SparkSession) -> None:
    sql = """
      CREATE AGGREGATE share(x DOUBLE) RETURNS DOUBLE {
        INITIALIZE: { }
        ITERATE: { INSERT INTO RETURN SELECT 1 / (x - 2.0); }
      };
      SELECT item, share(price) AS y FROM bid GROUP BY item;
    """
    with pytest.raises(Exception) as caught:  # noqa: PT011
        asked(sql, spark)
    told = str(failure(caught.value))
    assert told.startswith("AggregateFailed: aggregate share failed in ITERATE: float division by zero")
    assert "{'x': 2.0}" in told


def test_a_stream_of_expiries_goes_by_their_instants(spark: SparkSession) -> None:
    """a is seen last at 5, b at 6: they have been silent for 8 seconds at 13 and 14, not when they were seen."""
    gone = "SELECT item, ts, silence(item) OVER (PARTITION BY item RANGE 8 SECONDS PRECEDING ACTIVE EXPIRATION) AS who FROM bid"
    found = asked(f"SELECT count(*) AS n, unix_seconds(window_end) AS e FROM ({gone}) AS q [TUMBLE 10 SECONDS]", spark)
    assert found == [(2, START.timestamp() + 20)]


def test_users_aggregates_in_windows_together(spark: SparkSession) -> None:
    """Queries that differ in their windows alone share panes, also of an aggregate with COMBINE."""
    script = """
      CREATE AGGREGATE mean(x DOUBLE) RETURNS DOUBLE {
        TABLE state(total DOUBLE, n BIGINT);
        INITIALIZE: { INSERT INTO state VALUES (x, 1); }
        ITERATE: { UPDATE state SET total = total + x, n = n + 1; }
        TERMINATE: { INSERT INTO RETURN SELECT total / n FROM state; }
        COMBINE: { UPDATE state SET total = total + other.total, n = n + other.n; }
      };
      SELECT item, mean(price) AS y, window_end AS e FROM bid [%s] GROUP BY item;
    """
    stream = tr.stream(bids(spark), order_by="ts", name="bid")
    queries = [tr.sql(script % window, bid=stream) for window in ("TUMBLE 3 SECONDS", "RANGE 6 SECONDS SLIDE 3 SECONDS")]
    shared = sorted((tuple(row) for row in tr.together(*queries).to_df().collect()), key=repr)
    alone = [(n, *row) for n, query in enumerate(queries) for row in query.to_df().collect()]
    assert shared == sorted(alone, key=repr)
