"""spark.sql.ansi.enabled=false: sums that overflow are what Spark makes of them, in panes, extents and frames."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.on_spark import rows_of

pytestmark = pytest.mark.spark

ANSI = "spark.sql.ansi.enabled"
NINES = Decimal("9" * 38)


@pytest.fixture
def lenient(spark: SparkSession) -> Iterator[SparkSession]:
    before = spark.conf.get(ANSI, "true")
    spark.conf.set(ANSI, "false")
    yield spark
    spark.conf.set(ANSI, before or "true")


def test_sums_that_overflow(lenient: SparkSession) -> None:
    rows = [(2**63 - 1, NINES, n) for n in range(3)]
    source = lenient.createDataFrame(rows, "x BIGINT, d DECIMAL(38, 0), s INT").selectExpr("x", "d", "timestamp_seconds(s) AS ts")
    source = source.coalesce(1)
    source.createOrReplaceTempView("large_numbers")
    sums = "sum(x) AS x, sum(d) AS d, avg(x) AS m, avg(d) AS a"
    want = rows_of(lenient.sql(f"SELECT {sums} FROM large_numbers"))
    assert [want[0]["x"], want[0]["d"]] == [2**63 - 3, None]
    stream = tr.stream(source, order_by="ts", ordered=True, name="s")
    for window in ("TUMBLE 10 SECONDS", "RANGE 10 SECONDS SLIDE 5 SECONDS", "SESSION GAP 5 SECONDS"):
        assert rows_of(tr.sql(f"SELECT {sums} FROM s [{window}]", s=stream).to_df())[-1] == want[0]
    frame = "OVER (ORDER BY ts ROWS 1 PRECEDING)"
    asked = f"SELECT sum(x) {frame} AS x, sum(d) {frame} AS d FROM"
    assert rows_of(tr.sql(f"{asked} s", s=stream).to_df()) == rows_of(lenient.sql(f"{asked} large_numbers"))
