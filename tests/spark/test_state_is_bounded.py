"""State is proportional to open panes times keys, not to tuples, and returns when keys go quiet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from transom.fluent.relation import Relation

pytestmark = pytest.mark.spark


CLAUSES: dict[str, dict[str, Any]] = {
    "judged by pane": {},
    "judged one by one": {"late": "consistent"},
    "by substream": {"per_source": ["k"]},
}


def query(source: DataFrame, **clauses: Any) -> Relation:
    stream = tr.stream(source, order_by="ts", name="s", **clauses)
    return stream.window(range=tr.seconds(60), slide=tr.seconds(10)).group_by("k").agg(n="count(*)", s="sum(v)", hi="max(v)")


def tuples(spark: SparkSession, count: int, keys: int, start: int = 0) -> DataFrame:
    """That many tuples of that many keys, spread over a minute."""
    place = f"timestamp_micros({start}000000 + id * 60000000 DIV {count})"
    return spark.range(count).selectExpr(f"id * 7919 % {keys} AS k", "id AS v", f"{place} AS ts")


def state_bytes(spark: SparkSession, checkpoint: Path, state: str) -> int:
    reader = spark.read.format("statestore")
    if state == "blocks":
        kept = reader.option("stateVarName", "blocks").load(str(checkpoint))
        return int(kept.selectExpr("coalesce(sum(length(user_map_value.block)), 0)").collect()[0][0])
    return int(reader.load(str(checkpoint)).selectExpr("sum(length(value.groupState.blocks))").collect()[0][0])


def streamed(spark: SparkSession, folder: Path, state: str, *contents: DataFrame, **clauses: Any) -> list[int]:
    """The size of the state after each micro-batch."""
    sizes = []
    for number, rows in enumerate(contents):
        write(rows, folder / "in")
        newest = max((folder / "in").glob("*.parquet"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (1e9 + number, 1e9 + number))
        spark.conf.set("spark.transom.state", state)
        try:
            run(query(stream_of(spark, folder / "in"), **clauses).to_df(), folder / "checkpoint")
        finally:
            spark.conf.unset("spark.transom.state")
        sizes.append(state_bytes(spark, folder / "checkpoint", state))
    return sizes


@pytest.mark.parametrize("clauses", CLAUSES.values(), ids=list(CLAUSES))
def test_not_by_tuples(clauses: dict[str, Any], spark: SparkSession, tmp_path: Path) -> None:
    (few,) = streamed(spark, tmp_path / "few", "inline", tuples(spark, 5_000, 100), **clauses)
    (many,) = streamed(spark, tmp_path / "many", "inline", tuples(spark, 100_000, 100), **clauses)
    assert few < many * 1.2
    assert many < few * 1.2


@pytest.mark.parametrize("state", ["inline", "blocks"])
def test_quiet_keys_are_forgotten(state: str, spark: SparkSession, tmp_path: Path) -> None:
    one: dict[str, Any] = {"count": 1, "keys": 1}
    loud, quiet = streamed(spark, tmp_path, state, tuples(spark, 20_000, 2_000), tuples(spark, **one, start=1000))
    assert loud > 20 * 2_000
    assert quiet < loud / 20
