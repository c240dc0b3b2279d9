"""Killed at any instant and started again, the file sink holds the rows of an undisturbed run, none twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tests.spark.exactly_once_session import NAMES, start
from tests.spark.on_spark import rows_of
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parents[2]
FILES = 6
PATIENCE = 120


def written(folder: Path) -> None:
    rng = random.Random(7)
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


def run(data: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A process with a group of its own: Spark and its workers are in it."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    command = [sys.executable, "-m", "tests.spark.exactly_once_session", str(data), str(folder)]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)


def commits(folder: Path) -> int:
    return sum(len(numbers(folder / name / "checkpoint" / "commits")) for name in NAMES)


def numbers(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.glob("*") if path.name.isdecimal()) if folder.exists() else []


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def forget_last(checkpoint: Path, *logs: Path) -> None:
    """As if the process had died before it wrote about the last micro-batch it began."""
    last = numbers(checkpoint / "offsets")[-1]
    for log in (checkpoint / "commits", *logs):
        (log / str(last)).unlink(missing_ok=True)
        (log / f".{last}.crc").unlink(missing_ok=True)


def test_killed_and_started_again(spark: SparkSession, tmp_path: Path) -> None:
    data, folder, calm = tmp_path / "in", tmp_path / "killed", tmp_path / "calm"
    written(data)
    folder.mkdir()
    rng = random.Random()
    for least in (1, 8):
        process = run(data, folder)
        until = time.monotonic() + PATIENCE
        while process.poll() is None and commits(folder) < least and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(rng.random())
        kill(process) if process.poll() is None else None
        assert commits(folder) >= least, (folder / "log").read_text()[-4000:]
    assert not (folder / "done").exists()
    for name in ("inline", "chained", "written"):  # died between the state's commit and the sink's
        forget_last(folder / name / "checkpoint", folder / name / "out" / "_spark_metadata")
    for name in ("blocks", "late"):  # died between the sink's commit and the log's
        forget_last(folder / name / "checkpoint")
    process = run(data, folder)
    try:
        assert process.wait(PATIENCE) == 0, (folder / "log").read_text()[-4000:]
    finally:
        if process.poll() is None:
            kill(process)
    for name in NAMES:
        start(spark, name, data, calm, files=FILES).awaitTermination()
        expected: list[Any] = rows_of(spark.read.parquet(str(calm / name / "out")))
        assert expected
        assert_same_rows(rows_of(spark.read.parquet(str(folder / name / "out"))), expected)
