"""The exact aggregates are Spark's."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

import pytest
from pyspark.sql import SparkSession
from second_opinion import TOLERANCE, Row, at, collect, dataframe, maybe, reference

from transom import days
from transom.reference import Query
from transom.semantics import tumbling
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

COLUMNS = {
    "ts": "timestamp",
    "g": "bigint",
    "i": "bigint",
    "y": "double",
    "z": "double",
    "d": "decimal",
    "s": "string",
    "p": "boolean",
    "once": "double",
}

NUMERIC = ["sum", "avg", "var_pop", "var_samp", "variance", "stddev_pop", "stddev_samp", "stddev", "median"]
ANY = ["count", "min", "max"]

OF_NUMBERS = [f"{name}({column})" for name in NUMERIC for column in "iyd" if (name, column) != ("avg", "d")]
OF_ANYTHING = [f"{name}({column})" for name in ANY for column in ("i", "y", "d", "s", "p", "ts")]
PERCENTILES = [f"percentile({column}, {place})" for column in "iyd" for place in ("0", "0.1", "0.5", "0.9", "1")]
DISTINCT = [f"count(DISTINCT {column})" for column in "iydsp"] + ["sum(DISTINCT i)", "avg(DISTINCT i)", "max(DISTINCT s)"]
OF_SEVERAL = ["count(*)", "count(i, s)", "count(DISTINCT i, s)", "corr(i, y)", "corr(y, d)", "min_by(s, once)", "max_by(i, once)"]
COMPOSED = ["max(i) - min(i)", "sum(i) / count(*)", "count(CASE WHEN i > 0 THEN 1 END)", "coalesce(sum(i), 0)", "sum(i * y)"]

OF_NAN = [f"{name}(z)" for name in [*NUMERIC, *ANY]] + [
    *(f"percentile(z, {place})" for place in ("0", "0.25", "0.5", "1")),
    "count(DISTINCT z)",
    "sum(DISTINCT z)",
    "corr(y, z)",
]

IN_ORDER = "WITHIN GROUP (ORDER BY ts, arrival)"
SPELLED_OTHERWISE = {
    "collect_set(i)": "sort_array(collect_set(i))",
    "collect_set(s)": "sort_array(collect_set(s))",
    "collect_set(z)": "sort_array(collect_set(z))",
    "listagg(s, ',')": f"listagg(s, ',') {IN_ORDER}",
    "string_agg(s, '')": f"string_agg(s, '') {IN_ORDER}",
    "listagg(s)": f"listagg(s) {IN_ORDER}",
}

EXPRESSIONS = [*OF_NUMBERS, *OF_ANYTHING, *PERCENTILES, *DISTINCT, *OF_SEVERAL, *COMPOSED, *OF_NAN, *SPELLED_OTHERWISE]


def random_groups() -> list[Row]:
    """Groups of all sizes. Group 0 has one row, group 1 only NULLs, group 2 only one value. `once` has no ties, and NaN."""
    rng = random.Random(1)
    specials = ["nan", "nan", "inf", "-0", "0"]
    rows: list[Row] = []
    for g in [0, *[1] * 4, *[2] * 5, *(rng.randrange(3, 12) for _ in range(150))]:
        odds = 1.0 if g == 1 else 0.15
        values = {
            "i": 7 if g == 2 else rng.randrange(-20, 20),
            "y": 0.1 if g == 2 else rng.choice([rng.uniform(-1e3, 1e3), rng.randrange(9) / 10]),
            "z": 0.1 if g == 2 else float("nan" if g == 3 else rng.choice([*specials[: max(0, g - 6)], *range(9)])),
            "d": Decimal(700 if g == 2 else rng.randrange(-100_000, 100_000)).scaleb(-2),
            "s": rng.choice(["a", "b", "Z", "ä", "aa", ""]),
            "p": rng.random() < 0.5,
        }
        nullable = {name: maybe(rng, value, odds) for name, value in values.items()}
        rows.append({"ts": at(rng.randrange(40)), "g": g, **nullable, "once": maybe(rng, rng.random())})
    rows += [{**rows[0], "g": 12, "z": z} for z in (1.0, 2.0, math.nan)]
    rows += [{**rows[0], "g": 13, "z": z} for z in (1.0, 2.0, math.inf)]
    first = {row["g"]: n for n, row in reversed(list(enumerate(rows)))}
    return [{**row, "once": math.nan} if first[row["g"]] == n else row for n, row in enumerate(rows)]


ROWS = random_groups()


@pytest.fixture(scope="module")
def spark_aggregates(spark: SparkSession) -> Mapping[str, list[Row]]:
    """Every expression over every group. Spark 4.3 fails on a DISTINCT beside a WITHIN GROUP, so those have their own job."""
    distinct = [text for text in EXPRESSIONS if "DISTINCT" in text]
    others = [text for text in EXPRESSIONS if text not in distinct]
    return {**_in_one_job(spark, distinct), **_in_one_job(spark, others)}


def _in_one_job(spark: SparkSession, texts: list[str]) -> dict[str, list[Row]]:
    items = ", ".join(f"{SPELLED_OTHERWISE.get(text, text)} AS c{n}" for n, text in enumerate(texts))
    rows = collect(spark.sql(f"SELECT g, {items} FROM {{t}} GROUP BY g", t=dataframe(spark, COLUMNS, ROWS)))
    return {text: [{"g": row["g"], "value": row[f"c{n}"]} for row in rows] for n, text in enumerate(texts)}


def aggregated(text: str, group_by: str = "g", rows: list[Row] = ROWS) -> list[Row]:
    query = Query(window=tumbling(days(1), "ts"), group_by=(group_by,), select={"g": group_by, "value": text})
    return reference(query, COLUMNS, rows)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_aggregate_is_that_of_spark(spark_aggregates: Mapping[str, list[Row]], text: str) -> None:
    assert_same_rows(aggregated(text), spark_aggregates[text], rel_tol=TOLERANCE)


def test_average_of_decimals_is_that_of_spark_before_it_rounds_to_four_more_digits(spark: SparkSession) -> None:
    theirs = collect(spark.sql("SELECT g, avg(d) AS value FROM {t} GROUP BY g", t=dataframe(spark, COLUMNS, ROWS)))
    digits = Decimal("1e-6")
    ours = [{**row, "value": row["value"] and row["value"].quantize(digits, ROUND_HALF_UP)} for row in aggregated("avg(d)")]
    assert_same_rows(ours, theirs)


@pytest.mark.parametrize("text", ["sum(y)", "avg(y)"])
def test_doubles_that_overflow_on_the_way_give_what_they_give_in_spark(spark: SparkSession, text: str) -> None:
    rows = [{**ROWS[0], "y": y} for y in (1e308, 1e308)]
    theirs = collect(spark.sql(f"SELECT g, {text} AS value FROM {{t}} GROUP BY g", t=dataframe(spark, COLUMNS, rows)))
    assert_same_rows(aggregated(text, rows=rows), theirs)


def test_null_and_nan_are_groups_and_the_two_zeros_are_one(spark: SparkSession) -> None:
    theirs = collect(spark.sql("SELECT z AS g, count(*) AS value FROM {t} GROUP BY z", t=dataframe(spark, COLUMNS, ROWS)))
    assert_same_rows(aggregated("count(*)", group_by="z"), theirs)
