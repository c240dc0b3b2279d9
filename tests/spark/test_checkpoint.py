"""A checkpoint of another query, of another number of shards or of another format is refused, and the user is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from transom.errors import CheckpointMismatch
from transom.fluent.relation import Relation
from transom.kernels.state import store
from transom.kernels.state.store import Memory, pack, unpack
from transom.spark.settings import CHANGELOG

pytestmark = pytest.mark.spark


def query(source: DataFrame, slide: int = 5, **disorder: Any) -> Relation:
    stream = tr.stream(source, order_by="ts", name="s", **disorder)
    return stream.window(range=tr.seconds(10), slide=tr.seconds(slide)).group_by("k").agg(n="count(*)")


def more(spark: SparkSession, folder: Path, *seconds: int) -> DataFrame:
    """A stream with another file."""
    rows = [("a", datetime.fromtimestamp(second, UTC)) for second in seconds]
    write(spark.createDataFrame(rows, "k STRING, ts TIMESTAMP"), folder)
    return stream_of(spark, folder)


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_state_of_another_query(state: str, spark: SparkSession, tmp_path: Path) -> None:
    spark.conf.set("spark.transom.state", state)
    try:
        run(query(more(spark, tmp_path / "in", 1, 2)).to_df(), tmp_path / "checkpoint")
        changed = query(more(spark, tmp_path / "in", 3), slide=2).to_df()
        with pytest.raises(StreamingQueryException, match="CheckpointMismatch: the checkpoint belongs to another query"):
            run(changed, tmp_path / "checkpoint")
        again, _ = run(query(stream_of(spark, tmp_path / "in")).to_df(), tmp_path / "checkpoint")
        assert again == [[]]
    finally:
        spark.conf.unset("spark.transom.state")


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_the_same_query_with_another_slack(state: str, spark: SparkSession, tmp_path: Path) -> None:
    """The frontier stays where it is until the newest tuple is as far beyond it as the new slack."""
    spark.conf.set("spark.transom.state", state)
    found = []
    try:
        for slack, seconds in ((0, (1, 12)), (8, (9, 19)), (8, (3, 14, 24)), (0, (25,))):
            asked = query(more(spark, tmp_path / "in", *seconds), slack=tr.seconds(slack))
            found.append([row["n"] for batch in run(asked.to_df(), tmp_path / "checkpoint")[0] for row in batch])
    finally:
        spark.conf.unset("spark.transom.state")
    # at 12 windows have left up to 10; 9 is late for these, and in time for the one up to 15, which leaves at 24 - 8 = 16
    assert found == [[1, 1], [], [3], [3, 2]]


def test_the_same_query_with_another_ratio(spark: SparkSession, tmp_path: Path) -> None:
    """What is told is of the new promise, and what was learnt stays: no other 1,000 tuples before it is made."""
    told = []
    for ratio, start in ((0.05, 0), (0.01, 1_500)):
        asked = query(more(spark, tmp_path / "in", *range(start, start + 1_500)), drop_ratio=ratio)
        _, ran = run(asked.to_df(), tmp_path / "checkpoint")
        told.append(tr.Quality.of(ran).last)
    assert [(one.target, one.seen) for one in told if one is not None] == [(0.05, 1_500), (0.01, 1_500)]
    assert [one.delay for one in told if one is not None] == [timedelta(0), timedelta(0)]


def test_another_number_of_shards(spark: SparkSession, tmp_path: Path) -> None:
    run(query(more(spark, tmp_path / "in", 1, 2)).to_df(), tmp_path / "checkpoint")
    with pytest.raises(StreamingQueryException, match="CheckpointMismatch: the number of shards is fixed by the checkpoint"):
        run(query(more(spark, tmp_path / "in", 30)).to_df(shards=5), tmp_path / "checkpoint")


def test_state_kept_in_another_way(spark: SparkSession, tmp_path: Path) -> None:
    run(query(more(spark, tmp_path / "in", 1, 2)).to_df(), tmp_path / "checkpoint")
    spark.conf.set("spark.transom.state", "blocks")
    try:
        with pytest.raises(StreamingQueryException, match="STATE"):
            run(query(more(spark, tmp_path / "in", 30)).to_df(), tmp_path / "checkpoint")
    finally:
        spark.conf.unset("spark.transom.state")


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_a_changelog_may_be_turned_on_and_off(state: str, spark: SparkSession, tmp_path: Path) -> None:
    """What a user sets stays set, and a checkpoint is gone on with either way."""
    before = spark.conf.get(CHANGELOG)
    spark.conf.set("spark.transom.state", state)
    found = []
    try:
        for kept, second in (("false", 1), ("true", 2), ("false", 7), ("true", 16)):
            spark.conf.set(CHANGELOG, kept)
            found += run(query(more(spark, tmp_path / "in", second)).to_df(), tmp_path / "checkpoint")[0]
            assert spark.conf.get(CHANGELOG) == kept
    finally:
        spark.conf.unset("spark.transom.state")
        spark.conf.set(CHANGELOG, before)
    assert [row["n"] for batch in found for row in batch] == [2, 3, 1]


def test_blocks_of_another_format(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = Memory()
    with monkeypatch.context() as patch:
        patch.setattr(store, "FORMAT", 999)
        blocks.write("head", pack(pa.table({"a": [1]}), "query"))
    with pytest.raises(CheckpointMismatch, match="another format"):
        unpack(blocks.read("head") or b"", "query")
