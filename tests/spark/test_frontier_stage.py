"""A frontier stage folds the sequence of a controller once for all shards: the rows are those that shards find by themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run as drained
from tests.spark.on_spark import rows_of
from transom.errors import BadOption, CheckpointMismatch
from transom.fluent.relation import Relation
from transom.spark.checkpoints.rescaling import rescale
from transom.spark.checkpoints.state_frames import state_rows
from transom.spark.frames.query_frame import FRONTIER_CONF, to_df
from transom.spark.running.messages.failures import failure
from transom.spark.settings import SHARDS
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

SCHEMA = "k STRING, src STRING, v BIGINT, ts TIMESTAMP"
FILES, ROWS = 4, 400
TOLERANCES: dict[str, dict[str, Any]] = {
    "dratio": {"drop_ratio": 0.05},
    "heartbeat": {"heartbeat": True},
    "buffer": {"slack": tr.seconds(30), "buffer": 40},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of rows that arrive up to 20 seconds late."""
    folder = tmp_path_factory.mktemp("disorder")
    random = np.random.default_rng(3)
    for number in range(FILES):
        at = np.arange(number * ROWS, (number + 1) * ROWS) * 100_000 - random.exponential(2e6, ROWS).astype(np.int64)
        table = {
            "k": pa.array(random.choice(["a", "b", "c", "d", "e", "f"], ROWS)),
            "src": pa.array(random.choice(["u", "v"], ROWS)),
            "v": pa.array(random.integers(0, 9, ROWS)),
            "ts": pa.array(1_700_000_000_000_000 + at, pa.timestamp("us", "UTC")),
        }
        path = folder / f"part-{number}.parquet"
        pq.write_table(pa.table(table), path)
        os.utime(path, (1e9 + number, 1e9 + number))
    return folder


@pytest.fixture(autouse=True)
def _settings(spark: SparkSession) -> Iterator[None]:
    before = spark.conf.get(SHARDS)
    yield
    spark.conf.set(SHARDS, before)
    for name in (FRONTIER_CONF, "spark.transom.state"):
        spark.conf.unset(name)


def query(source: Any, tolerance: str) -> Relation:
    stream = tr.stream(source, order_by="ts", name="s", per_source="src" if tolerance == "heartbeat" else None)
    window = stream.window(range=tr.seconds(10), slide=tr.seconds(5)).tolerate(**TOLERANCES[tolerance])
    return window.group_by("k").agg(e="window_end", n=tr.count(), s=tr.sum("v"), m=tr.max("v"))


def source_of(spark: SparkSession, data: Path, files: int) -> DataFrame:
    """The first files as a stream, one in each micro-batch."""
    reader = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
    return reader.option("pathGlobFilter", f"part-[0-{files - 1}].parquet").parquet(str(data))


def run(
    spark: SparkSession,
    relation: str,
    data: Path,
    folder: Path,
    *,
    shards: int = 3,
    files: int = FILES,
    end: int = 0,
    late: bool = False,
) -> list[Any]:
    """The rows of the first files, from where the checkpoint is."""
    made = query(source_of(spark, data, files), relation)
    batches, _ = drained(to_df((made.late() if late else made).plan, shards=shards, end=end), folder)
    return [row for batch in batches for row in batch]


@pytest.mark.parametrize(
    ("tolerance", "late", "state"),
    [
        ("dratio", False, "inline"),
        pytest.param("dratio", True, "blocks", marks=pytest.mark.long),
        pytest.param("heartbeat", False, "blocks", marks=pytest.mark.long),
        pytest.param("buffer", True, "inline", marks=pytest.mark.long),
    ],
)
def test_the_rows_are_the_same(tolerance: str, late: bool, state: str, spark: SparkSession, data: Path, tmp_path: Path) -> None:
    """Stopped after two micro-batches, resumed, and drained."""
    spark.conf.set("spark.transom.state", state)
    found = {}
    for where in ("shards", "stage"):
        spark.conf.set(FRONTIER_CONF, where)
        found[where] = run(spark, tolerance, data, tmp_path / where, files=2, late=late)
        found[where] += run(spark, tolerance, data, tmp_path / where, late=late)
        found[where] += run(spark, tolerance, data, tmp_path / where, end=1, late=late)
    assert found["shards"]
    assert_same_rows(found["stage"], found["shards"])
    operators = spark.read.format("state-metadata").load(str(tmp_path / "stage")).select("operatorId").distinct().count()
    assert operators == 2


def test_a_setting_that_says_something_else(spark: SparkSession, data: Path) -> None:
    spark.conf.set(FRONTIER_CONF, "twice")
    with pytest.raises(BadOption, match="where the sequence of a controller is folded"):
        query(spark.readStream.schema(SCHEMA).parquet(str(data)), "dratio").to_df()


@pytest.mark.long
def test_a_checkpoint_keeps_its_form(spark: SparkSession, data: Path, tmp_path: Path) -> None:
    """Spark refuses other operators in a checkpoint, and the error has a name."""
    spark.conf.set(FRONTIER_CONF, "shards")
    run(spark, "dratio", data, tmp_path / "checkpoint", files=2)
    spark.conf.set(FRONTIER_CONF, "stage")
    with pytest.raises(StreamingQueryException) as refused:
        run(spark, "dratio", data, tmp_path / "checkpoint")
    assert isinstance(failure(refused.value), CheckpointMismatch)
    assert "spark.transom.frontier" in str(failure(refused.value))


@pytest.mark.long
def test_a_frontier_stage_with_another_number_of_shards(spark: SparkSession, data: Path, tmp_path: Path) -> None:
    found = {}
    spark.conf.set(FRONTIER_CONF, "stage")
    for name in ("calm", "rescaled"):
        spark.conf.set(SHARDS, 2)
        found[name] = run(spark, "dratio", data, tmp_path / name, files=2)
        if name == "rescaled":
            assert rescale(spark, str(tmp_path / name), 5).shards == 5
            spark.conf.set(SHARDS, 5)
        shards = 5 if name == "rescaled" else 3
        found[name] += run(spark, "dratio", data, tmp_path / name, shards=shards, end=1)
    assert_same_rows(found["rescaled"], found["calm"])
    kinds = {(row["operator"], row["kind"]) for row in state_rows(spark, str(tmp_path / "rescaled"))}
    assert {kind for _, kind in kinds} == {"FrontierOperator", "ContextFreeWindow"}


@pytest.mark.long
@pytest.mark.classic
def test_checkpoints_of_earlier_versions(spark: SparkSession, data: Path, tmp_path: Path) -> None:
    """They do not say where the sequence was folded: each shard goes on folding it, however many there are."""
    spark.conf.set(SHARDS, 16)
    spark.conf.set(FRONTIER_CONF, "shards")
    found: list[Any] = []
    for files in (2, FILES):
        running = query(source_of(spark, data, files), "buffer").start(
            foreach_batch=lambda rows, _: found.extend(rows_of(rows)),
            checkpoint=tmp_path / "checkpoint",
            shards=16,
            available_now=True,
        )
        running.awaitTermination()
        note = json.loads((tmp_path / "checkpoint" / "transom.json").read_text())
        assert note.pop("frontier") == "shards"
        (tmp_path / "checkpoint" / "transom.json").write_text(json.dumps(note))
        spark.conf.unset(FRONTIER_CONF)
    assert found


@pytest.mark.long
@pytest.mark.classic
def test_by_default_a_controller_has_no_more_shards_than_eight(spark: SparkSession, data: Path, tmp_path: Path) -> None:
    """Also after the checkpoint was rescaled to more partitions."""
    found: list[Any] = []
    for partitions, files in ((2, 2), (12, FILES)):
        spark.conf.set(SHARDS, partitions)
        query(source_of(spark, data, files), "dratio").start(
            foreach_batch=lambda rows, _: found.extend(rows_of(rows)), checkpoint=tmp_path / "checkpoint", available_now=True
        ).awaitTermination()
        if partitions == 2:
            done = rescale(spark, str(tmp_path / "checkpoint"), 12)
            assert (done.shards, done.frontier) == (12, "shards")
    assert len({row["shard"] for row in state_rows(spark, str(tmp_path / "checkpoint"))}) == 8
    spark.conf.set(SHARDS, 2)
    assert_same_rows(found, run(spark, "dratio", data, tmp_path / "calm"))
