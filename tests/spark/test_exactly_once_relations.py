"""Joins, set operations and streams of changes that are killed and started again: the rows of an undisturbed run, none twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.killed import finished, forget_last, killed_after, numbers
from tests.spark.on_spark import rows_of
from tests.spark.relations_session import NAMES, start
from tests.spark.test_exactly_once import FILES, written
from transom.testing import assert_same_rows

pytestmark = [pytest.mark.spark, pytest.mark.long]

SESSION = "tests.spark.relations_session"


def test_killed_between_state_and_sink_and_started_again(spark: SparkSession, tmp_path: Path) -> None:
    data, folder, calm = tmp_path / "in", tmp_path / "killed", tmp_path / "calm"
    data.mkdir()
    for side, seed in (("a", 7), ("b", 8)):
        written(data / side, seed)
    folder.mkdir()
    killed_after(SESSION, data, folder, NAMES, (1, 15))
    begun = [name for name in NAMES if numbers(folder / name / "checkpoint" / "offsets")]
    assert len(begun) > 2
    for name in begun:
        if name in ("except", "union"):  # died between the sink's commit and the log's
            forget_last(folder / name / "checkpoint")
        else:  # died between the state's commit and the sink's
            forget_last(folder / name / "checkpoint", folder / name / "out" / "_spark_metadata")
    finished(SESSION, data, folder)
    for name in NAMES:
        start(spark, name, data, calm, files=FILES).awaitTermination()
        expected = rows_of(spark.read.parquet(str(calm / name / "out")))
        assert expected, name
        assert_same_rows(rows_of(spark.read.parquet(str(folder / name / "out"))), expected)
