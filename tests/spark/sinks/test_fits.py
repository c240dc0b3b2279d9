"""A table whose schema does not fit: refused before anything runs, and nothing has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

import transom as tr
from transom.errors import BadQuery
from transom.plan.nodes.stream import Endpoint
from transom.spark.sinks import write_batch
from transom.spark.sinks.fits import check_fits

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    ("given", "there", "fits"),
    [
        ("a INT, b STRING", "x BIGINT, y STRING", True),
        ("a DOUBLE", "x DECIMAL(10, 2)", True),
        ("a INT", "x STRING", True),
        ("a DATE", "x TIMESTAMP", True),
        ("a ARRAY<INT>", "x ARRAY<BIGINT>", True),
        ("a STRUCT<p: INT, q: STRING>", "x STRUCT<r: INT, s: STRING>", True),
        ("a STRING", "x INT", False),
        ("a TIMESTAMP", "x BIGINT", False),
        ("a BOOLEAN", "x INT", False),
        ("a ARRAY<STRING>", "x ARRAY<INT>", False),
        ("a MAP<STRING, STRING>", "x MAP<STRING, INT>", False),
        ("a STRUCT<p: INT>", "x STRUCT<r: INT, s: STRING>", False),
        ("a INT, b INT", "x INT", False),
    ],
)
def test_it_is_what_insert_takes(given: str, there: str, fits: bool, spark: SparkSession) -> None:
    one, other = (spark.createDataFrame([], ddl).schema for ddl in (given, there))
    assert isinstance(one, StructType)
    if fits:
        check_fits("t", one.fields, other.fields)
    else:
        with pytest.raises(BadQuery, match="table 't'"):
            check_fits("t", one.fields, other.fields)
    source, target = "fits_source", "fits_target"
    spark.createDataFrame([], given).createOrReplaceTempView(source)
    spark.sql(f"CREATE OR REPLACE TEMP VIEW {target} AS SELECT 1")
    spark.catalog.dropTempView(target)
    spark.sql(f"DROP TABLE IF EXISTS {target}")
    spark.sql(f"CREATE TABLE {target} ({there}) USING parquet")
    try:
        spark.sql(f"EXPLAIN INSERT INTO {target} SELECT * FROM {source}").collect()
        taken = "Error" not in spark.sql(f"EXPLAIN INSERT INTO {target} SELECT * FROM {source}").first()[0]  # type: ignore[index]
    finally:
        spark.sql(f"DROP TABLE {target}")
    assert taken is fits


def test_names_in_other_places_are_refused() -> None:
    """INSERT goes by position, and would exchange them."""
    one, other = (StructType.fromDDL(f"k STRING, {names}").fields for names in ("lo INT, hi INT", "hi INT, lo INT"))
    with pytest.raises(BadQuery, match="by position"):
        check_fits("t", one, other)
    check_fits("t", one, StructType.fromDDL("key STRING, low INT, high INT").fields)


def test_columns_in_another_order_are_noticed(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql("DROP TABLE IF EXISTS fitting")
    spark.sql("CREATE TABLE fitting (n BIGINT, k STRING) USING parquet")
    frame = spark.createDataFrame([("a", 1)], "k STRING, n BIGINT")
    with pytest.raises(BadQuery, match="by position") as error:
        write_batch(frame, Endpoint("TABLE", "fitting"))
    assert "k STRING into n BIGINT" in str(error.value)
    stream = tr.stream(spark.createDataFrame([("a", 1)], "k STRING, n BIGINT"))
    with pytest.raises(BadQuery, match="by position"):
        stream.insert_into("TABLE", "fitting").start()
    assert spark.table("fitting").isEmpty()
    spark.sql("DROP TABLE fitting")
