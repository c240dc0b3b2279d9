"""Nonsense for each argument of each public callable: it works, or it is refused by name. Nothing fails from inside."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import transom as tr
from tests.fluent.test_documented import FUNCTIONS
from transom.errors import BadCall, TransomError
from transom.testing import answer
from transom.windowing import count, sliding
from transom.windowing.operators import Vwap

COLUMNS = {"k": "STRING", "v": "DOUBLE", "ts": "TIMESTAMP", "ticker": "STRING", "price": "DOUBLE", "volume": "BIGINT"}
T: Any = tr.stream(COLUMNS, order_by="ts", name="t")
W: Any = T.window(tumble="5 minutes")
Q: Any = W.group_by("k").agg("window_end", n=tr.count())


@tr.aggregate(returns="DOUBLE", name="newest_of_all")
class Newest(tr.AggregateClass):
    def initialize(self, x: float) -> float:
        return x

    def iterate(self, x: float) -> float:
        return x


OBJECTS: dict[str, Any] = {
    "Relation": T,
    "Windowed": W,
    "Aliased": T.alias("u"),
    "Grouped": W.group_by("k"),
    "Aggregated": tr.max("v"),
    "AggregateFunction": Newest,
    "RunningQuery": tr.RunningQuery("nowhere"),
    "Quality": tr.Quality(),
}
VALID: dict[str, dict[str, Any]] = {
    "answer": {"query": Q, "tuples": []},
    "Quality.of_reports": {"reports": []},
    "aggregate": {"returns": "DOUBLE"},
    "alias": {"name": "a"},
    "apply": {"operator": Vwap(), "window": sliding(count(10), count(1)).partitioned_by("ticker")},
    "as_stream": {"name": "s"},
    "asof_join": {"other": tr.stream({"k": "STRING", "at": "TIMESTAMP"}, order_by="at", name="u"), "on": "k"},
    "band": {"lower": 0, "upper": 10, "slide": 1},
    "by_tuple": {"range": "5 minutes"},
    "every_instant": {"range": "5 minutes"},
    "expr": {"text": "max(v)"},
    "insert_into": {"kind": "TABLE", "name": "x"},
    "join": {"other": T.alias("w"), "on": "k"},
    "landmark": {"slide": "5 minutes"},
    "limit": {"num": 3},
    "of": {"query": None},
    "over": {"range": tr.rows(3)},
    "percentile": {"column": "v", "percentage": 0.5},
    "approx_percentile": {"column": "v", "percentage": 0.5},
    "percentile_approx": {"column": "v", "percentage": 0.5},
    "postgres": {"address": "postgresql://user@localhost/x", "table": "x", "checkpoint": "ck"},
    "rescale": {"checkpoint": "ck", "shards": 2},
    "script": {"text": "SELECT k FROM t", "t": T},
    "sql": {"text": "SELECT k FROM t", "t": T},
    "session": {"gap": "5 minutes"},
    "sliding": {"range": "5 minutes", "slide": "1 minute"},
    "state": {"checkpoint": "ck"},
    "stream": {"source": COLUMNS, "order_by": "ts"},
    "tumbling": {"length": "5 minutes"},
    "varying": {"range": "INTERVAL 5 MINUTES", "slide": "5 minutes", "max": "1 hour"},
    "window": {"tumble": "5 minutes"},
}
"""Arguments of which one is replaced, by the name of the callable; what is required and not here is the column `v`."""
VARIADIC: dict[str, list[Any]] = {
    "write": [Q.insert_into("TABLE", "x")],
    "together": [Q, Q],
    "union": [T],
    "select": ["k"],
    "order_by": ["k"],
    "group_by": ["k"],
    "agg": [tr.max("v").alias("hi")],
}
"""The first arguments of callables that take any number."""
NONSENSE = (None, 3, -1, 0.5, True, "", "zz", [], [None], {}, object())


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions and methods, bound to something that has them."""
    for name, function in FUNCTIONS:
        kind, _, method = name.rpartition(".")
        if kind in ("Windowed", "Aliased") and getattr(tr.Relation, method, None) is function:
            continue  # inherited
        yield name, getattr(OBJECTS[kind], method) if kind else function
    yield "Quality.of", tr.Quality.of
    yield "Quality.of_reports", tr.Quality.of_reports
    yield "AggregateFunction()", Newest
    yield "answer", answer


CALLABLES = dict(callables())


def calls(name: str) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    """Each argument, replaced by each nonsense."""
    function, short = CALLABLES[name], name.rpartition(".")[2]
    parameters = inspect.signature(function).parameters.values()
    valid = dict(VALID.get(name, VALID.get(short, {})))
    first = list(VARIADIC.get(short, []))
    for one in parameters:
        if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD:
            valid.setdefault(one.name, "v")
    only = [valid.pop(one.name) for one in parameters if one.kind is one.POSITIONAL_ONLY and one.name in valid]
    for one in parameters:
        for value in NONSENSE:
            said = f"{one.name}={value!r}"
            if one.kind is one.POSITIONAL_ONLY:
                yield said, [value], valid
            elif one.kind is one.VAR_POSITIONAL:
                yield said, [*first, value], valid
            elif one.kind is one.VAR_KEYWORD:
                yield f"zzz={value!r}", [*only, *first], valid | {"zzz": value}
            else:
                yield said, [*only, *first], valid | {one.name: value}
    yield "an argument more", [*only, *first, *([3] * 40)], {}
    yield "none", [], {}


@pytest.mark.parametrize("name", CALLABLES)
def test_nothing_fails_from_inside(name: str) -> None:
    failed = []
    for said, positional, named in calls(name):
        try:
            made = CALLABLES[name](*positional, **named)
            getattr(made, "close", lambda: None)()  # a console, where there is a session
        except TransomError:
            pass
        except Exception as error:  # whatever else is raised comes from inside
            failed.append(f"{said}: {type(error).__name__}: {str(error)[:100]}")
    assert "\n".join(failed) == ""


@pytest.mark.parametrize("name", CALLABLES)
def test_a_misspelt_keyword_is_refused_with_the_nearest_one(name: str) -> None:
    parameters = inspect.signature(CALLABLES[name]).parameters.values()
    if any(one.kind is one.VAR_KEYWORD and one.annotation != "Never" for one in parameters):
        return  # any keyword is an item, a stream or an option
    keywords = [one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]
    for keyword in keywords or ["zz"]:
        with pytest.raises(TransomError) as caught:
            CALLABLES[name](**{f"{keyword}x": 3})
        assert not keywords or keyword in str(caught.value)


@pytest.mark.parametrize("name", CALLABLES)
def test_what_is_required_is_named(name: str) -> None:
    parameters = inspect.signature(CALLABLES[name]).parameters.values()
    required = [
        one for one in parameters if one.default is one.empty and one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    if required:
        with pytest.raises(BadCall, match=required[0].name):
            CALLABLES[name]()
