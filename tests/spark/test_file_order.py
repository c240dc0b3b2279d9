"""Rows of a DataFrame that reads files arrive in the order of the files' names, and inside a file line by line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import transom as tr
from tests.spark.drained import run

pytestmark = [pytest.mark.spark, pytest.mark.classic]

SPLIT = "spark.sql.files.maxPartitionBytes"


def files(folder: Path) -> list[int]:
    """Three files of several splits each, written in the opposite order of their names; the numbers in the order of arrival."""
    folder.mkdir()
    numbers: list[int] = []
    for age, (name, lines) in enumerate((("a", 300), ("m", 100), ("z", 1700))):
        own = [len(numbers) + n for n in range(lines)]
        (folder / f"{name}.csv").write_text("".join(f"{n:07d}\n" for n in own))
        os.utime(folder / f"{name}.csv", (1_000_000 - age, 1_000_000 - age))
        numbers += own
    return numbers


def arrived(frame: DataFrame) -> DataFrame:
    return tr.sql("SELECT row_num, n FROM s [RANGE 1 ROWS]", s=tr.stream(frame)).to_df()


def test_splits_of_files_are_in_order_in_a_batch_and_in_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    expected = [(place + 1, n) for place, n in enumerate(files(tmp_path / "in"))]
    kept = spark.conf.get(SPLIT)
    spark.conf.set(SPLIT, "1000")
    try:
        bounded = spark.read.schema("n INT").csv(str(tmp_path / "in"))
        assert bounded.rdd.getNumPartitions() > 10
        assert sorted(map(tuple, arrived(bounded).collect())) == expected
        streaming = spark.readStream.schema("n INT").csv(str(tmp_path / "in"))
        writer = arrived(streaming).writeStream.format("memory").queryName("file_order")
        writer.option("checkpointLocation", str(tmp_path / "ck")).trigger(availableNow=True).start().awaitTermination()
        assert sorted(map(tuple, spark.table("file_order").collect())) == expected
    finally:
        spark.conf.set(SPLIT, kept)


def counted(stream: Any) -> DataFrame:
    """Tuples in tens: of two substreams, each of which goes through all files, and in which none is late."""
    window = "[TUMBLE 10 WATTR n SLACK 0 PER SOURCE (c)]"
    return tr.sql(f"SELECT count(*) AS tuples, window_end FROM s {window}", s=stream).to_df()


def test_a_substream_that_goes_through_files_is_in_order(spark: SparkSession, tmp_path: Path) -> None:
    last = files(tmp_path / "in")[-1]
    frame = spark.readStream.schema("n INT").csv(str(tmp_path / "in"))
    batches, _ = run(counted(tr.stream(frame.selectExpr("n", "n % 2 AS c"))), tmp_path / "ck")
    found = sorted((row["window_end"], row["tuples"]) for rows in batches for row in rows)
    assert found == [(end, 10) for end in range(10, last, 10)]


def nineties(folder: Path) -> None:
    """90 rows in order, in four files: of different sizes, the last by name the oldest and the largest."""
    folder.mkdir()
    for age, (name, start, end) in enumerate((("a", 0, 9), ("b", 9, 40), ("c", 40, 42), ("d", 42, 90))):
        rows = [{"n": n, "x": 3} for n in range(start, end)]
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet")
        os.utime(folder / f"{name}.parquet", (1_000_000 - age, 1_000_000 - age))


def sums(frame: DataFrame, clause: str = "") -> DataFrame:
    return tr.sql(f"SELECT sum(x) AS total, window_end FROM s [TUMBLE 10{clause}]", s=tr.stream(frame, order_by="n")).to_df()


def test_a_bounded_frame_without_a_clause_loses_nothing(spark: SparkSession, tmp_path: Path) -> None:
    nineties(tmp_path / "in")
    frame = spark.read.parquet(str(tmp_path / "in"))
    for shuffled in (frame, frame.orderBy((F.col("n") * 37) % 90), frame.repartition(5)):
        assert sorted(row["total"] for row in sums(shuffled).collect()) == [30] * 9


def test_a_stream_of_files_takes_them_by_name(spark: SparkSession, tmp_path: Path) -> None:
    nineties(tmp_path / "in")
    batches, _ = run(sums(spark.readStream.schema("n BIGINT, x BIGINT").parquet(str(tmp_path / "in"))), tmp_path / "ck")
    assert sorted(row["total"] for rows in batches for row in rows) == [30] * 8
    assert sorted(row["total"] for row in sums(spark.read.parquet(str(tmp_path / "in")), " SLACK 0").collect()) == [30] * 9


def test_a_substream_is_in_order_in_files_that_transom_reads(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in range(12):
        lines = "".join(f"{n},{n % 2}\n" for n in range(100 * name, 100 * name + 100))
        (tmp_path / "in" / f"{name:02d}.csv").write_text(lines)
    source = f"SOURCE FILE '{tmp_path / 'in'}' FORMAT csv OPTIONS (header 'false')"
    text = f"""
        CREATE STREAM s (n INT, c INT) ORDER BY n SLACK 0 PER SOURCE (c) {source};
        SELECT count(*) AS tuples, window_end FROM s [TUMBLE 10];
    """
    rows = tr.sql(text).to_df(bounded=True).collect()
    assert sorted((row["window_end"], row["tuples"]) for row in rows) == [(end, 10) for end in range(10, 1201, 10)]
