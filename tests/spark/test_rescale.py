"""Queries that are stopped and resumed with other numbers of shards: all in all the rows of an undisturbed run, none twice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.spark.exactly_once_session import SCHEMA, query
from tests.spark.on_spark import rows_of
from tests.spark.test_exactly_once import written
from transom.errors import BadOption, CheckpointDamaged, CheckpointMismatch
from transom.spark.checkpoints import rescaling
from transom.spark.checkpoints.rescaling import rescale
from transom.spark.settings import SHARDS
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rescale") / "in"
    written(folder)
    return folder


def run(spark: SparkSession, name: str, data: Path, folder: Path, partitions: int, files: int) -> None:
    """Take some micro-batches of one file each, with as many partitions."""
    before = spark.conf.get(SHARDS)
    spark.conf.set(SHARDS, partitions)
    spark.conf.set("spark.transom.state", "blocks" if name == "blocks" else "inline")
    try:
        half = folder.parent / f"{folder.name}-in"
        half.mkdir(exist_ok=True)
        for path in sorted(data.iterdir())[:files]:
            if not (half / path.name).exists():
                os.link(path, half / path.name)
        source = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(half))
        stream = (
            query(name, source).to_df().writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
        )
        stream.trigger(availableNow=True).start(str(folder / "out")).awaitTermination()
    finally:
        spark.conf.unset("spark.transom.state")
        spark.conf.set(SHARDS, before)


def answer(spark: SparkSession, folder: Path) -> list[Any]:
    return rows_of(spark.read.parquet(str(folder / "out")))


SOME = [("inline", (8,)), ("chained", (3,))]
MORE = [
    ("blocks", (5, 1)),
    ("late", (3, 2)),
    ("written", (4,)),
    ("inline", (1, 6)),
    ("chained", (1, 4)),
    ("blocks", (8,)),
    ("written", (1, 3)),
    ("late", (1,)),
]


@pytest.mark.parametrize(
    ("name", "shards"), [*SOME, *(pytest.param(*one, marks=pytest.mark.long) for one in MORE)], ids=lambda one: str(one)
)
def test_the_same_rows(name: str, shards: tuple[int, ...], spark: SparkSession, data: Path, tmp_path: Path) -> None:
    run(spark, name, data, tmp_path / "calm", 2, 6)
    folder = tmp_path / "rescaled"
    run(spark, name, data, folder, 2, 2)
    for number, count in enumerate(shards):
        done = rescale(spark, str(folder / "checkpoint"), count)
        assert done.shards == count
        assert Path(done.kept).is_dir()
        run(spark, name, data, folder, count, 4 + 2 * number)
    run(spark, name, data, folder, shards[-1], 6)
    assert answer(spark, tmp_path / "calm")
    assert_same_rows(answer(spark, folder), answer(spark, tmp_path / "calm"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_what_is_refused_changes_nothing(
    spark: SparkSession, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No shards at all, a micro-batch in the middle, state that cannot be read, an interruption at the last moment."""
    run(spark, "inline", data, tmp_path / "one", 2, 2)
    place = tmp_path / "one" / "checkpoint"
    before = contents(place)
    for shards in (0, -1, True, 2.5):
        with pytest.raises(BadOption, match="at least one"):
            rescale(spark, str(place), shards)  # type: ignore[arg-type]
    with monkeypatch.context() as patch:
        patch.setattr(rescaling, "exchanged", lambda old, new: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            rescale(spark, str(place), 4)
    assert contents(place) == before
    assert [path.name for path in place.parent.iterdir() if "rescal" in path.name] == []
    last = place / "commits" / "1"
    last.rename(tmp_path / "kept")
    with pytest.raises(CheckpointMismatch, match="begun and not ended"):
        rescale(spark, str(place), 4)
    (tmp_path / "kept").rename(last)
    for path in (place / "state" / "0" / "1").glob("[0-9]*"):
        path.write_bytes(path.read_bytes()[:5])
    with pytest.raises(CheckpointDamaged):
        rescale(spark, str(place), 4)
    assert [path.name for path in place.parent.iterdir() if "rescal" in path.name] == []


def test_a_query_that_runs(spark: SparkSession, data: Path, tmp_path: Path) -> None:
    source = spark.readStream.schema(SCHEMA).parquet(str(data))
    stream = query("inline", source).to_df().writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint"))
    running = stream.start()
    try:
        running.processAllAvailable()
        with pytest.raises(CheckpointMismatch, match="the query is running"):
            rescale(spark, str(tmp_path / "checkpoint"), 4)
    finally:
        running.stop()
