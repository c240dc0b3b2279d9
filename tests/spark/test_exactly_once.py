"""Killed at any instant and started again, the file sink holds the rows of an undisturbed run, none twice."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tests.spark.exactly_once_session import NAMES, start
from tests.spark.killed import finished, forget_last, killed_after
from tests.spark.on_spark import rows_of
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

SESSION = "tests.spark.exactly_once_session"
FILES = 6


def written(folder: Path, seed: int = 7) -> None:
    rng = random.Random(seed)
    folder.mkdir()
    clock = 0.0
    for number in range(FILES):
        rows: list[tuple[str | None, int, datetime]] = []
        for _ in range(60):
            clock += rng.random()
            back = rng.choice([0, 0, 0, 1, 30])
            rows.append((rng.choice(["a", "b", None]), rng.randint(0, 99), datetime.fromtimestamp(clock - back, UTC)))
        types = {"k": pa.string(), "v": pa.int64(), "ts": pa.timestamp("us", "UTC")}
        table = pa.table({name: pa.array([row[n] for row in rows], kind) for n, (name, kind) in enumerate(types.items())})
        path = folder / f"part-{number}.parquet"
        pq.write_table(table, path)
        os.utime(path, (1e9 + number, 1e9 + number))


def test_killed_and_started_again(spark: SparkSession, tmp_path: Path) -> None:
    data, folder, calm = tmp_path / "in", tmp_path / "killed", tmp_path / "calm"
    written(data)
    folder.mkdir()
    killed_after(SESSION, data, folder, NAMES, (1, 8))
    for name in ("inline", "chained", "written"):  # died between the state's commit and the sink's
        forget_last(folder / name / "checkpoint", folder / name / "out" / "_spark_metadata")
    for name in ("blocks", "late"):  # died between the sink's commit and the log's
        forget_last(folder / name / "checkpoint")
    finished(SESSION, data, folder)
    for name in NAMES:
        start(spark, name, data, calm, files=FILES).awaitTermination()
        expected: list[Any] = rows_of(spark.read.parquet(str(calm / name / "out")))
        assert expected
        assert_same_rows(rows_of(spark.read.parquet(str(folder / name / "out"))), expected)
