"""Rows of a DataFrame that reads files arrive in the order of the files' times, and inside a file line by line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr

pytestmark = pytest.mark.spark

SPLIT = "spark.sql.files.maxPartitionBytes"


def files(folder: Path) -> list[int]:
    """Three files of several splits each, the largest written last; the numbers in the order of arrival."""
    folder.mkdir()
    numbers: list[int] = []
    for age, (name, lines) in enumerate((("z", 300), ("a", 100), ("m", 1700))):
        own = [len(numbers) + n for n in range(lines)]
        (folder / f"{name}.csv").write_text("".join(f"{n:07d}\n" for n in own))
        os.utime(folder / f"{name}.csv", (1_000_000 + age, 1_000_000 + age))
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
