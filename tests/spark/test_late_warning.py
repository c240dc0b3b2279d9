"""A stream that does not say how late tuples may be: who writes to_df() as Spark does is warned when tuples are left out."""

from __future__ import annotations

import io
import json
import time
import warnings
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from transom.cli.run import Request
from transom.cli.run import run as run_script

pytestmark = [pytest.mark.spark, pytest.mark.classic]

ROWS = [(1, 30), (2, 3), (3, 41), (4, 5)]


def told(spark: SparkSession, folder: Path, **clauses: object) -> list[str]:
    """The warnings of a query; its listener has heard of it when it has ended, or a moment later."""
    write(spark.createDataFrame(ROWS, "x BIGINT, n BIGINT"), folder / "in")
    source = tr.stream(stream_of(spark, folder / "in"), order_by="n", name="readings", **clauses)  # type: ignore[arg-type]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        run(source.window(tumble=10).agg(total=tr.sum("x")).to_df(), folder / "checkpoint")
        for _ in range(50):
            if any(one.category is tr.LateTuplesWarning for one in found):
                break
            time.sleep(0.1)
    return [str(one.message) for one in found if one.category is tr.LateTuplesWarning]


def test_a_plain_query_warns_once(spark: SparkSession, tmp_path: Path) -> None:
    (message,) = told(spark, tmp_path)
    assert message.startswith("2 tuples of stream 'readings' came late: 2 are in no window")


def test_one_that_says_slack_0_does_not(spark: SparkSession, tmp_path: Path) -> None:
    assert told(spark, tmp_path, slack=0) == []


def test_a_script_says_it_on_stderr(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"x": x, "n": n}) + "\n" for x, n in ROWS))
    sql = f"""
        CREATE STREAM s (x BIGINT, n BIGINT) ORDER BY n SOURCE FILE '{tmp_path / "in.jsonl"}' FORMAT jsonl;
        SELECT sum(x) AS total, window_end FROM s [TUMBLE 10];
    """
    assert run_script(Request(sql=sql, mode="drain", out=io.StringIO(), spark=spark)) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "came late" in line]
    assert len(said) == 1
    assert "2 tuples of stream 's' came late" in said[0]
