"""Windows that Spark does not have, from their definitions in plain SQL."""

from __future__ import annotations

import random

import pytest
from pyspark.sql import SparkSession
from second_opinion import Row, collect, dataframe, labelled, maybe, reference

from transom import rows
from transom.reference import Query
from transom.semantics import (
    EveryInstant,
    Landmark,
    LandmarkEvery,
    Now,
    Partitioned,
    Rank,
    RowNum,
    RowWindow,
    SlideByTuple,
    Sliding,
    Window,
)
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

COLUMNS = {"a": "bigint", "k": "string", "x": "bigint"}
SELECT = {"start": "window_start", "end": "window_end", "n": "count(*)", "total": "sum(x)"}


def random_rows(seed: int, count: int = 60) -> list[Row]:
    """Out of order, with ties, gaps on both sides of 0, NULL keys and values off the axis."""
    rng = random.Random(seed)
    return [
        {"a": maybe(rng, rng.randrange(-60, 60), 0.05), "k": maybe(rng, rng.choice("ab")), "x": maybe(rng, rng.randrange(100))}
        for _ in range(count)
    ]


def answer(window: Window, data: list[Row], **more: str) -> list[Row]:
    return reference(Query(window=window, select={**SELECT, **more}), COLUMNS, data, order_by="a")


def assert_defined_by(spark: SparkSession, seed: int, cases: list[tuple[Window, str]], **more: str) -> None:
    """Each case is a window, and SQL over the stream `t` that gives start, end and the tuples of each extent."""
    data = random_rows(seed)
    frame, ours, theirs = dataframe(spark, COLUMNS, data), [], []
    keys = "".join(f", {name}" for name in more)
    for case, (window, extents) in enumerate(cases):
        ours += labelled(case, answer(window, data, **more))
        counted = f"SELECT {case} AS case, start, end{keys}, count(*) AS n, sum(x) AS total FROM ({extents})"
        theirs.append(spark.sql(f"{counted} GROUP BY start, end{keys}", t=frame))
    assert_same_rows(ours, collect(*theirs))


def sliding(length: int, slide: int, offset: int) -> tuple[Window, str]:
    shift = length % slide + offset
    end = f"{shift} + (w + 1) * {slide}"
    sql = f"""
        SELECT {end} - {length} AS start, {end} AS end, x
        FROM {{t}} JOIN (SELECT explode(sequence(-200L, 200L)) AS w) ON {end} - {length} <= a AND a < {end}
    """
    return Sliding(range=length, slide=slide, wattr="a", offset=offset), sql


def test_sliding_windows_on_numbers_with_gaps_too(spark: SparkSession) -> None:
    assert_defined_by(spark, 1, [sliding(10, 5, 0), sliding(10, 3, 1), sliding(3, 10, 0), sliding(7, 11, -4)])


def row_window(length: int, slide: int, counted: RowNum | Rank) -> tuple[Window, str]:
    order, where = ("arrival", "true") if counted == RowNum() else ("a, arrival", "a IS NOT NULL")
    sql = f"""
        WITH numbered AS (SELECT *, row_number() OVER (ORDER BY {order}) AS r FROM {{t}} WHERE {where})
        SELECT greatest(last.r - {length}, 0) AS start, last.r AS end, member.x
        FROM numbered AS last JOIN numbered AS member ON last.r - {length} < member.r AND member.r <= last.r
        WHERE last.r % {slide} = 0
    """
    return RowWindow(range=rows(length), slide=rows(slide), wattr=counted), sql


@pytest.mark.parametrize("counted", [RowNum(), Rank("a")], ids=str)
def test_row_windows_are_the_last_n_of_every_mth_row(spark: SparkSession, counted: RowNum | Rank) -> None:
    cases = [row_window(length, slide, counted) for length, slide in [(10, 1), (5, 5), (10, 4), (3, 7)]]
    assert_defined_by(spark, 2, cases)


def test_partitioned_row_windows_number_the_rows_of_each_partition(spark: SparkSession) -> None:
    sql = """
        WITH numbered AS (SELECT *, row_number() OVER (PARTITION BY k ORDER BY arrival) AS r FROM {t})
        SELECT greatest(last.r - 4, 0) AS start, last.r AS end, last.k, member.x
        FROM numbered AS last JOIN numbered AS member
          ON last.k <=> member.k AND last.r - 4 < member.r AND member.r <= last.r
        WHERE last.r % 3 = 0
    """
    window = Partitioned(RowWindow(range=rows(4), slide=rows(3)), ("k",))
    assert_defined_by(spark, 3, [(window, sql)], k="k")


def slide_by_tuple(length: int, slide: int, sattr: RowNum | Rank) -> tuple[Window, str]:
    count = "arrival" if sattr == RowNum() else "row_number() OVER (ORDER BY a NULLS LAST, arrival)"
    sql = f"""
        WITH counted AS (SELECT *, {count} AS r FROM {{t}}),
             ids AS (SELECT DISTINCT a AS w FROM counted WHERE r % {slide} = 0)
        SELECT w - {length} AS start, w AS end, x FROM ids JOIN {{t}} ON w - {length} < a AND a <= w
    """
    return SlideByTuple(range=length, rattr="a", slide=rows(slide), sattr=sattr), sql


def test_slide_by_tuple_is_a_window_up_to_every_distinct_value_of_the_nth_tuples(spark: SparkSession) -> None:
    cases = [(10, 1, RowNum()), (1, 1, RowNum()), (15, 4, RowNum()), (15, 4, Rank("a"))]
    assert_defined_by(spark, 4, [slide_by_tuple(*case) for case in cases])


def test_partitioned_slide_by_tuple_takes_its_ids_from_the_partition(spark: SparkSession) -> None:
    sql = """
        WITH ids AS (SELECT DISTINCT k, a AS w FROM {t})
        SELECT w - 12 AS start, w AS end, ids.k, x FROM ids JOIN {t} AS u ON ids.k <=> u.k AND w - 12 < a AND a <= w
    """
    assert_defined_by(spark, 5, [(Partitioned(SlideByTuple(range=12, rattr="a"), ("k",)), sql)], k="k")


def test_every_instant_changes_where_a_tuple_arrives_or_expires(spark: SparkSession) -> None:
    sql = """
        WITH ids AS (SELECT a AS w FROM {t} UNION SELECT a + 9 FROM {t})
        SELECT w - 9 AS start, w AS end, x FROM ids JOIN {t} ON w - 9 < a AND a <= w
    """
    assert_defined_by(spark, 6, [(EveryInstant(range=9, wattr="a"), sql)])


def test_now_is_group_by(spark: SparkSession) -> None:
    assert_defined_by(spark, 7, [(Now(wattr="a"), "SELECT a AS start, a AS end, x FROM {t} WHERE a IS NOT NULL")])


def test_landmark_every_grows_slide_by_slide_and_restarts(spark: SparkSession) -> None:
    sql = """
        SELECT floor(a / 20) * 20 AS start, explode(sequence(floor(a / 5) * 5 + 5, floor(a / 20) * 20 + 20, 5L)) AS end, x
        FROM {t}
    """
    assert_defined_by(spark, 8, [(LandmarkEvery(every=20, slide=5, wattr="a"), sql)])


def test_landmark_is_everything_since_then_at_each_slide_that_brought_something(spark: SparkSession) -> None:
    sql = """
        WITH since AS (SELECT * FROM {t} WHERE a >= -20),
             ends AS (SELECT DISTINCT -20 + (floor((a + 20) / 6) + 1) * 6 AS end FROM since)
        SELECT -20L AS start, end, x FROM ends JOIN since ON a < end
    """
    assert_defined_by(spark, 9, [(Landmark(slide=6, wattr="a", since=-20), sql)])
