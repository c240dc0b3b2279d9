"""Quality of a query on Spark: what it tells is what its controller did."""

from __future__ import annotations

import io
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, Observation, SparkSession

import transom as tr
from tests.spark.drained import run, stream_of, write
from transom.cli.run import Request
from transom.cli.run import run as run_script
from transom.disorder import DropRatio
from transom.disorder.controllers import Controller, controller_of
from transom.errors import BadOption
from transom.fluent.relation import Relation
from transom.kernels.columns.axis import Axis
from transom.quality.record import read_record
from transom.quality.shard_reports import together
from transom.spark.frames.query_frame import to_df

pytestmark = pytest.mark.spark

TUPLES, FILES = 6_000, 3


@pytest.fixture(scope="module")
def sequence() -> Any:
    """Event times in microseconds: a tuple every 100 ms or so, on its way for 2 seconds or so."""
    r = np.random.default_rng(5)
    sent = np.cumsum(r.exponential(100_000, TUPLES)).astype(np.int64)
    return sent[np.argsort(sent + r.exponential(2_000_000, TUPLES), kind="stable")]


@pytest.fixture(scope="module")
def folder(sequence: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("disordered")
    for n, part in enumerate(np.split(sequence, FILES)):
        path = made / f"part-{n}.parquet"
        pq.write_table(pa.table({"k": pa.array(part % 3), "ts": pa.array(part, pa.timestamp("us", "UTC"))}), path)
        os.utime(path, (1e9 + n, 1e9 + n))
    return made


@pytest.fixture(scope="module")
def controller(sequence: Any) -> Controller:
    made = controller_of(DropRatio(0.01), Axis(), timed=True)
    made.run(sequence)
    return made


def query(source: DataFrame) -> Relation:
    stream = tr.stream(source, order_by="ts", name="s")
    return stream.window(range=tr.seconds(60), slide=tr.seconds(10)).tolerate(drop_ratio=0.01).group_by("k").agg(n="count(*)")


def measured(text: str) -> dict[str, str]:
    """What EXPLAIN ANALYZE has measured, by title."""
    pairs = (line.strip().split(":", 1) for line in text.splitlines() if ":" in line)
    return {title: value.strip() for title, value in pairs}


def check(last: Any, controller: Controller) -> None:
    assert (last.seen, last.late, last.target) == (TUPLES, controller.late, 0.01)
    assert 0 < last.ratio <= 0.01
    assert last.holds
    told = last.delay - timedelta(microseconds=controller.high - controller.frontier)
    assert timedelta(0) <= told < timedelta(milliseconds=1)  # behind BFSIZE the newest tuple is known to the microsecond
    assert timedelta(0) < last.delay_50 <= last.delay_95
    assert last.newest - last.frontier == last.delay
    assert last.waiting == len(controller.waiting)
    assert last.used + last.dropped + last.outside == TUPLES
    assert sum(one.count for one in last.late_by_age) == controller.late


@pytest.mark.parametrize(("slack", "frontier"), [(None, 45), (5, 40)])
def test_the_frontier_is_what_tuples_are_judged_against(
    slack: int | None, frontier: int, spark: SparkSession, tmp_path: Path
) -> None:
    """And not the end of the first window that is open."""
    write(spark.sql("SELECT timestamp_seconds(id) AS ts FROM range(46)"), tmp_path / "in")
    stream = tr.stream(stream_of(spark, tmp_path / "in"), order_by="ts", name="s")
    cut = stream.window(range=tr.seconds(20), slide=tr.seconds(10))
    asked = (cut if slack is None else cut.tolerate(slack=tr.seconds(slack))).agg(n="count(*)")
    _, query = run(asked.to_df(), tmp_path / "checkpoint")
    told = together(query.lastProgress.observedMetrics["transom"]["shards"])
    assert told["frontier"] == f"1970-01-01 00:00:{frontier}+00:00"
    assert told["held"] == 2


@pytest.mark.long
@pytest.mark.parametrize(("clause", "delay"), [({"drop_ratio": 0.05}, 0), ({"heartbeat": True}, 0), ({"slack": tr.rows(3)}, 3)])
def test_after_an_end(clause: dict[str, Any], delay: int, spark: SparkSession, tmp_path: Path) -> None:
    """Tuples that an end has been beyond are late, though the controller was not: they are told as such."""

    def told(start: int, end: int) -> Any:
        rows = f"SELECT timestamp_seconds(id) AS ts, id % 5 AS k FROM range({start}, {end})"
        write(spark.sql(rows), tmp_path / "in")
        stream = tr.stream(stream_of(spark, tmp_path / "in"), order_by="ts", name="s", **clause)
        asked = stream.window(tumble=tr.seconds(1_000)).group_by("k").agg(n="count(*)")
        _, query = run(to_df(asked.plan, end=1), tmp_path / "checkpoint")
        return tr.Quality.of(query).last

    first, second = told(0, 2_500), told(2_500, 2_900)
    assert (first.seen, first.late, first.held, first.waiting) == (2_500, 0, 0, 0)
    assert first.frontier == datetime.fromtimestamp(3_000, UTC)  # the end of the last window
    assert first.delay == timedelta(seconds=delay)
    assert (second.seen, second.late, second.dropped, second.waiting) == (2_900, 400, 400, 0)
    assert second.delay == timedelta(0)


def share(controller: Controller) -> str:
    return f"{round(100 * controller.late / TUPLES, 3):g} % of 1 % allowed"


@pytest.mark.parametrize("state", ["inline", pytest.param("blocks", marks=pytest.mark.long)])
def test_of_a_stream(spark: SparkSession, folder: Path, controller: Controller, tmp_path: Path, state: str) -> None:
    spark.conf.set("spark.transom.state", state)
    try:
        _, running = run(query(stream_of(spark, folder, maxFilesPerTrigger=1)).to_df(), tmp_path)
    finally:
        spark.conf.unset("spark.transom.state")
    quality = tr.Quality.of(running)
    assert [moment.seen for moment in quality.moments] == [2_000, 4_000, 6_000]
    check(quality.last, controller)


def test_of_a_batch(spark: SparkSession, folder: Path, controller: Controller, tmp_path: Path) -> None:
    pq.write_table(pq.read_table(folder), tmp_path / "all.parquet")
    seen = Observation()
    query(spark.read.parquet(str(tmp_path))).to_df(observation=seen).collect()
    last = tr.Quality.of(seen).last
    check(last, controller)
    assert last is not None
    assert last.held == 0
    with pytest.raises(BadOption, match="an Observation is for batches"):
        query(stream_of(spark, folder)).to_df(observation=Observation())


def test_of_a_script(
    spark: SparkSession, folder: Path, controller: Controller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    select = "SELECT k, count(*) AS n FROM s [RANGE 60 SECONDS SLIDE 10 SECONDS DRATIO 1% BFSIZE 1000] GROUP BY k"
    sql = f"""
        CREATE STREAM s (k BIGINT, ts TIMESTAMP) ORDER BY ts
          SOURCE FILE '{folder}' FORMAT parquet OPTIONS (maxFilesPerTrigger '1');
        INSERT INTO FILE '{tmp_path}/out' FORMAT jsonl {select};
        EXPLAIN ANALYZE {select};
    """
    out, record = io.StringIO(), str(tmp_path / "run.jsonl")
    assert run_script(Request(sql, mode="once", record=record, out=out, spark=spark)) == 0
    (quality,) = read_record(record)
    assert [moment.seen for moment in quality.moments] == [2_000, 4_000, 6_000]
    assert quality.last is not None
    check(quality.last, controller)
    assert quality.last.buffer == 1000
    lines = measured(out.getvalue())
    assert lines["late ratio"] == f"{share(controller)} ({controller.late} of {TUPLES} tuples)"
    assert lines["waiting rows"] == f"{len(controller.waiting)} of 1000 at most"
    assert f"; late {share(controller)}, delay " in capsys.readouterr().err


def test_of_a_script_over_a_table(
    spark: SparkSession, folder: Path, controller: Controller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pq.write_table(pq.read_table(folder), tmp_path / "all.parquet")
    spark.read.parquet(str(tmp_path / "all.parquet")).createOrReplaceTempView("disordered")
    select = "SELECT k, count(*) AS n FROM s [TUMBLE 60 SECONDS DRATIO 1%] GROUP BY k"
    sql = f"CREATE STREAM s (k BIGINT, ts TIMESTAMP) ORDER BY ts SOURCE TABLE disordered; {select}; EXPLAIN ANALYZE {select};"
    out, record = io.StringIO(), str(tmp_path / "run.jsonl")
    assert run_script(Request(sql, mode="once", record=record, out=out, spark=spark)) == 0
    check(read_record(record)[0].last, controller)
    assert measured(out.getvalue())["late ratio"] == f"{share(controller)} ({controller.late} of {TUPLES} tuples)"
    assert f" rows, late {controller.late}, dropped 1, outside 0; late {share(controller)}, delay " in capsys.readouterr().err
