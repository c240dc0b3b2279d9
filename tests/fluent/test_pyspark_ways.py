"""What PySpark users write: lists, lengths in several forms, odd names, window columns in groups; or a named error."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import transom as tr
from transom.errors import (
    BadFrame,
    BadQuery,
    ConflictingClauses,
    MissingClause,
    NotACondition,
    NotALength,
    TransomError,
    UnknownClause,
    UnknownColumn,
)
from transom.fluent import functions
from transom.planner.aggregate_calls import NAMES, aggregates_of

COLUMNS = {"k": "STRING", "a b": "INT", "a-b": "INT", "a": "INT", "b": "INT", "n": "INT", "v": "DOUBLE", "ts": "TIMESTAMP"}
T = tr.stream(COLUMNS, order_by="ts", name="t")
W = T.window(tumble=tr.minutes(5))
Q = W.group_by("k").agg(c=tr.count())
WINDOW = "t [RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts]"

SAME: dict[str, tuple[Callable[[], tr.Relation], Callable[[], tr.Relation]]] = {
    "list of keys": (lambda: W.group_by(["k", "n"]).agg(c=tr.count()), lambda: W.group_by("k", "n").agg(c=tr.count())),
    "groupBy": (lambda: W.groupBy("k").agg(c=tr.count()), lambda: W.group_by("k").agg(c=tr.count())),
    "timedelta": (lambda: T.window(tumble=timedelta(minutes=5)), lambda: W),
    "text": (lambda: T.window(tumble="5 minutes"), lambda: W),
    "constructor": (lambda: T.window(tr.tumbling("5 minutes")), lambda: W),
    "constructor and keyword": (
        lambda: T.window(tr.tumbling("5 minutes"), pattr="k"),
        lambda: T.window(tumble="5 minutes", pattr="k"),
    ),
    "rows in text": (
        lambda: T.window(range="100 rows", slide="10 rows"),
        lambda: T.window(range=tr.rows(100), slide=tr.rows(10)),
    ),
    "slack": (lambda: W.tolerate(slack=timedelta(seconds=3)), lambda: W.tolerate(slack=tr.seconds(3))),
    "over": (
        lambda: T.select(s=tr.sum("v").over(preceding="5 minutes")),
        lambda: T.select(s=tr.sum("v").over(preceding=tr.minutes(5))),
    ),
    "over rows, with and without the current one": (
        lambda: T.select(s=tr.sum("v").over(range=tr.rows(50))),
        lambda: T.select(s=tr.sum("v").over(preceding="49 rows")),
    ),
    "over rows in SQL": (
        lambda: T.select(s=tr.sum("v").over(range="50 rows", partition_by="k")),
        lambda: tr.sql("SELECT sum(v) OVER (PARTITION BY k ROWS 49 PRECEDING) AS s FROM t", t=T),
    ),
    "over with state that grows": (
        lambda: T.select(s=tr.collect_list("v").over(unbounded="rows", unbounded_state=True)),
        lambda: tr.sql("SELECT collect_list(v) OVER (ROWS UNBOUNDED PRECEDING UNBOUNDED STATE) AS s FROM t", t=T),
    ),
    "an interval as Spark writes it": (lambda: T.window(tumble="INTERVAL '5' MINUTE"), lambda: W),
    "an interval in small letters": (lambda: T.window(tumble="interval 5 minutes"), lambda: W),
    "a length of NumPy": (lambda: T.window(tumble=np.timedelta64(5, "m")), lambda: W),  # type: ignore[arg-type]
    "a number of NumPy": (lambda: T.window(tumble=np.int64(5), wattr="n"), lambda: T.window(tumble=5, wattr="n")),
    "a list to select": (lambda: T.select(["k", "v"]), lambda: T.select("k", "v")),
    "a list to order by": (lambda: Q.order_by(["c", "k"], ascending=False), lambda: Q.order_by("c DESC", "k DESC")),
    "each its own way": (lambda: Q.order_by("c", "k", ascending=[False, True]), lambda: Q.order_by("c DESC", "k")),
    "TIMESTAMP MIN": (
        lambda: T.window(tumble="5 minutes", timestamp="min").agg(c=tr.count()),
        lambda: tr.sql("SELECT count(*) AS c FROM t [TUMBLE 5 MINUTES] TIMESTAMP MIN", t=T),
    ),
    "UNBOUNDED STATE": (
        lambda: T.window(tr.landmark("5 minutes"), unbounded_state=True).select("v"),
        lambda: tr.sql("SELECT v FROM t [LANDMARK SLIDE 5 MINUTES UNBOUNDED STATE]", t=T),
    ),
    "alias": (lambda: W.agg(tr.max("v").alias("hi")), lambda: W.agg(hi=tr.max("v"))),
    "arithmetic": (
        lambda: W.agg(m=tr.sum("a b") / tr.count(), r=100 - tr.max("v") * 2),
        lambda: W.agg(m="(sum(`a b`)) / (count(*))", r="(100) - ((max(v)) * (2))"),
    ),
    "filter": (lambda: T.filter("v > 1"), lambda: T.where("v > 1")),
    "a stream's slack": (
        lambda: tr.stream(COLUMNS, order_by="ts", slack="10 seconds", idle_after="1 minute", ahead=timedelta(hours=1)),
        lambda: tr.stream(COLUMNS, order_by="ts", slack=tr.seconds(10), idle_after=tr.minutes(1), ahead=tr.hours(1)),
    ),
}


@pytest.mark.parametrize("what", SAME)
def test_the_same_plan(what: str) -> None:
    one, other = SAME[what]
    assert one().plan == other().plan


def test_a_name_that_is_a_column_is_that_column() -> None:
    asked = W.group_by("a b").agg(hi=tr.max("a b"), m=tr.max("a-b"), e=tr.max("a - b"), c="max(`a b`)")
    assert asked.sql().startswith(
        "SELECT `a b` AS `a b`, MAX(`a b`) AS hi, MAX(`a-b`) AS m, MAX(a - b) AS e, MAX(`a b`) AS c FROM t"
    )
    assert "MAX(`a-b`) OVER" in T.select(m=tr.max("a-b").over(range=tr.rows(4))).sql()
    assert T.select(x="a b").sql() == "SELECT `a b` AS x FROM t"


def test_fields_of_structs_are_groups() -> None:
    nested = tr.stream({"at": "STRUCT<city: STRING, zip: INT>", "ts": "TIMESTAMP"}, order_by="ts", name="s")
    asked = nested.window(tumble="5 minutes").group_by("at.city").agg(n=tr.count())
    assert asked.columns == ["city", "n"]
    assert asked.sql().startswith("SELECT at['city'] AS city, COUNT(*) AS n")


def test_a_script_may_begin_with_a_byte_order_mark() -> None:
    assert tr.sql("\ufeffSELECT k FROM t", t=T).sql() == "SELECT k FROM t"


def test_an_order_has_a_direction() -> None:
    q = W.group_by("a b").agg(hi=tr.max("v"))
    in_sql = tr.sql("SELECT `a b`, max(v) AS hi FROM t [TUMBLE 5 MINUTES] GROUP BY `a b` ORDER BY hi DESC, `a b`", t=T)
    assert q.order_by("hi DESC", "a b").plan == in_sql.plan
    with pytest.raises(UnknownColumn):
        q.order_by("ho DESC")


def test_window_columns_make_no_groups() -> None:
    asked = f"SELECT k, window_end, COUNT(*) AS c FROM {WINDOW} GROUP BY k"
    assert W.group_by("k", "window_end").agg(c=tr.count()).sql() == asked
    in_sql = tr.sql("SELECT k, window_end, count(*) AS c FROM t [TUMBLE 5 MINUTES] GROUP BY k, window_end", t=T)
    assert in_sql.sql() == asked
    assert W.group_by("window_end").agg(c=tr.count()).plan.keys == ()


def test_a_result_has_the_columns_that_are_named() -> None:
    bounds = ("window_start", "window_end", "wid", "event_ts")
    in_sql = tr.sql(f"SELECT k, {', '.join(bounds)}, count(*) AS c FROM t [TUMBLE 5 MINUTES] GROUP BY k", t=T)
    assert W.group_by("k").agg(*bounds, c=tr.count()).plan == in_sql.plan
    assert in_sql.columns == ["k", *bounds, "c"]
    without = tr.sql("SELECT k, count(*) AS c FROM t [TUMBLE 5 MINUTES] GROUP BY k", t=T)
    assert W.group_by("k").agg(c=tr.count()).columns == without.columns == ["k", "c"]


REFUSED: dict[str, tuple[Callable[[], Any], type[TransomError], str]] = {
    "one name, two columns": (lambda: W.group_by("n").agg("n", n=tr.count()), BadQuery, "two columns are called 'n'"),
    "a key again": (lambda: W.group_by("k").agg("k", c=tr.count()), BadQuery, "two columns are called 'k'"),
    "a selected name again": (lambda: T.select("v", v="v * 2"), BadQuery, "two columns are called 'v'"),
    "no name": (lambda: W.agg(tr.count()), BadQuery, "is given a name"),
    "a number for a column": (lambda: W.agg(c=3), BadQuery, "an expression is"),  # type: ignore[arg-type]
    "an odd name that is none": (lambda: W.agg(c=tr.max("c d")), UnknownColumn, "c d"),
    "no length": (lambda: T.window(tumble=[5]), NotALength, "tumble is a length"),  # type: ignore[arg-type]
    "no length in text": (lambda: T.window(tumble="five"), NotALength, "tumble is a length"),
    "misspelt": (lambda: T.window(tumbel="5 minutes"), UnknownClause, "tumbel"),  # type: ignore[arg-type]
    "twice": (lambda: T.window(tr.tumbling("5 minutes"), tumble="1 minute"), ConflictingClauses, "given twice"),
    "no window": (lambda: T.window("5 minutes"), ConflictingClauses, "by one of the constructors"),  # type: ignore[arg-type]
    "rows, which counted from the current one": (
        lambda: tr.sum("v").over(rows=49),  # type: ignore[arg-type]
        UnknownClause,
        "range=rows",
    ),
    "a range of time over a frame": (lambda: tr.sum("v").over(range="5 minutes"), BadFrame, "preceding='5 minutes'"),
    "no rows": (lambda: tr.sum("v").over(range=tr.rows(0)), BadFrame, "the current row at least"),
    "two aggregates over one frame": (
        lambda: T.select(x=tr.expr("sum(v) + max(v)").over(range=tr.rows(2))),
        BadFrame,
        "2 aggregates",
    ),
    "none over a frame": (lambda: T.select(x=tr.expr("v").over(range=tr.rows(2))), BadFrame, "0 aggregates"),
    "a window as Spark's function": (
        lambda: T.window("ts", "5 minutes"),  # type: ignore[arg-type]
        ConflictingClauses,
        "tumbling",
    ),
    "no condition": (lambda: T.where("v + 1"), NotACondition, "is a condition, and this is DOUBLE"),
    "no condition of groups": (
        lambda: tr.sql("SELECT k, count(*) AS c FROM t [TUMBLE 5 MINUTES] GROUP BY k HAVING c + 1", t=T),
        NotACondition,
        "HAVING is a condition",
    ),
    "no condition in a bracket": (lambda: T.window(tumble="5 minutes", where="v"), NotACondition, "DOUBLE"),
    "two directions": (lambda: Q.order_by("c DESC", ascending=False), BadQuery, "one direction"),
    "as of a time that is not known": (
        lambda: tr.stream({"a": "INT"}, name="x").asof_join(T, on="a"),
        MissingClause,
        "an as-of join needs to know",
    ),
    "a timestamp that is none": (lambda: T.window(tumble="5 minutes", timestamp="mid"), UnknownClause, "smallest or largest"),
    "a key that is a number": (lambda: W.group_by(3), BadQuery, "given by name"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_name(what: str) -> None:
    act, kind, words = REFUSED[what]
    with pytest.raises(kind, match=words):
        act()


TAKES_TWO = ("corr", "covar_pop", "covar_samp", "max_by", "min_by")
WITH_CONSTANT = {"percentile": 0.5, "approx_percentile": 0.5, "percentile_approx": 0.5}


def test_every_aggregate_of_the_planner_is_a_function() -> None:
    """And every function is an aggregate that the planner knows."""
    made = set()
    for name in functions.AGGREGATES:
        function = getattr(tr, name)
        more = ["n"] if name in TAKES_TWO else [WITH_CONSTANT[name]] if name in WITH_CONSTANT else []
        found = aggregates_of(function("v", *more).expression)
        assert len(found) == 1, name
        made.add(found[0].call.function)
        assert inspect.getdoc(function), name
    assert made == set(NAMES.values())


def test_a_spec_shows_what_was_said() -> None:
    assert repr(tr.sliding("5 minutes", "1 minute", pattr="k")) == "WindowSpec(range='5 minutes', slide='1 minute', pattr='k')"
    assert dataclasses.is_dataclass(tr.WindowSpec)


def test_a_column_of_one_input_is_selected_under_its_own_name() -> None:
    """As in SQL and PySpark; of two of one name each keeps its relation."""
    other = tr.stream(COLUMNS, order_by="ts", name="u").alias("u")
    joined = T.alias("t").join(other, on="t.k = u.k AND u.ts BETWEEN t.ts AND t.ts + INTERVAL 1 HOUR")
    assert joined.select("t.n").schema.names == ["n"]
    assert joined.select("t.n", "u.n").schema.names == ["t.n", "u.n"]
