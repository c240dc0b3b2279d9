"""Checkpoints that a query cannot resume from, and numbers of shards that are none: named errors, and nothing has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.drained import run
from tests.spark.test_checkpoint import more, query
from tests.spark.test_rescale import contents
from transom.errors import BadCall, TransomError
from transom.spark.running.checkpoint import FILE, FORMAT

pytestmark = pytest.mark.spark


def start(spark: SparkSession, place: Path, *seconds: int, **given: Any) -> None:
    """Write what there is to files, and end."""
    source = more(spark, place / "in", *seconds)
    named = query(source).insert_into("FILE", str(place / "out"), format="parquet")
    tr.write(named, checkpoint=place / "checkpoint", available_now=True, **given).awaitTermination()


@pytest.fixture
def stopped(spark: SparkSession, tmp_path: Path) -> Path:
    """A query that has run."""
    start(spark, tmp_path, 1, 2, 30)
    return tmp_path


def other(place: Path) -> None:
    """One that no query of ours says it has written."""
    (place / FILE).unlink()


def newer(place: Path) -> None:
    about = json.loads((place / FILE).read_text())
    (place / FILE).write_text(json.dumps(about | {"format": FORMAT + 1}))


def cut_short(place: Path) -> None:
    content = (place / FILE).read_text()
    (place / FILE).write_text(content[: len(content) // 2])


def no_offsets(place: Path) -> None:
    for path in (place / "offsets").iterdir():
        path.write_bytes(path.read_bytes()[:4])


def no_state(place: Path) -> None:
    for path in (place / "state" / "0").rglob("1.*"):
        path.write_bytes(path.read_bytes()[:3])


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "of something else": (other, "CheckpointMismatch: this checkpoint was written by neither"),
    "of a newer version": (newer, "CheckpointMismatch: this checkpoint was written by another version"),
    "with half a note": (cut_short, "CheckpointMismatch: transom.json cannot be read"),
    "with half a log": (no_offsets, "QueryFailed"),
    "with half its state": (no_state, "QueryFailed|CheckpointDamaged"),
}


@pytest.mark.parametrize(("spoil", "said"), SPOILT.values(), ids=list(SPOILT))
def test_it_is_refused(spoil: Callable[[Path], None], said: str, spark: SparkSession, stopped: Path) -> None:
    """What is wrong is named, and the files of the sink stay, as do state and the log of what has ended."""
    spoil(stopped / "checkpoint")
    before = {name: content for name, content in contents(stopped).items() if not name.endswith(".crc")}
    with pytest.raises(TransomError, match=said):
        start(spark, stopped, 60)
    after = contents(stopped)
    kept = {
        name for name in before if name.startswith(("out/", "checkpoint/state/", "checkpoint/commits/", f"checkpoint/{FILE}"))
    }
    assert kept
    assert {name: after.get(name) for name in kept} == {name: before[name] for name in kept}
    assert {name for name in after if name.startswith(("out/part", "checkpoint/commits/")) and not name.endswith(".crc")} <= kept


@pytest.mark.parametrize("shards", [0, -1, True, 1.5])
def test_no_shards(shards: Any, spark: SparkSession, tmp_path: Path) -> None:
    asked = query(more(spark, tmp_path / "in", 1, 2))
    with pytest.raises(BadCall, match="a number of shards"):
        asked.to_df(shards=shards)
    with pytest.raises(BadCall, match="a number of shards"):
        start(spark, tmp_path, 3, shards=shards)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_frame_over_the_checkpoint_of_plain_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Where Spark alone reads the checkpoint, it refuses the state of another operator."""
    counts = more(spark, tmp_path / "in", 1, 2).groupBy("k").count()
    writer = counts.writeStream.outputMode("update").option("checkpointLocation", str(tmp_path / "checkpoint")).format("noop")
    writer.trigger(availableNow=True).start().awaitTermination()
    kept = contents(tmp_path / "checkpoint" / "state")
    with pytest.raises(StreamingQueryException) as refused:
        run(query(more(spark, tmp_path / "in", 30)).to_df(), tmp_path / "checkpoint")
    assert "MATCH" in str(refused.value)
    assert contents(tmp_path / "checkpoint" / "state") == kept
