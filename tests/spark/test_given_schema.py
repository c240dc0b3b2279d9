"""A schema that is given: types that are worked out without Spark are those that Spark finds, or none."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

import transom as tr
from transom.errors import BadQuery, ConflictingClauses, UnknownType
from transom.plan.expression import Expression
from transom.planner.aggregate_calls import aggregates_of
from transom.planner.types.result_types import result_type
from transom.spark.frames.given.given_columns import type_of
from transom.spark.frames.given.given_frame import FORBIDDEN
from transom.spark.frames.mapped import _checked
from transom.spark.frames.spark_types import spark_type
from transom.spark.frames.types import arrow_of

COLUMNS = {
    **{"k": "STRING", "v": "DOUBLE", "i": "INT", "b": "BIGINT", "f": "FLOAT", "d": "DECIMAL(10, 2)", "ts": "TIMESTAMP"},
    **{"n": "TIMESTAMP_NTZ", "day": "DATE", "yes": "BOOLEAN", "a": "ARRAY<INT>", "r": "STRUCT<x: INT, y: STRING>"},
}
DDL = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
TYPES = {name: spark_type(kind) for name, kind in COLUMNS.items()}

SCALARS = (
    *("k", "v + 1", "i + b", "i / b", "i * v", "upper(k)", "k || 'x'", "coalesce(i, b)", "length(k)", "i > 1", "k = 'a'", "-i"),
    *("CASE WHEN i > 1 THEN 1 ELSE 0 END", "CAST(d * 2 AS DECIMAL(12, 3))", "d * 2", "d + d", "a[0]", "r.x", "hour(ts)", "i % 7"),
    *("ts + INTERVAL 1 HOUR", "date_trunc('hour', ts)", "timestamp_seconds(b)", "abs(v)", "CAST(i AS DOUBLE)", "day", "n", "yes"),
)
AGGREGATES = (
    *("sum(i)", "sum(b)", "sum(f)", "sum(v)", "sum(d)", "avg(i)", "avg(d)", "avg(v)", "min(d)", "max(ts)", "max(k)", "count(*)"),
    *(
        "count(DISTINCT k)",
        "count_if(yes)",
        "stddev(v)",
        "var_pop(i)",
        "corr(v, f)",
        "first(day)",
        "last(n)",
        "mode(k)",
        "median(i)",
    ),
    *(
        "collect_list(i)",
        "collect_set(k)",
        "bool_and(yes)",
        "min_by(k, v)",
        "max_by(d, ts)",
        "approx_count_distinct(k)",
        "sum(i * 2)",
    ),
)


@pytest.mark.spark
def test_types_are_those_that_spark_finds(spark: SparkSession) -> None:
    frame = spark.createDataFrame([], DDL)
    unknown = []
    for text in SCALARS:
        made = type_of(text, TYPES)
        unknown += [text] if made is None else []
        assert made is None or made == frame.select(sf.expr(text).alias("y")).schema["y"].dataType, text
    assert len(unknown) <= 6, unknown
    for text in AGGREGATES:
        (call,) = aggregates_of(Expression.of(text))
        args = [arrow_of(kind) for one in call.args if (kind := type_of(one, TYPES)) is not None]
        assert result_type(call.call, args) == arrow_of(frame.select(sf.expr(text).alias("y")).schema["y"].dataType), text


@pytest.mark.spark
@pytest.mark.classic
def test_a_classic_session_compares_the_schema(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("a", 1.0)], "k STRING, v DOUBLE")
    assert tr.stream(frame, schema="v DOUBLE").columns == ["v"]
    with pytest.raises(BadQuery, match="not that of the DataFrame"):
        tr.stream(frame, schema="v INT")
    with pytest.raises(BadQuery, match="not that of the DataFrame"):
        tr.stream(frame, schema={"speed": "DOUBLE"})


@pytest.mark.parametrize("schema", ["k", "", "k NOTHING", "k STRING) SOURCE FILE 'x'; SELECT (1"])
def test_what_is_no_schema_is_refused(schema: str) -> None:
    with pytest.raises(tr.TransomError):
        tr.stream(_Frame(), schema=schema)


def test_columns_are_not_given_twice() -> None:
    with pytest.raises(ConflictingClauses):
        tr.stream({"k": "STRING"}, schema="k STRING")


class _Frame:
    """A DataFrame inside of a pipeline."""

    @property
    def dtypes(self) -> list[tuple[str, str]]:
        raise RuntimeError(f"[{FORBIDDEN}] Operations that trigger DataFrame analysis ...")


def test_where_spark_may_not_be_asked_the_error_says_so() -> None:
    with pytest.raises(BadQuery, match="schema") as error:
        tr.stream(_Frame())
    assert "schema=" in error.value.remedy


def test_what_arrives_is_compared_with_the_schema() -> None:
    types: dict[str, Any] = {"x0": pa.float64(), "__value": pa.timestamp("us", "UTC")}
    right = pa.RecordBatch.from_pydict({"x0": [1.0], "__value": pa.array([0], pa.timestamp("us", "Europe/Berlin"))})
    assert _checked(right, types) is right
    with pytest.raises(BadQuery, match="schema="):
        _checked(pa.RecordBatch.from_pydict({"x0": [1]}), types)
    with pytest.raises(BadQuery, match="schema="):
        _checked(pa.RecordBatch.from_pydict({"__value": pa.array([0], pa.timestamp("us"))}), types)


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(UnknownType):
        tr.stream(_Frame(), schema={"k": "NOTHING"})
