"""TIMESTAMP literals in brackets, and in WHERE of the same query, in a session that is not in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.language.constants import INSTANTS, NUMBERS
from tests.spark.on_spark import rows_of
from tests.spark.test_odd_data import zone

pytestmark = pytest.mark.spark


def test_literals_in_brackets_mean_what_they_mean_in_where(spark: SparkSession) -> None:
    times = [
        datetime(2025, 12, 31, 22, 30, tzinfo=UTC),
        datetime(2025, 12, 31, 23, 30, tzinfo=UTC),
        datetime(2026, 1, 1, 0, 30, tzinfo=UTC),
    ]
    frame = spark.createDataFrame([(n, at) for n, at in enumerate(times)], "id INT, ts TIMESTAMP")
    source = tr.stream(frame, order_by="ts", ordered=True, name="s")
    bracket = "[LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 DAY]"
    band = "[BAND DATE '2026-01-01' TO TIMESTAMP '2026-01-01 01:00:00' SLIDE 1 HOUR]"
    with zone(spark, "Europe/Berlin"):
        where = tr.sql("SELECT id FROM s WHERE ts >= TIMESTAMP '2026-01-01'", s=source)
        assert [row["id"] for row in rows_of(where.to_df())] == [1, 2]
        since = tr.sql(f"SELECT count(*) AS n, window_start FROM s {bracket}", s=source)
        assert rows_of(since.to_df())[-1] == {"n": 2, "window_start": times[1].replace(minute=0)}
        within = tr.sql(f"SELECT count(*) AS n FROM s {band}", s=source)
        assert rows_of(within.to_df())[-1] == {"n": 1}
    since = tr.sql(f"SELECT count(*) AS n FROM s {bracket}", s=source)
    assert rows_of(since.to_df())[-1] == {"n": 1}


def test_constant_expressions_have_sparks_values(spark: SparkSession) -> None:
    with zone(spark, "Europe/Berlin"):
        texts = ", ".join(f"unix_micros(CAST({text} AS TIMESTAMP))" for text in INSTANTS)
        (found,) = spark.sql(f"SELECT {texts}").collect()
        (numbers,) = spark.sql(f"SELECT {', '.join(NUMBERS)}").collect()
    expected = [datetime.fromisoformat(f"{instant}+00:00") for instant in INSTANTS.values()]
    assert [datetime.fromtimestamp(micros / 1_000_000, UTC) for micros in found] == expected
    assert list(numbers) == list(NUMBERS.values())
