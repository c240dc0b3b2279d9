"""Windows over windows: micro-batch by micro-batch, and then the end, they give what a batch does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.spark.drained import run
from tests.spark.on_spark import rows_of
from transom.fluent.relation import Relation
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

BELOW = [
    "SELECT count(*) AS n FROM s [TUMBLE 10] TIMESTAMP MIN",
    "SELECT k, count(*) AS n FROM s [RANGE 20 SLIDE 5] TIMESTAMP MAX GROUP BY k",
    "SELECT k, a, sum(a) OVER (PARTITION BY k RANGE 4 PRECEDING SLIDE 7) AS n FROM s",
    "SELECT k, count(*) AS n FROM s [RANGE 2 ROWS SLIDE 2 ROWS PATTR k]",
]


def asked(frame: DataFrame, below: str) -> Relation:
    return tr.sql(f"SELECT sum(n) AS m, event_ts FROM ({below}) AS q [TUMBLE 5]", s=tr.stream(frame, order_by="a"))


@pytest.mark.parametrize("below", [BELOW[0], *(pytest.param(below, marks=pytest.mark.long) for below in BELOW[1:])])
def test_every_result_below_is_counted_above(below: str, spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(6):  # a file is a micro-batch
        (folder / f"{n}.csv").write_text("".join(f"{k},{10 * n + 3 * i - 30}\n" for i, k in enumerate("uvw")))
        os.utime(folder / f"{n}.csv", (1_000_000 + n, 1_000_000 + n))
    bounded = rows_of(asked(spark.read.schema("k STRING, a BIGINT").csv(str(folder)), below).to_df())
    stream = spark.readStream.schema("k STRING, a BIGINT").option("maxFilesPerTrigger", 1).csv(str(folder))
    streamed, _ = run(to_df(asked(stream, below).plan, end=0), tmp_path / "checkpoint")
    ended, _ = run(to_df(asked(stream, below).plan, end=1), tmp_path / "checkpoint")
    assert len(bounded) > 3
    assert_same_rows([row for each in (*streamed, *ended) for row in each], bounded)
