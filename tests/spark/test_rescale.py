"""Queries that are stopped and resumed with other numbers of shards: all in all the rows of an undisturbed run, none twice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import transom as tr
from tests.spark.exactly_once_session import SCHEMA, query
from tests.spark.on_spark import rows_of
from tests.spark.test_exactly_once import written
from transom.errors import BadOption, CheckpointDamaged, CheckpointMismatch
from transom.fluent.relation import Relation
from transom.spark.checkpoints import rescaling
from transom.spark.checkpoints.rescaling import rescale
from transom.spark.settings import SHARDS
from transom.testing import assert_same_rows
from transom.windowing import Operator, Output, Port, count, sliding

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rescale") / "in"
    written(folder)
    return folder


TEXTS = {
    "interval join": """SELECT a.k, a.v, b.v AS w FROM s AS a JOIN s AS b
                        ON a.k = b.k AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 5 SECONDS""",
    "changes": """SELECT ISTREAM a.k, count(*) AS n, sum(b.v) AS total FROM s [RANGE 8 SECONDS SLIDE 2 SECONDS] AS a
                  JOIN s [RANGE 4 ROWS PATTR k] AS b ON a.k = b.k GROUP BY a.k""",
    "set operation": """SELECT DSTREAM k, v FROM (SELECT k, v FROM s [RANGE 20 SECONDS SLIDE 5 SECONDS] WHERE v > 20
                        EXCEPT SELECT k, v FROM s [RANGE 10 SECONDS] WHERE v < 60) q""",
    "policies": """SELECT k, count(*) AS n, sum(v) AS total, window_start, wid
                   FROM s [SLIDING delta(ts, 20 SECONDS), count(2) PARTITIONED BY (k)]""",
    "cut": "SELECT k, count(*) AS n FROM s [TUMBLING delta(ts, 9 SECONDS) PARTITIONED BY (k)]",
}
"""Over relations, and in containers: joins, a chain of three operators, windows with policies."""


class Sums(Operator):
    """Emits the sum of each window, and how many there have been in the partition."""

    takes = Port()
    gives = Output("k STRING, total BIGINT, number BIGINT", punctuation="free")

    def on_trigger(self, window: Any, partition: Any) -> None:
        window.state["number"] = window.state.get("number", 0) + 1
        self.emit(partition, sum(t.v for t in window), window.state["number"])


def over_relations(name: str, source: DataFrame) -> Relation:
    keyed = source.withColumn("k", F.concat_ws("-", "k", F.col("v") % 4))
    stream = tr.stream(keyed, order_by="ts", name="s", slack=tr.seconds(2))
    if name == "applied":
        return stream.apply(Sums(), window=sliding(count(5), count(2)).partitioned_by("k"))
    return tr.sql(TEXTS[name], s=stream)


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
        relation = over_relations(name, source) if name in (*TEXTS, "applied") else query(name, source)
        stream = relation.to_df().writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
        stream.trigger(availableNow=True).start(str(folder / "out")).awaitTermination()
    finally:
        spark.conf.unset("spark.transom.state")
        spark.conf.set(SHARDS, before)


def answer(spark: SparkSession, folder: Path) -> list[Any]:
    return rows_of(spark.read.parquet(str(folder / "out")))


SOME = [("inline", (8,)), ("chained", (3,)), ("interval join", (5,)), ("policies", (5,)), ("applied", (3,))]
MORE = [
    ("changes", (3,)),
    ("set operation", (4, 1)),
    ("interval join", (1, 4)),
    ("cut", (3, 1)),
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
    for number, many in enumerate(shards):
        done = rescale(spark, str(folder / "checkpoint"), many)
        assert done.shards == many
        assert Path(done.kept).is_dir()
        run(spark, name, data, folder, many, 4 + 2 * number)
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
