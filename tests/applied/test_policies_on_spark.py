"""Windows with policies, chains of operators, several ports and the clock, on Spark."""

from __future__ import annotations

import math
import random
import time as wall
from collections import namedtuple
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import transom as tr
from tests.applied.harness import cut, run, stream_of, write_batches
from transom.errors import OperatorFailed
from transom.spark.running.messages.failures import failure
from transom.windowing import Operator, OperatorRun, Output, Port, count, delta, sliding, time, tumbling
from transom.windowing.operators import Deduplicate
from transom.windowing.toolkit import Aggregate, Average, Join, OuterJoin

pytestmark = pytest.mark.spark

START = datetime(2026, 1, 1, tzinfo=UTC)
Reading = namedtuple("Reading", "id k x ts")


def readings(seed: int, number: int = 60) -> list[Reading]:
    random_ = random.Random(seed)
    second, found = 0, []
    for n in range(number):
        second += random_.choice((0, 1, 1, 3, 8))
        found.append(Reading(n, random_.choice("ab"), random_.randint(0, 9), START + timedelta(seconds=second)))
    return found


def table_of(tuples: list[Any]) -> pa.Table:
    table = pa.Table.from_pylist([t._asdict() for t in tuples])
    if "ts" in table.column_names:
        at = table.column_names.index("ts")
        table = table.set_column(at, "ts", table["ts"].cast(pa.timestamp("us", "UTC")))
    return table


QUERY = """
    SELECT k, count(*) AS n, sum(x) AS total, max(ts) AS latest, window_end
    FROM readings [SLIDING delta(ts, 10 SECONDS), count(1) PARTITIONED BY (k)] WHERE x > 1 HAVING count(*) > 1
"""


def expected_of_query(tuples: list[Reading]) -> list[Any]:
    rows: list[Any] = []
    places: dict[int, int] = {}
    counted: dict[str, int] = {}
    for t in tuples:
        places[t.id] = counted[t.k] = counted.get(t.k, 0) + 1

    def note(window: Any, partition: Any) -> None:
        picked = [t for t in window if t.x > 1]
        if len(picked) > 1:
            total, latest = sum(t.x for t in picked), max(t.ts for t in picked)
            rows.append((partition, len(picked), total, latest.replace(tzinfo=None), places[window.newest.id]))

    sliding(delta("ts", "10 seconds"), count(1)).partitioned_by("k").container(note).extend(tuples)
    return sorted(rows)


def test_a_delta_window_in_sql_is_a_container_for_any_cut_and_across_a_restart(spark: SparkSession, tmp_path: Path) -> None:
    tuples = readings(1)
    expected = expected_of_query(tuples)
    assert len(expected) > 10
    pieces = cut(table_of(tuples), random.Random(2))
    folder, half = tmp_path / "in", len(pieces) // 2
    found: list[Any] = []
    for number, part in ((0, pieces[:half]), (half, pieces[half:])):
        write_batches(folder, part, number)
        found += run(tr.sql(QUERY, readings=tr.stream(stream_of(spark, folder))), tmp_path / "checkpoint")
    assert sorted(found) == expected
    batch = tr.sql(QUERY, readings=tr.stream(spark.read.parquet(str(folder)))).to_df()
    assert sorted(map(tuple, batch.collect())) == expected


def test_a_chain_of_operators_is_a_chain_of_containers(spark: SparkSession, tmp_path: Path) -> None:
    """Once each id within 20, then means of each 5 that are left with x above 0: the order is that of one container."""
    tuples = [t for t in readings(3, 40) for _ in range(1 + t.id % 3)]
    first = OperatorRun(Deduplicate("id"), sliding(count(20), count(1)))
    first.extend(tuples)
    second = OperatorRun(Aggregate("mean DOUBLE", mean=Average("x")), tumbling(count(5)))
    second.extend([t for t in first.rows() if t.x > 0])
    expected = [tuple(row) for row in second.rows()]
    assert len(expected) > 5
    write_batches(tmp_path / "in", cut(table_of(tuples), random.Random(4)))
    stream = tr.stream(stream_of(spark, tmp_path / "in"), name="readings")
    once = stream.apply(Deduplicate("id"), window=sliding(count(20), count(1)))
    means = once.where("x > 0").select("id", "x").apply(Aggregate("mean DOUBLE", mean=Average("x")), window=tumbling(count(5)))
    assert run(means, tmp_path / "checkpoint") == expected


LISTING_5 = """
    SELECT qid, min(distance) AS nearest
    FROM near(left => TABLE sensors [SLIDING count(2), count(1)], right => TABLE queries [SLIDING count(0), count(1)])
         [TUMBLING punct()]
    GROUP BY qid
"""


def test_listing_5_the_smallest_distance_of_each_query(spark: SparkSession) -> None:
    """The last two of three sensors, at (3, 4) and (0, 1); two queries at the origin and at (3, 3), one that nothing is near."""
    sensors = spark.createDataFrame([(1, 0.0, 0.0), (2, 3.0, 4.0), (3, 0.0, 1.0)], "sid INT, x DOUBLE, y DOUBLE").coalesce(1)
    queries = spark.createDataFrame([(7, 0.0, 0.0), (8, 3.0, 3.0), (9, 50.0, 50.0)], "qid INT, x DOUBLE, y DOUBLE").coalesce(1)

    def distance(s: Any, q: Any) -> float:
        return math.dist((s.x, s.y), (q.x, q.y))

    near = Join(
        "sid BIGINT, qid BIGINT, distance DOUBLE",
        match=lambda s, q: distance(s, q) < 10,
        pair=lambda s, q: (s.sid, q.qid, distance(s, q)),
    )
    found = tr.sql(LISTING_5, sensors=sensors, queries=queries, near=near).to_df().collect()
    assert [tuple(row) for row in found] == [(7, 1.0), (8, 1.0)]


def test_windows_in_time_give_punctuation_after_each_extent(spark: SparkSession, tmp_path: Path) -> None:
    """Sums of each key and 10 seconds; then, behind each extent, how many keys there were, and the largest sum."""
    text = """
        SELECT count(*) AS keys, max(total) AS hi
        FROM (SELECT k, sum(x) AS total FROM readings [TUMBLE 10 SECONDS] GROUP BY k) AS sums [TUMBLING punct()]
    """
    tuples = readings(5)
    sums: dict[int, dict[str, int]] = {}
    for t in tuples:
        extent = sums.setdefault(int((t.ts - START).total_seconds()) // 10, {})
        extent[t.k] = extent.get(t.k, 0) + t.x
    expected = [(len(sums[n]), max(sums[n].values())) for n in sorted(sums)]
    write_batches(tmp_path / "in", cut(table_of(tuples), random.Random(6)))
    stream = tr.stream(stream_of(spark, tmp_path / "in"), order_by="ts", name="readings", ordered=True)
    found = run(tr.sql(text, readings=stream), tmp_path / "checkpoint")
    assert found == expected[: len(found)]
    assert len(found) >= len(expected) - 2  # the last extent is still open
    batch = tr.sql(text, readings=tr.stream(spark.read.parquet(str(tmp_path / "in")), order_by="ts", name="readings"))
    assert [tuple(row) for row in batch.to_df().collect()] == expected


def test_a_stream_with_a_disorder_clause_is_sorted_first(spark: SparkSession) -> None:
    rows = [(n, START + timedelta(seconds=s)) for n, s in enumerate((5, 3, 9, 7, 8, 30))]
    frame = spark.createDataFrame(rows, "id INT, ts TIMESTAMP").coalesce(1)
    listed = tr.stream(frame, order_by="ts", slack=tr.seconds(5), name="s").apply(Ids(), window=tumbling(count(2)))
    assert [row.ids for row in listed.to_df().collect()] == ["1,0", "3,4", "2,5"]


class Ids(Operator):
    """The ids of each window."""

    takes = Port()
    gives = "ids STRING"

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.emit(",".join(str(t.id) for t in window))


def test_what_is_not_matched_has_an_output_of_its_own(spark: SparkSession) -> None:
    left = spark.createDataFrame([(1,), (2,), (3,)], "a INT").coalesce(1)
    right = spark.createDataFrame([(2,)], "b INT").coalesce(1)
    join = OuterJoin("a INT, b INT", match=lambda x, y: x.a == y.b, pair=lambda x, y: (x.a, y.b), sides=("left",))
    windows = {"left": sliding(count(2), count(1)), "right": sliding(count(2), count(1))}
    joined = tr.stream(left, name="l").apply(join, windows, right=tr.stream(right, name="r"))
    assert isinstance(joined, tr.fluent.verbs.applying.Outputs)
    # 1 has left the window before 2 comes at the right
    assert [tuple(row) for row in joined["matched"].to_df().collect()] == [(2, 2)]
    assert [tuple(row) for row in joined["left"].to_df().collect()] == [(1,)]


class Fails(Operator):
    gives = Output("x INT", punctuation="free")

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.emit(1 // window.newest.x)


def test_an_operator_that_raises_is_named_and_the_query_goes_on_from_its_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(1, "a"), (0, "b")], "x INT, k STRING").coalesce(1)
    failing = tr.stream(frame, name="s").apply(Fails(), window=sliding(count(1), count(1)).partitioned_by("k"))
    with pytest.raises(Exception, match="OperatorFailed") as raised:
        failing.to_df().collect()
    error = failure(raised.value)
    assert isinstance(error, OperatorFailed)
    assert "on_trigger of Fails raised ZeroDivisionError" in str(error)
    assert "partition 'b', tuple Row(x=0, k='b')" in str(error)


@pytest.mark.classic  # what it collects is in this process
def test_time_passes_in_silence(spark: SparkSession, tmp_path: Path) -> None:
    write_batches(tmp_path / "in", [table_of([Reading(n, "a", 1, START) for n in range(3)])])
    seen: list[Any] = []

    def collect(rows: DataFrame, number: int) -> None:
        seen.extend(row.ids for row in rows.collect())

    listed = tr.stream(stream_of(spark, tmp_path / "in"), name="s").apply(Ids(), window=tumbling(time("2 seconds")))
    query = listed.to_df().writeStream.foreachBatch(collect).option("checkpointLocation", str(tmp_path / "cp")).start()
    try:
        until = wall.monotonic() + 90
        while not seen and query.isActive and wall.monotonic() < until:
            wall.sleep(0.2)
        assert query.exception() is None
        assert seen == ["0,1,2"]
    finally:
        query.stop()
