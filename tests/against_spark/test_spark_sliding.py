"""Type 1 on time is Spark's `window()`."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from pyspark.sql import DataFrame, SparkSession, functions
from second_opinion import Row, at, collect, dataframe, labelled, maybe, reference

from transom import days, seconds
from transom.reference import Query
from transom.semantics import Duration, Sliding
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

COLUMNS = {"ts": "timestamp", "k": "string", "x": "bigint"}
ZERO = Duration(0)
EDGES = [-7_000_000, -1, 0, 1, 6_999_999, 7_000_000, 21_000_000]

MULTIPLE = [(10, 5), (7, 7), (6, 1.5)]
NO_MULTIPLE = [(10, 3), (5, 2), (8, 7.5)]
SHIFTED = [(10, 5, 2), (10, 5, -2), (10, 3, 1.25), (7, 7, 6.999999), (7, 7, -6.999999), (5, 4, -0.000001)]


def random_rows(seed: int, since: float, until: float, count: int = 120) -> list[Row]:
    """Out of order, with edges of windows, NULL keys, NULL values and NULL timestamps."""
    rng = random.Random(seed)
    anywhere = [rng.randrange(int(since * 1e6), int(until * 1e6)) for _ in range(count)]
    whole = [rng.randrange(int(since), int(until)) * 1_000_000 for _ in range(count // 3)]
    instants = [*anywhere, *whole, *EDGES]
    rng.shuffle(instants)
    return [
        {"ts": maybe(rng, at(micros), 0.05), "k": maybe(rng, rng.choice("abc")), "x": maybe(rng, rng.randrange(-50, 50))}
        for micros in instants
    ]


def spark_windows(rows: DataFrame, case: int, length: Duration, slide: Duration, offset: Duration = ZERO) -> DataFrame:
    durations = [f"{duration.micros} microseconds" for duration in (length, slide, offset)]
    return (
        rows.groupBy(functions.window("ts", *durations), "k")
        .agg(
            functions.count("*").alias("n"),
            functions.sum("x").alias("total"),
            functions.min("x").alias("low"),
            functions.max("x").alias("high"),
        )
        .select(functions.lit(case).alias("case"), "window.start", "window.end", "k", "n", "total", "low", "high")
    )


def our_windows(rows: list[Row], window: Sliding, columns: dict[str, str] = COLUMNS) -> list[Row]:
    select = {"start": "window_start", "end": "window_end", "k": "k", "n": "count(*)"}
    aggregates = {"total": "sum(x)", "low": "min(x)", "high": "max(x)"}
    return reference(Query(window=window, group_by=("k",), select={**select, **aggregates}), columns, rows)


def assert_windows_of_spark(spark: SparkSession, rows: list[Row], cases: list[tuple[float, ...]]) -> None:
    frame, ours, theirs = dataframe(spark, COLUMNS, rows), [], []
    for case, lengths in enumerate(cases):
        length, slide, offset = [*map(seconds, lengths), ZERO][:3]
        shift = offset if len(lengths) == 3 else None
        ours += labelled(case, our_windows(rows, Sliding(range=length, slide=slide, wattr="ts", offset=shift)))
        theirs.append(spark_windows(frame, case, length, slide, offset))
    assert_same_rows(ours, collect(*theirs))


@pytest.mark.parametrize(
    ("since", "until"), [(-60, 0), (-30, 30), (1.7e9, 1.7e9 + 60)], ids=["before_1970", "around_1970", "today"]
)
def test_sliding_windows_are_the_windows_of_spark(spark: SparkSession, since: float, until: float) -> None:
    assert_windows_of_spark(spark, random_rows(1, since, until), [*MULTIPLE, *NO_MULTIPLE])


@pytest.mark.parametrize("since", [0, -60])
def test_offset_is_the_start_time_of_spark(spark: SparkSession, since: float) -> None:
    assert_windows_of_spark(spark, random_rows(2, since, since + 60), SHIFTED)


def test_no_offset_is_offset_zero_is_any_whole_slide(spark: SparkSession) -> None:
    rows = random_rows(3, -20, 40)
    theirs = collect(spark_windows(dataframe(spark, COLUMNS, rows), 0, seconds(10), seconds(3)))
    for offset in (None, ZERO, seconds(3), seconds(-6)):
        window = Sliding(range=seconds(10), slide=seconds(3), wattr="ts", offset=offset)
        assert_same_rows(labelled(0, our_windows(rows, window)), theirs)


def test_windows_on_dates_are_the_windows_of_spark_on_their_midnights(spark: SparkSession) -> None:
    rng = random.Random(4)
    columns = {**COLUMNS, "ts": "date"}
    somewhen = [date(1970, 1, 1) + timedelta(days=rng.randrange(-40, 40)) for _ in range(120)]
    rows = [{"ts": maybe(rng, day), "k": maybe(rng, rng.choice("ab")), "x": rng.randrange(100)} for day in somewhen]
    frame, ours, theirs = dataframe(spark, columns, rows), [], []
    for case, (length, slide) in enumerate([(days(7), days(7)), (days(7), days(1)), (days(5), days(3))]):
        ours += labelled(case, our_windows(rows, Sliding(range=length, slide=slide, wattr="ts"), columns))
        theirs.append(spark_windows(frame, case, length, slide))
    assert_same_rows(ours, collect(*theirs))
