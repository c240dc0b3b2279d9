"""What `tr.state` and `transom state` show of a checkpoint, and what they refuse."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import stream_of, write
from transom.cli import main
from transom.cli.printer import Printer
from transom.cli.state import write_state
from transom.errors import CheckpointDamaged, CheckpointMismatch, MissingSource
from transom.fluent.relation import Relation
from transom.spark.checkpoints.state_frames import state_rows

pytestmark = pytest.mark.spark


def seconds(spark: SparkSession, folder: Path, *given: int) -> DataFrame:
    rows = [("abc"[second % 3], datetime.fromtimestamp(second, UTC)) for second in given]
    write(spark.createDataFrame(rows, "k STRING, ts TIMESTAMP"), folder)
    return stream_of(spark, folder)


def query(source: DataFrame) -> Relation:
    return (
        tr.stream(source, order_by="ts", name="s")
        .window(range=tr.seconds(10), slide=tr.seconds(5))
        .group_by("k")
        .agg(n="count(*)")
    )


@pytest.mark.parametrize("kept", ["inline", "blocks"])
def test_a_row_for_each_shard(kept: str, spark: SparkSession, tmp_path: Path) -> None:
    spark.conf.set("spark.transom.state", kept)
    try:
        frame = query(seconds(spark, tmp_path / "in", *range(101, 113))).to_df()
        running = frame.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint")).start()
        running.processAllAvailable()
        rows = [row.asDict(recursive=True) for row in tr.state(tmp_path / "checkpoint").collect()]  # it still runs
        running.stop()
    finally:
        spark.conf.unset("spark.transom.state")
    assert [(row["operator"], row["kind"], row["shard"]) for row in rows] == [(0, "ContextFreeWindow", n) for n in (0, 1)]
    assert {row["frontier"] for row in rows} == {"1970-01-01 00:01:52"}
    assert sum(row["keys"] for row in rows) == 3
    assert min(row["oldest"] for row in rows if row["oldest"]) < "1970-01-01 00:01:52"
    assert max(row["open_windows"] for row in rows) == 2
    assert all(row["bytes"] > 0 for row in rows)
    shown = io.StringIO()
    write_state(rows, Printer("table", shown))
    assert "ContextFreeWindow" in shown.getvalue()
    assert (
        shown.getvalue().splitlines()[-1] == f"{sum(row['rows'] for row in rows)} rows, {sum(row['bytes'] for row in rows)} bytes"
    )


def test_what_is_no_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "readme.txt").write_text("hello")
    with pytest.raises(MissingSource, match="there is no checkpoint"):
        tr.state(tmp_path / "nowhere")
    with pytest.raises(CheckpointMismatch, match="no checkpoint of a streaming query"):
        tr.state(tmp_path / "other")
    result = CliRunner().invoke(main, ["state", str(tmp_path / "other")])
    assert result.exit_code == 2
    assert "CheckpointMismatch" in result.output


def test_half_written(spark: SparkSession, tmp_path: Path) -> None:
    """A log without its settings, a log that is missing, a state without its files."""
    place = tmp_path / "checkpoint"
    frame = query(seconds(spark, tmp_path / "in", *range(101, 113))).to_df()
    frame.writeStream.format("noop").option("checkpointLocation", str(place)).trigger(
        availableNow=True
    ).start().awaitTermination()
    for path in (place / "state" / "0" / "1").glob("1.*"):
        path.unlink()
    with pytest.raises(CheckpointDamaged, match="the state cannot be read"):
        state_rows(spark, str(place))
    (place / "metadata").unlink()
    with pytest.raises(CheckpointDamaged, match="incomplete"):
        tr.state(place)
    for path in (place / "commits").iterdir():
        path.unlink()
    with pytest.raises(CheckpointMismatch, match="no micro-batch that has ended"):
        tr.state(place)
