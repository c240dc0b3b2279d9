"""Functions that are not there are refused by name; Spark's other names of aggregates are known."""

from __future__ import annotations

import pytest

from transom.errors import BadQuery, NotSupported, TransomError, UnknownFunction
from transom.fluent import stream
from transom.language import Catalog, bind_script
from transom.plan.types.spark_functions import AGGREGATES, FUNCTIONS
from transom.semantics.time import minutes

STREAM = "CREATE STREAM s (id BIGINT, k STRING, v DOUBLE, ts TIMESTAMP) ORDER BY ts;\n"


def refused(sql: str, *, spark_alone: bool = False) -> TransomError:
    with pytest.raises(TransomError) as caught:
        bind_script(STREAM + sql, Catalog(spark_alone=spark_alone))
    return caught.value


def underlined(error: TransomError) -> str:
    assert error.span is not None
    return error.span.text[error.span.start : error.span.end]


@pytest.mark.parametrize(
    "call", ["try_sum(v)", "regr_slope(v, id)", "bit_and(id)", "histogram_numeric(v, 5)", "hll_sketch_agg(k)"]
)
@pytest.mark.parametrize(
    "query", ["SELECT k, {} AS x FROM s [TUMBLE 5 MINUTES] GROUP BY k", "SELECT {} AS x FROM s [TUMBLE 5 MINUTES]"]
)
def test_an_aggregate_of_sparks_that_is_missing_is_named(call: str, query: str) -> None:
    error = refused(query.format(call))
    assert isinstance(error, NotSupported)
    assert f"the aggregate {call.partition('(')[0]} is not supported" in str(error)
    assert "stddev_samp" in (error.exists or [])
    assert underlined(error).startswith(call.partition("(")[0])


def test_it_is_named_in_python_too() -> None:
    with pytest.raises(NotSupported, match="the aggregate try_sum is not supported"):
        stream({"v": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts").window(tumble=minutes(5)).agg(x="try_sum(v)")


def test_a_ranking_function_is_named() -> None:
    error = refused("SELECT lag(v) OVER (ORDER BY ts ROWS 1 PRECEDING) AS x FROM s")
    assert isinstance(error, NotSupported)
    assert "lag" in error.problem


def test_a_discrete_percentile_is_no_approximate_one() -> None:
    error = refused("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY v) AS x FROM s [TUMBLE 5 MINUTES]")
    assert isinstance(error, NotSupported)


def test_a_misspelt_aggregate_is_told_from_a_column_that_is_not_grouped() -> None:
    error = refused("SELECT k, summ(v) AS x FROM s [TUMBLE 5 MINUTES] GROUP BY k")
    assert isinstance(error, UnknownFunction)
    assert error.remedy == "did you mean 'sum'?"
    assert underlined(error).startswith("summ(v")
    assert isinstance(refused("SELECT k, upper(k) || v AS x, sum(v) FROM s [TUMBLE 5 MINUTES] GROUP BY k"), BadQuery)


def test_an_unknown_function_is_refused_where_no_session_can_have_added_it() -> None:
    sql = "SELECT uper(k) AS x FROM s"
    error = refused(sql, spark_alone=True)
    assert isinstance(error, UnknownFunction)
    assert error.remedy == "did you mean 'upper'?"
    bind_script(STREAM + sql)


def test_functions_of_spark_and_of_a_schema_are_known() -> None:
    sql = "SELECT upper(k) AS x, timestampadd(DAY, 1, ts) AS y, xxhash64(k) AS z, bigint(v) AS w FROM s"
    bind_script(STREAM + sql, Catalog(spark_alone=True))
    assert AGGREGATES < FUNCTIONS


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mean(v)", "avg(v)"),
        ("std(v)", "stddev_samp(v)"),
        ("every(v > 1)", "bool_and(v > 1)"),
        ("some(v > 1)", "bool_or(v > 1)"),
        ("any(v > 1)", "bool_or(v > 1)"),
        ("percentile_cont(0.9) WITHIN GROUP (ORDER BY v)", "percentile(v, 0.9)"),
        ("percentile_cont(0.9) WITHIN GROUP (ORDER BY v DESC)", "percentile(v, 0.1)"),
    ],
)
def test_other_names_of_an_aggregate(written: str, meant: str) -> None:
    query = "SELECT k, {} AS x FROM s [TUMBLE 5 MINUTES] GROUP BY k"
    one, other = (bind_script(STREAM + query.format(call)).queries for call in (written, meant))
    assert one == other


@pytest.mark.parametrize("group", ["ROLLUP(k)", "CUBE(k, id)", "GROUPING SETS ((k), ())", "k WITH ROLLUP"])
def test_groupings_within_an_extent_are_refused_by_name(group: str) -> None:
    error = refused(f"SELECT k, sum(v) AS x FROM s [TUMBLE 5 MINUTES] GROUP BY {group}")
    assert isinstance(error, NotSupported)
    assert error.problem.split(" is ")[0] in group
