"""`row_num` where no window numbers the rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.on_spark import rows_of

pytestmark = pytest.mark.spark

SCRIPT = """
CREATE STREAM s (id BIGINT, v DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE '{folder}' FORMAT csv;
SELECT id, row_num FROM s WHERE row_num % 2 = 0;
"""


def test_rows_are_numbered_as_they_arrive(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("7,1.5,2026-01-01 00:00:05\n8,2.5,2026-01-01 00:00:01\n")
    (tmp_path / "b.csv").write_text("9,1.5,2026-01-01 00:00:03\n4,2.5,2026-01-01 00:00:02\n5,1,\n")
    query = tr.sql(SCRIPT.format(folder=tmp_path))
    assert rows_of(query.to_df(spark, bounded=True)) == [{"id": 8, "row_num": 2}, {"id": 4, "row_num": 4}]


def test_in_python(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "a"), (2, "b"), (3, "c")], "id INT, k STRING").coalesce(1)
    asked = tr.stream(frame).where("row_num > 1").select("k", n="row_num")
    assert rows_of(asked.to_df()) == [{"k": "b", "n": 2}, {"k": "c", "n": 3}]
