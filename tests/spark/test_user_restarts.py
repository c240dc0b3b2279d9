"""Users' aggregates and checkpoints: stopped and gone on, failed and put right, changed and refused."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.drained import run, stream_of

pytestmark = pytest.mark.spark

BODY = """
CREATE WINDOW AGGREGATE share(x DOUBLE) RETURNS DOUBLE {
  TABLE state(total DOUBLE, seen BIGINT);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); INSERT INTO RETURN VALUES (1.0); }
  ITERATE:    { UPDATE state SET total = total + x, seen = seen + 1; INSERT INTO RETURN SELECT seen + x / total FROM state; }
  EXPIRE:     { UPDATE state SET total = total - oldest().old; }
};
SELECT k, share(x) OVER (PARTITION BY k ROWS 2 PRECEDING) AS y FROM s;
"""
BATCHES = [
    [("a", 1.0, 1), ("b", 2.0, 2), ("a", 3.0, 3)],
    [("a", 4.0, 4), ("b", 5.0, 5), ("b", 7.0, 6)],
    [("b", 9.0, 7), ("a", 6.0, 8), ("c", 1.0, 9)],
]


def put(folder: Path, number: int, rows: list[tuple[str, float, int]]) -> None:
    """A file of the stream, which takes files in the order of their times."""
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.table(
        {
            "k": pa.array([row[0] for row in rows]),
            "x": pa.array([row[1] for row in rows]),
            "ts": pa.array([datetime.fromtimestamp(row[2], UTC) for row in rows], pa.timestamp("us", "UTC")),
        }
    )
    path = folder / f"part-{number}.parquet"
    pq.write_table(table, path)
    os.utime(path, (1e9 + number, 1e9 + number))


def go(spark: SparkSession, folder: Path, checkpoint: Path, body: str = BODY) -> list[tuple[Any, ...]]:
    """What comes of all that is new, a file in each micro-batch."""
    stream = tr.stream(stream_of(spark, folder, maxFilesPerTrigger=1), order_by="ts", name="s")
    found, _ = run(tr.sql(body, s=stream).to_df(), checkpoint)
    return sorted((row["k"], row["y"]) for rows in found for row in rows)


def expected(spark: SparkSession, folder: Path, batches: list[list[tuple[str, float, int]]]) -> list[tuple[Any, ...]]:
    """An undisturbed run."""
    for number, batch in enumerate(batches):
        put(folder / "in", number, batch)
    return go(spark, folder / "in", folder / "checkpoint")


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_stopped_and_gone_on(state: str, spark: SparkSession, tmp_path: Path) -> None:
    spark.conf.set("spark.transom.state", state)
    try:
        calm = expected(spark, tmp_path / "calm", BATCHES)
        assert len(calm) == 9
        found: list[tuple[Any, ...]] = []
        for number, batch in enumerate(BATCHES):
            put(tmp_path / "in", number, batch)
            found += go(spark, tmp_path / "in", tmp_path / "checkpoint")
    finally:
        spark.conf.unset("spark.transom.state")
    assert sorted(found) == calm


def test_failed_put_right_and_gone_on(spark: SparkSession, tmp_path: Path) -> None:
    """The total of b becomes 0: what was there before the failure is as it was, and the micro-batch is run again."""
    put(tmp_path / "in", 0, BATCHES[0])
    found = go(spark, tmp_path / "in", tmp_path / "checkpoint")
    put(tmp_path / "in", 1, [*BATCHES[1][:2], ("b", -7.0, 6)])
    with pytest.raises(StreamingQueryException, match="aggregate share failed in ITERATE: float division by zero"):
        go(spark, tmp_path / "in", tmp_path / "checkpoint")
    put(tmp_path / "in", 1, BATCHES[1])
    put(tmp_path / "in", 2, BATCHES[2])
    found += go(spark, tmp_path / "in", tmp_path / "checkpoint")
    assert sorted(found) == expected(spark, tmp_path / "calm", BATCHES)


@pytest.mark.long
def test_another_definition_is_another_query(spark: SparkSession, tmp_path: Path) -> None:
    put(tmp_path / "in", 0, BATCHES[0])
    go(spark, tmp_path / "in", tmp_path / "checkpoint")
    put(tmp_path / "in", 1, BATCHES[2])
    changed = BODY.replace("seen + x / total", "seen - x / total")
    with pytest.raises(StreamingQueryException, match="CheckpointMismatch: the checkpoint belongs to another query"):
        go(spark, tmp_path / "in", tmp_path / "checkpoint", changed)
    assert len(go(spark, tmp_path / "in", tmp_path / "checkpoint")) == 3
