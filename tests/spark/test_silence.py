"""Expiry in silence while a query runs: an item leaves through the door, nobody comes, and the alarm is told."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import transom as tr
from tests.spark.drained import run, stream_of, write

pytestmark = [pytest.mark.spark, pytest.mark.classic]

ALARM = "SELECT exit_alarm(code, id) OVER (RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) AS stolen, event_ts AS at FROM door"
PATIENCE = 90
Seen = list[tuple[str, int, float]]


def came(spark: SparkSession, folder: Path, *tuples: tuple[str, str, int]) -> DataFrame:
    """A stream over files, with one more of them."""
    rows = [(code, id, datetime.fromtimestamp(second, UTC)) for code, id, second in tuples]
    write(spark.createDataFrame(rows, "code STRING, id STRING, ts TIMESTAMP"), folder)
    return stream_of(spark, folder)


def alarms(door: DataFrame) -> DataFrame:
    return tr.sql(ALARM, door=tr.stream(door, order_by="ts", name="door")).to_df()


def told(query: StreamingQuery, seen: Seen, count: int) -> None:
    """Wait until so many alarms have been told."""
    until = time.monotonic() + PATIENCE
    while len(seen) < count and query.isActive and time.monotonic() < until:
        time.sleep(0.1)


def test_an_alarm_in_silence(spark: SparkSession, tmp_path: Path) -> None:
    folder, seen = tmp_path / "in", Seen()

    def tell(rows: DataFrame, number: int) -> None:
        seen.extend((row.stolen, round(row.at.timestamp()), time.monotonic()) for row in rows.collect())

    frame = alarms(came(spark, folder, ("ap", "p1", 0), ("item", "with p1", 3), ("item", "alone", 100)))
    stream = frame.writeStream.foreachBatch(tell).option("checkpointLocation", str(tmp_path / "checkpoint"))
    start = time.monotonic()
    query = stream.start()
    try:
        told(query, seen, 1)
        assert [row[:2] for row in seen] == [("alone", 105)]
        assert seen[0][2] - start > 5
        came(spark, folder, ("item", "also alone", 10_000))
        told(query, seen, 2)
        assert [row[:2] for row in seen] == [("alone", 105), ("also alone", 10_005)]
        assert query.exception() is None
    finally:
        query.stop()


def test_no_time_passes_where_only_what_is_there_is_read(spark: SparkSession, tmp_path: Path) -> None:
    rows, _ = run(alarms(came(spark, tmp_path / "in", ("item", "alone", 100))), tmp_path / "checkpoint")
    assert rows == [[]]
    rows, _ = run(alarms(came(spark, tmp_path / "in", ("ap", "too late", 106))), tmp_path / "checkpoint")
    assert [[row["stolen"] for row in each] for each in rows] == [["alone"]]
