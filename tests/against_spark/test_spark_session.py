"""Type 11 is Spark's `session_window()`."""

from __future__ import annotations

import random

import pytest
from pyspark.sql import DataFrame, SparkSession, functions
from second_opinion import Row, at, collect, dataframe, labelled, maybe, reference

from transom import seconds
from transom.reference import Query
from transom.semantics import Duration, Partitioned, Session
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

COLUMNS = {"ts": "timestamp", "k": "string", "x": "bigint"}
GAPS = [seconds(1), seconds(2.5), seconds(20)]
SELECT = {"start": "window_start", "end": "window_end", "n": "count(*)", "total": "sum(x)"}


def random_rows(seed: int, step: int, count: int = 100) -> list[Row]:
    """Out of order, at multiples of `step` microseconds, with ties, NULL keys and NULL timestamps."""
    rng = random.Random(seed)
    instants = [rng.randrange(-100_000_000, 100_000_000) // step * step for _ in range(count)]
    return [
        {"ts": maybe(rng, at(micros), 0.05), "k": maybe(rng, rng.choice("ab")), "x": maybe(rng, rng.randrange(-50, 50))}
        for micros in [*instants, *instants[:10]]
    ]


def our_sessions(rows: list[Row], gap: Duration) -> list[Row]:
    window = Partitioned(Session(gap=gap, wattr="ts"), ("k",))
    return reference(Query(window=window, select={"k": "k", **SELECT}), COLUMNS, rows)


def spark_sessions(rows: DataFrame, gap: Duration, case: int = 0) -> DataFrame:
    return (
        rows.groupBy(functions.session_window("ts", f"{gap.micros} microseconds"), "k")
        .agg(functions.count("*").alias("n"), functions.sum("x").alias("total"))
        .select(functions.lit(case).alias("case"), "session_window.start", "session_window.end", "k", "n", "total")
    )


@pytest.mark.parametrize("step", [1, 500_000], ids=["no_distance_equals_the_gap", "many_distances_equal_the_gap"])
def test_partitioned_sessions_are_the_sessions_of_spark(spark: SparkSession, step: int) -> None:
    rows = random_rows(1, step)
    frame = dataframe(spark, COLUMNS, rows)
    ours = [row for case, gap in enumerate(GAPS) for row in labelled(case, our_sessions(rows, gap))]
    assert_same_rows(ours, collect(*(spark_sessions(frame, gap, case) for case, gap in enumerate(GAPS))))


def test_tuples_exactly_one_gap_apart_are_of_one_session_here_and_in_spark(spark: SparkSession) -> None:
    """Although Spark calls the end of a session exclusive."""
    rows = [{"ts": at(0), "k": "a", "x": 1}, {"ts": at(5_000_000), "k": "a", "x": 2}]
    session = {"start": at(0), "end": at(10_000_000), "k": "a", "n": 2, "total": 3}
    assert_same_rows(our_sessions(rows, seconds(5)), [session])
    assert_same_rows(collect(spark_sessions(dataframe(spark, COLUMNS, rows), seconds(5)).drop("case")), [session])


def test_tuples_one_microsecond_more_than_a_gap_apart_are_of_two_sessions_here_and_in_spark(spark: SparkSession) -> None:
    rows = [{"ts": at(0), "k": "a", "x": 1}, {"ts": at(5_000_001), "k": "a", "x": 2}]
    first = {"start": at(0), "end": at(5_000_000), "k": "a", "n": 1, "total": 1}
    second = {"start": at(5_000_001), "end": at(10_000_001), "k": "a", "n": 1, "total": 2}
    assert_same_rows(our_sessions(rows, seconds(5)), [first, second])
    assert_same_rows(collect(spark_sessions(dataframe(spark, COLUMNS, rows), seconds(5)).drop("case")), [first, second])


def test_sessions_without_pattr_are_islands_over_all_keys(spark: SparkSession) -> None:
    """By the definition: a session starts where the distance to the tuple before exceeds the gap."""
    rows, gap = random_rows(2, 500_000), seconds(2)
    ours = reference(Query(window=Session(gap=gap, wattr="ts"), select=SELECT), COLUMNS, rows)
    islands = spark.sql(
        f"""
        WITH placed AS (SELECT *, unix_micros(ts) AS a FROM {{rows}} WHERE ts IS NOT NULL),
        spaced AS (SELECT *, a - lag(a) OVER (ORDER BY a) > {gap.micros} AS opens FROM placed),
        numbered AS (SELECT *, count_if(opens) OVER (ORDER BY a) AS session FROM spaced)
        SELECT min(ts) AS start, timestamp_micros(max(a) + {gap.micros}) AS end, count(*) AS n, sum(x) AS total
        FROM numbered GROUP BY session
        """,
        rows=dataframe(spark, COLUMNS, rows),
    )
    assert_same_rows(ours, collect(islands))
