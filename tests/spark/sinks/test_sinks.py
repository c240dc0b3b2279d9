"""What is written can be read again, and a restart doubles nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf

from tests.spark.sources.streams import rows_of, stream_of, uncommit
from transom.errors import BadOption, BadQuery, MissingConnector, NotSupported, UnknownColumn
from transom.plan.nodes.stream import Endpoint
from transom.spark.sinks import write_batch, write_stream
from transom.spark.sources.read_stream import read

pytestmark = pytest.mark.spark

COLUMNS = "n INT; s STRING; t TIMESTAMP"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("1,a,2026-01-02T03:04:05Z\n2,,2026-01-02T03:04:05.678901Z\n")
    return tmp_path


def rows(spark: SparkSession, folder: Path, bounded: bool = False) -> DataFrame:
    return read(spark, stream_of(folder / "in", COLUMNS, "csv"), bounded=bounded).select("n", "s", "t")


def run(frame: DataFrame, target: Endpoint, folder: Path) -> None:
    query = write_stream(frame, target, checkpoint=str(folder / "checkpoint"), trigger={"availableNow": True}, query_name=None)
    query.awaitTermination(60)


def test_files_hold_each_row_once(spark: SparkSession, folder: Path) -> None:
    target = Endpoint("FILE", str(folder / "out"), "jsonl")
    run(rows(spark, folder), target, folder)
    uncommit(folder / "checkpoint", 0)
    (folder / "in" / "b.csv").write_text("3,c,2026-01-02T03:04:06Z\n")
    run(rows(spark, folder), target, folder)
    (folder / "out" / "part-00000-left-by-a-killed-attempt.json").write_text('{"n": 1}\n')
    found = rows_of(spark, stream_of(folder / "out", COLUMNS, "jsonl"))
    assert sorted(row[0] for row in found) == [1, 2, 3]
    assert sorted(row.n for row in spark.read.json(str(folder / "out")).collect()) == [1, 2, 3]


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_what_is_written_is_read_again(spark: SparkSession, folder: Path, format: str) -> None:
    frame = rows(spark, folder, bounded=True)
    write_batch(frame, Endpoint("FILE", str(folder / "out"), format))
    found = rows_of(spark, stream_of(folder / "out", COLUMNS, format))
    assert sorted(found) == sorted(tuple(row) for row in frame.collect())


def test_lines_of_json_have_whole_timestamps_and_all_columns(spark: SparkSession, folder: Path) -> None:
    write_batch(rows(spark, folder, bounded=True), Endpoint("FILE", str(folder / "out.jsonl")))
    lines: list[dict[str, Any]] = [json.loads(line) for part in (folder / "out.jsonl").glob("part-*") for line in part.open()]
    assert lines == [
        {"n": 1, "s": "a", "t": "2026-01-02T03:04:05.000000Z"},
        {"n": 2, "s": None, "t": "2026-01-02T03:04:05.678901Z"},
    ]


def test_a_table_of_streams(spark: SparkSession, folder: Path) -> None:
    target = Endpoint("TABLE", "streamed")
    try:
        run(rows(spark, folder), target, folder)
        uncommit(folder / "checkpoint", 0)
        (folder / "in" / "b.csv").write_text("3,c,2026-01-02T03:04:06Z\n")
        run(rows(spark, folder), target, folder)
        spark.catalog.refreshTable("streamed")
        assert sorted(row.n for row in spark.table("streamed").collect()) == [1, 2, 3]
        with pytest.raises(BadQuery):
            write_batch(rows(spark, folder, bounded=True), target)
    finally:
        spark.sql("DROP TABLE IF EXISTS streamed")


def test_a_table_that_has_rows_already_keeps_them(spark: SparkSession, folder: Path) -> None:
    target = Endpoint("TABLE", "mixed")
    try:
        spark.sql("CREATE TABLE mixed (number BIGINT, s STRING, t TIMESTAMP) USING parquet")
        write_batch(rows(spark, folder, bounded=True).where("n = 1"), target)
        run(rows(spark, folder), target, folder)
        uncommit(folder / "checkpoint", 0)
        run(rows(spark, folder), target, folder)
        spark.catalog.refreshTable("mixed")
        assert sorted(row.number for row in spark.table("mixed").collect()) == [1, 1, 2]
        with pytest.raises(BadQuery, match="3 columns"):
            write_batch(rows(spark, folder, bounded=True).select("n"), target)
    finally:
        spark.sql("DROP TABLE IF EXISTS mixed")


def test_the_console_shows_rows(spark: SparkSession, folder: Path) -> None:
    seen = Observation()
    write_batch(rows(spark, folder, bounded=True).observe(seen, sf.count("n").alias("rows")), Endpoint("CONSOLE"))
    assert seen.get == {"rows": 2}


def test_targets_that_make_no_sense(spark: SparkSession, folder: Path) -> None:
    frame = rows(spark, folder, bounded=True)
    with pytest.raises(NotSupported):
        write_batch(frame, Endpoint("RATE"))
    with pytest.raises(BadQuery):
        write_batch(frame, Endpoint("FILE"))
    with pytest.raises(BadOption):
        write_batch(frame, Endpoint("FILE", str(folder / "x"), "xml"))
    with pytest.raises(UnknownColumn):
        write_batch(frame, Endpoint("KAFKA", "t", None, (("key", "m"),)))
    with pytest.raises(BadOption, match="bootstrap"):
        write_batch(frame, Endpoint("KAFKA", "t"))
    with pytest.raises(MissingConnector):
        write_batch(frame, Endpoint("KAFKA", "t", None, (("kafka.bootstrap.servers", "127.0.0.1:1"), ("key", "n"))))
