"""Calls that make no sense are refused by name where they are made, and none is taken in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import transom as tr
from transom import errors

COLUMNS = {"k": "STRING", "v": "DOUBLE", "ts": "TIMESTAMP", "at": "STRUCT<v: INT, in: STRUCT<c: INT>>"}
T: Any = tr.stream(COLUMNS, order_by="ts", name="t")
W: Any = T.window(tumble="5 minutes")
Q: Any = W.group_by("k").agg(n=tr.count())
A: Any = tr
V: Any = tr.stream(COLUMNS, order_by="ts", name="u").window(tumble="5 minutes")
N: Any = tr.stream({"k": "BIGINT", "ts": "TIMESTAMP"}, order_by="ts", name="n")
M: Any = tr.stream({"m": "MAP<STRING, INT>", "ts": "TIMESTAMP"}, order_by="ts", name="m").window(tumble="5 minutes")

REFUSED: dict[str, tuple[Callable[[], Any], type[errors.TransomError], str]] = {
    "no DataFrame": (lambda: A.stream(None), errors.BadQuery, "made of a DataFrame"),
    "a list": (lambda: A.stream([1, 2]), errors.BadQuery, "made of a DataFrame"),
    "no columns": (lambda: A.stream({}), errors.BadQuery, "has columns"),
    "a column without a name": (lambda: A.stream({"": "INT"}), errors.BadQuery, "has columns"),
    "a column called by a number": (lambda: A.stream({1: "INT"}), errors.BadQuery, "has columns"),
    "no type": (lambda: A.stream({"k": "STRNG"}), errors.UnknownType, "STRNG"),
    "two types": (lambda: A.stream({"k": "INT, v INT"}), errors.UnknownType, "no type"),
    "a type that is none": (lambda: A.stream({"k": None}), errors.UnknownType, "None"),
    "one name in two cases": (lambda: A.stream({"k": "INT", "K": "STRING"}), errors.BadQuery, "two columns are called"),
    "a stream without a name": (lambda: A.stream(COLUMNS, name=""), errors.BadQuery, "has a name"),
    "a name that is None": (lambda: A.stream(COLUMNS, name=None), errors.BadQuery, "has a name"),
    "ordered by nothing": (lambda: A.stream(COLUMNS, order_by="ts", ordered=[]), errors.BadQuery, "ordered=True"),
    "substreams as text": (
        lambda: A.stream(COLUMNS, order_by="ts", punctuation=(["k", "ts"], "v > 1"), substreams="ab"),
        errors.BadQuery,
        "list of values",
    ),
    "a length of zero": (lambda: T.window(tumble=0), errors.NotPositive, "greater than zero"),
    "a constructor without a length": (lambda: A.tumbling(None), errors.MissingClause, "tumble=None"),
    "a constructor with a word": (lambda: A.tumbling("banana"), errors.NotALength, "banana"),
    "a point as text": (lambda: T.window(tumble="5 minutes", origin="2026-01-01"), errors.NotALength, "datetime"),
    "a timestamp that is a number": (lambda: T.window(tumble="5 minutes", timestamp=3), errors.UnknownClause, "min, max"),
    "state as text": (lambda: T.window(tumble="5 minutes", unbounded_state="yes"), errors.BadCall, "True or False"),
    "nothing aggregated": (lambda: W.agg(), errors.BadQuery, "nothing is aggregated"),
    "nothing selected": (lambda: T.select(), errors.BadQuery, "nothing is selected"),
    "an empty list selected": (lambda: T.select([]), errors.BadQuery, "nothing is selected"),
    "computed without a name": (lambda: T.select("v * 2 AS d"), errors.BadQuery, "name='v \\* 2'"),
    "aggregates that nest": (lambda: W.agg(x=A.max("max(v)")), errors.BadQuery, "do not nest"),
    "a qualifier that is nothing": (lambda: T.where("zz.v > 1"), errors.UnknownColumn, "no relation 'zz'"),
    "a field that there is not": (lambda: W.agg(x=A.max("at.zz")), errors.UnknownColumn, "no field 'zz'"),
    "a field of a number": (lambda: T.where("v.x > 1"), errors.UnknownColumn, "no fields"),
    "a group that is None": (lambda: W.group_by(None), errors.BadQuery, "given by name"),
    "groups of all columns": (lambda: W.group_by("*"), errors.BadQuery, "by name"),
    "ordered by no column": (lambda: Q.order_by(), errors.BadQuery, "ordered by something"),
    "ordered by a number": (lambda: Q.order_by("3"), errors.BadQuery, "ordered by columns"),
    "a limit as text": (lambda: Q.order_by("n").limit("3"), errors.BadQuery, "number of rows"),
    "a limit that is true": (lambda: Q.order_by("n").limit(True), errors.BadQuery, "number of rows"),
    "a union of one": (lambda: T.union(), errors.BadQuery, "two or more"),
    "a union with a number": (lambda: T.union(3), errors.BadQuery, "Transom's"),
    "an intersection with None": (lambda: W.select("v").intersect(None), errors.BadQuery, "Transom's"),
    "an as-of join with None": (lambda: T.asof_join(None, on="k"), errors.BadQuery, "Transom's"),
    "together with a number": (lambda: A.together(Q, 3), errors.BadQuery, "Transom's"),
    "no builder": (lambda: A.tune(None), errors.BadCall, "is a builder of sessions"),
    "no session to look at": (lambda: A.doctor(None), errors.BadCall, "is a Spark session"),
    "a session that is a number": (lambda: Q.to_df(spark=3), errors.BadCall, "is a Spark session"),
    "a misspelt keyword": (lambda: A.stream(COLUMNS, ordr_by="ts"), errors.BadCall, "did you mean 'order_by'"),
    "a keyword of a join misspelt": (lambda: T.join(T.alias("u"), onn="k"), errors.BadCall, "did you mean 'on'"),
    "a window without an answer": (lambda: W.explain(), errors.BadQuery, "a window by itself"),
    "a script that is no text": (lambda: A.sql(None), errors.BadQuery, "a script is text"),
    "a stream of a script that is none": (lambda: A.sql("SELECT v FROM t", t=3), errors.BadQuery, "made of a DataFrame"),
    "writing a number": (lambda: A.write(3), errors.BadQuery, "Transom's"),
    "a checkpoint that is a number": (lambda: A.write(Q, checkpoint=3), errors.BadCall, "a folder"),
    "a join on a column that is a number": (lambda: W.join(V, on="t.v"), errors.NotACondition, "this is DOUBLE"),
    "a join of a text and a number": (lambda: W.join(V, on="t.k = u.v"), errors.BadQuery, "has types that can be"),
    "an as-of join of other types": (lambda: T.asof_join(N, on="k"), errors.BadQuery, "has types that can be"),
    "a column that both sides of a join have": (
        lambda: W.join(V, on="t.k = u.k").select("v"),
        errors.BadQuery,
        "two relations have a column 'v'",
    ),
    "a difference of bare streams": (lambda: T.select("k").subtract(T.select("k")), errors.UnboundedState, "all that ever came"),
    "a bare stream without duplicates": (lambda: T.distinct(), errors.BlockingAggregate, "never ends"),
    "a bare stream in another order": (lambda: T.order_by("v"), errors.BlockingAggregate, "never ends"),
    "ordered by a map": (lambda: M.select("m").order_by("m"), errors.NotOrdered, "has no order"),
    "a join on a number": (lambda: T.join(T.alias("u"), on=5), errors.BadQuery, "compares columns"),
    "a join of no kind": (lambda: T.join(T.alias("u"), on="k", how=None), errors.BadQuery, "no kind of join"),
    "one name in two cases in SQL": (lambda: A.sql("SELECT k FROM a", a=T, A=T), errors.BadQuery, "in any case"),
    "a parameter": (lambda: A.sql("SELECT k FROM t WHERE v > :p", t=T), errors.NotSupported, "no parameters"),
    "a mark for a parameter": (lambda: T.where("v > ?"), errors.NotSupported, "no parameters"),
    "a second statement": (lambda: W.agg(m="sum(v); DROP TABLE x"), errors.BadExpression, "a statement"),
    "two names": (lambda: W.agg(m="max(v) AS n"), errors.BadQuery, "one name"),
    "an alias that is a number": (lambda: A.count().alias(3), errors.BadQuery, "is a name"),
    "an expression that is None": (lambda: A.expr(None), errors.BadQuery, "is text"),
    "a place beyond the list": (
        lambda: A.sql("SELECT k, count(*) c FROM t [TUMBLE 5 MINUTES] GROUP BY k ORDER BY 3", t=T),
        errors.BadQuery,
        "ORDER BY 3",
    ),
    "a function that is a number": (lambda: A.write(Q, foreach_batch=3), errors.BadQuery, "is a function"),
    "a trigger that is a number": (lambda: A.write(Q, processing_time=5), errors.NotALength, "length of time"),
    "a length that is a time": (
        lambda: T.window(tr.varying("window_end", "5 minutes", "1 hour")),
        errors.NotALength,
        "a length, and this is TIMESTAMP",
    ),
    "a target without a name": (lambda: Q.insert_into("TABLE", ""), errors.BadQuery, "kind and name"),
    "a target that is None": (lambda: Q.insert_into("TABLE", None), errors.BadQuery, "kind and name"),
    "a kind that is a number": (lambda: Q.insert_into(3, "x"), errors.BadQuery, "kind and name"),
    "two targets": (lambda: Q.insert_into("TABLE", "x").insert_into("TABLE", "y"), errors.BadQuery, "nothing follows"),
    "a stream called nothing": (lambda: Q.as_stream(""), errors.BadQuery, "has a name"),
    "an alias that is nothing": (lambda: T.alias(""), errors.BadQuery, "is a name"),
    "no values of the top": (lambda: W.agg(x=A.approx_top_k("k", 0)), errors.NotSupported, "above zero"),
    "a separator that is a number": (lambda: W.agg(x=A.listagg("k", 3)), errors.NotSupported, "text"),
    "groups without a window": (lambda: T.group_by("k"), errors.UnknownMethod, "has groups"),
    "PySpark's count": (lambda: W.group_by("k").count(), errors.UnknownMethod, "n=tr.count"),
    "PySpark's withColumn": (lambda: T.withColumn("d", "v * 2"), errors.UnknownMethod, "select"),
    "PySpark's withWatermark": (lambda: T.withWatermark("ts", "1 minute"), errors.UnknownMethod, "slack"),
    "rows of a query": (lambda: Q.writeStream, errors.UnknownMethod, "to_df"),
    "a misspelt method": (lambda: T.windw(tumble="5 minutes"), errors.UnknownMethod, "did you mean 'window'"),
    "a column as an attribute": (lambda: T.v, errors.UnknownMethod, "in quotes"),
    "a column as an item": (lambda: T["v"], errors.UnknownMethod, "in quotes"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_name(what: str) -> None:
    act, kind, words = REFUSED[what]
    with pytest.raises(kind, match=words):
        act()


def test_what_is_not_there_is_an_attribute_error() -> None:
    """So that `hasattr`, `copy` and notebooks work."""
    assert not hasattr(T, "withColumn")
    assert not hasattr(W.group_by("k"), "_ipython_display_")


FIELDS: dict[str, tuple[Callable[[], Any], str]] = {
    "in a condition": (lambda: T.where("at.v > 1").select("*"), "SELECT * FROM t WHERE at.v > 1"),
    "behind the name of the stream": (lambda: T.where("t.at.v > 1").select("*"), "SELECT * FROM t WHERE t.at.v > 1"),
    "of a field": (lambda: T.select(c="at.in.c"), "SELECT at.in.c AS c FROM t"),
    "by its name": (lambda: T.select("at.v"), "SELECT at.v FROM t"),
    "in an aggregate": (lambda: W.agg(m=tr.max("at.v")), "SELECT max(at.v) AS m FROM t [TUMBLE 5 MINUTES]"),
    "in the WHERE of a bracket": (
        lambda: T.window(tumble="5 minutes", where="at.v > 1").agg(n=tr.count()),
        "SELECT count(*) AS n FROM t [TUMBLE 5 MINUTES WHERE at.v > 1]",
    ),
    "in a frame": (
        lambda: T.select(m=tr.max("at.v").over(range=tr.rows(3))),
        "SELECT max(at.v) OVER (ROWS 2 PRECEDING) AS m FROM t",
    ),
}


@pytest.mark.parametrize("where", FIELDS)
def test_a_field_is_that_of_its_struct_and_no_column_of_the_same_name(where: str) -> None:
    in_python, in_sql = FIELDS[where]
    assert in_python().plan == tr.sql(in_sql, t=T).plan
    assert "at['" in in_python().sql()


def test_a_punctuation_is_known_by_a_field() -> None:
    in_sql = tr.sql("CREATE STREAM s (v INT, at STRUCT<v: INT>, ts TIMESTAMP) ORDER BY ts PUNCTUATION (ts) WHEN at.v > 1; "
                    "SELECT v FROM s")  # fmt: skip
    columns = {"v": "INT", "at": "STRUCT<v: INT>", "ts": "TIMESTAMP"}
    in_python = tr.stream(columns, order_by="ts", name="s", punctuation=("ts", "at.v > 1")).select("v")
    assert in_python.plan == in_sql.plan
    assert "at['v'] > 1" in str(in_sql.plan)


def test_fields_have_names_and_types() -> None:
    made = tr.stream({"at": "struct<zipCode:int>", "ts": "TIMESTAMP"}, order_by="ts").select("at", "at.zipCode")
    assert str(made.schema) == "at STRUCT<zipCode: INT>, zipCode INT"


def test_odd_names_are_taken_with_backticks_and_without() -> None:
    odd: Any = tr.stream({"a b": "INT", "x.y": "INT", "it`s": "INT", "ü": "INT", "ts": "TIMESTAMP"}, order_by="ts", name="odd")
    for name, written in (("a b", "`a b`"), ("x.y", "`x.y`"), ("it`s", "`it``s`"), ("ü", "`ü`")):
        one, other = odd.window(tumble="5 minutes", pattr=name), odd.window(tumble="5 minutes", pattr=written)
        assert one.plan == other.plan
        assert one.group_by(name).agg(m=tr.max(name)).plan == one.group_by(written).agg(m=tr.max(written)).plan
        assert odd.select(name).columns == odd.select(written).columns == [name]


STARS = {
    "t.*": ["k", "v", "ts", "at"],
    "roads.*": ["k", "lanes"],
    "t.*, lanes": ["k", "v", "ts", "at", "lanes"],
}


@pytest.mark.parametrize("star", STARS)
def test_a_star_is_of_the_relation_that_it_names(star: str) -> None:
    script = f"CREATE TABLE roads (k STRING, lanes INT); SELECT {star} FROM t JOIN roads ON t.k = roads.k"
    assert tr.sql(script, t=T).columns == STARS[star]


def test_a_star_beside_a_join_of_windows_has_the_table_too() -> None:
    joined = "FROM t [RANGE 1 HOUR] AS a JOIN t [RANGE 1 HOUR] AS b USING (k, v, ts, at) JOIN roads ON a.k = roads.road"
    made = tr.sql(f"CREATE TABLE roads (road STRING, lanes INT); SELECT * {joined}", t=T)
    assert made.columns[-2:] == ["road", "lanes"]


@pytest.mark.parametrize("star", ["zz.*", "at.*"])
def test_a_star_of_nothing_is_refused(star: str) -> None:
    with pytest.raises(errors.UnknownColumn, match="no relation"):
        tr.sql(f"SELECT {star} FROM t", t=T)


def test_order_by_a_place_is_by_that_column() -> None:
    counted = "SELECT k, count(*) AS c FROM t [TUMBLE 5 MINUTES] GROUP BY k"
    assert tr.sql(f"{counted} ORDER BY 2 DESC LIMIT 1", t=T).plan == tr.sql(f"{counted} ORDER BY c DESC LIMIT 1", t=T).plan


@pytest.mark.parametrize(
    "query",
    [
        lambda: T.where("v > 1").where("k = 'a' OR k = 'b'").select("v"),
        lambda: T.where("v > 1").window(tumble="5 minutes").agg(n=tr.count()),
        lambda: W.where("v > 1").where("k = 'a'").agg(n=tr.count()),
    ],
)
def test_the_sql_of_conditions_can_be_read(query: Callable[[], Any]) -> None:
    assert tr.sql(query().sql(), t=T).schema == query().schema
