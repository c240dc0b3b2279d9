"""Scalar expressions have the values they have in Spark."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from decimal import Decimal

import pytest
from pyspark.errors import ArithmeticException
from pyspark.sql import SparkSession
from second_opinion import TOLERANCE, Row, at, collect, dataframe, maybe, reference

from transom import days
from transom.errors import BadExpression
from transom.reference import Query
from transom.semantics import tumbling
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

COLUMNS = {
    "id": "bigint",
    "ts": "timestamp",
    "u": "timestamp",
    "i": "bigint",
    "j": "bigint",
    "n": "bigint",
    "zero": "bigint",
    "big": "bigint",
    "x": "double",
    "y": "double",
    "z": "double",
    "d": "decimal",
    "e": "decimal",
    "s": "string",
    "p": "boolean",
    "q": "boolean",
}

ARITHMETIC = [
    *("i + j", "i - j", "i * j", "i / j", "i % j", "-i", "abs(i)", "i / 4", "7 % j", "2 * (i - 3) % 5", "big % j", "big / j"),
    *("x + y", "x - y", "x * y", "x / y", "x % y", "-x", "abs(x)", "x % 0.1", "x + 1.5", "x + 1.5e0", "i + x", "i / y"),
    *("d + e", "d - e", "d * e", "d / e", "d % e", "-d", "abs(d)", "i + d", "d * x", "d + 1", "i * 1.5", "d * 0.25"),
]
LOGIC = [
    *("p AND q", "p OR q", "NOT p", "p AND NOT q OR q", "NOT (p OR q)", "NULL AND p", "NULL OR p", "i > 0 AND x < 0.5"),
    *("p = q", "p <=> q", "p IS NULL", "p IS NOT NULL", "p IS TRUE", "p IS NOT TRUE", "p IS FALSE", "p IS NOT DISTINCT FROM q"),
    *("zero <> 0 AND i / zero > 1", "zero = 0 OR i / zero > 1"),
]
COMPARISON = [
    *("i < n", "i <= n", "i > n", "i >= n", "i = n", "i <> n", "i <=> n", "i = 1.0", "i < x", "d < x", "d = e", "d > 1.5"),
    *("x = 0.1", "x <> 0.1", "x < 0.3", "x <=> 0.1", "NULL = NULL", "NULL <=> n", "s < 'b'", "s = upper(s)", "s >= lower(s)"),
    *("ts < u", "ts = u", "ts - u", "ts + INTERVAL 5 MINUTES > u", "ts - INTERVAL '5' MINUTES <= u"),
    "ts >= TIMESTAMP '1970-01-01 00:01:00'",
]
OF_NAN = ["z = z", "z = y", "z <> z", "z > 3", "z >= z", "z < 3", "z <=> z", "z IN (z, 1)", "z BETWEEN 0 AND z", "-z", "abs(z)"]
MEMBERSHIP = [
    *("i IN (1, 2, 3)", "i IN (1, 2, NULL)", "i NOT IN (1, 2, NULL)", "i NOT IN (1, 2)", "i IN (j, 3)", "i IN (n, 3)"),
    *("s IN ('a', 'b')", "s NOT IN ('a', NULL)", "x IN (0.1, 0.5)", "x NOT IN (0.1, 0.5)", "d IN (1.5, 2)", "i IN (1.0, 2.5)"),
    *("i BETWEEN -5 AND 5", "i NOT BETWEEN -5 AND 5", "i BETWEEN j AND 10", "x BETWEEN 0.1 AND 0.5", "s BETWEEN 'a' AND 'b'"),
    *("i BETWEEN n AND 2", "i NOT BETWEEN n AND 2", "i BETWEEN -2 AND NULL"),
]
CHOICE = [
    "CASE WHEN i > 0 THEN 'above' WHEN i < 0 THEN 'below' END",
    "CASE WHEN i > n THEN i ELSE n END",
    "CASE i WHEN 1 THEN 'one' WHEN NULL THEN 'null' ELSE 'other' END",
    "CASE WHEN zero <> 0 THEN i / zero END",
    *("if(p, i, j)", "coalesce(i, n, 0)", "coalesce(n, i)", "ifnull(n, -1)", "coalesce(NULL, s)"),
]
FUNCTIONS = ["upper(s)", "lower(s)", "hour(ts)", "minute(ts)", "hour(u)", "minute(u)"]
CASTS = [
    *("CAST(i AS DOUBLE)", "CAST(x AS BIGINT)", "CAST(y AS INT)", "CAST(-y AS BIGINT)", "CAST(d AS DOUBLE)", "CAST(d AS BIGINT)"),
    *("CAST(i AS STRING)", "CAST(d AS STRING)", "CAST(p AS INT)", "CAST(p AS DOUBLE)", "CAST(s AS STRING)", "CAST(i AS INT)"),
    *("CAST('12' AS BIGINT)", "CAST(' -12 ' AS INT)", "CAST(' 3.5 ' AS DOUBLE)", "CAST('1e3' AS DOUBLE)", "CAST(NULL AS INT)"),
    *("CAST('1970-01-01 14:05:00' AS TIMESTAMP)", "CAST('2026-01-31T14:05:00.5+02:00' AS TIMESTAMP)", "CAST(ts AS TIMESTAMP)"),
    *("CAST(p AS STRING)", "CAST(ts AS BIGINT)"),
    *("TRY_CAST(s AS BIGINT)", "TRY_CAST('7' AS BIGINT)"),
]

EXPRESSIONS = [*ARITHMETIC, *LOGIC, *COMPARISON, *OF_NAN, *MEMBERSHIP, *CHOICE, *FUNCTIONS, *CASTS]


def random_rows(count: int = 120) -> list[Row]:
    """Every column with NULLs and many equal values, `j`, `y` and `e` without zeros."""
    rng = random.Random(1)
    rows: list[Row] = []
    for n in range(count):
        values = {
            "u": at(rng.randrange(-300, 300) * 1_000_000),
            "i": rng.randrange(-6, 7),
            "j": rng.choice([-7, -3, -1, 1, 2, 5]),
            "n": rng.randrange(-3, 4),
            "zero": rng.randrange(0, 2),
            "big": rng.randrange(-(2**62), 2**62),
            "x": rng.randrange(-9, 10) / 10,
            "y": rng.choice([-1, 1]) * rng.uniform(0.01, 40),
            "z": rng.choice([math.nan, math.nan, math.inf, -math.inf, 1.0, 5.0]),
            "d": Decimal(rng.randrange(-400, 400)).scaleb(-2),
            "e": Decimal(rng.choice([-125, -50, 5, 150, 333])).scaleb(-2),
            "s": rng.choice(["a", "A", "b", "Bé", "12", ""]),
            "p": rng.random() < 0.5,
            "q": rng.random() < 0.5,
        }
        rows.append(
            {"id": n, "ts": at(rng.randrange(-300, 300) * 1_000_000), **{k: maybe(rng, v, 0.2) for k, v in values.items()}}
        )
    return rows


ROWS = random_rows()


@pytest.fixture(scope="module")
def spark_values(spark: SparkSession) -> Mapping[str, list[Row]]:
    """Every expression over every row, in one job."""
    items = [f"{text} AS c{n}" for n, text in enumerate(EXPRESSIONS)]
    rows = collect(dataframe(spark, COLUMNS, ROWS).selectExpr("id", *items))
    return {text: [{"id": row["id"], "value": row[f"c{n}"]} for row in rows] for n, text in enumerate(EXPRESSIONS)}


def our_values(text: str, rows: list[Row] = ROWS) -> list[Row]:
    query = Query(window=tumbling(days(1), "ts"), select={"id": "id", "value": text})
    return reference(query, COLUMNS, rows)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression_has_the_value_it_has_in_spark(spark_values: Mapping[str, list[Row]], text: str) -> None:
    assert_same_rows(our_values(text), spark_values[text], rel_tol=TOLERANCE)


@pytest.mark.parametrize("text", ["i / zero", "i % zero", "x / zero", "d / zero"])
def test_division_by_zero_is_refused_here_and_in_spark(spark: SparkSession, text: str) -> None:
    rows = [{**ROWS[0], "i": 1, "x": 1.0, "d": Decimal(1), "zero": 0}]
    with pytest.raises(BadExpression, match="division by zero"):
        our_values(text, rows)
    with pytest.raises(ArithmeticException, match="BY_ZERO"):
        dataframe(spark, COLUMNS, rows).selectExpr(text).collect()
