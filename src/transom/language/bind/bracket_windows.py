"""From the clauses of a bracket to a window and what it says of disorder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from sqlglot import exp

from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import ConflictingClauses, NotALength, Span, WrongUnit
from transom.language.parse.policy_bracket import POLICY
from transom.language.parse.spans import place_of, with_span
from transom.language.parse.syntax import Clause, Percent
from transom.plan.expression import Expression
from transom.plan.nodes.disorder import Disorder, GeneratorClause, PunctuationClause, SlackPercent, check_named
from transom.plan.nodes.node import Node
from transom.plan.nodes.policies_of_columns import spelled_window
from transom.plan.order import check_order
from transom.plan.types.fields import plain
from transom.plan.types.schema import Schema
from transom.semantics.bracket import Bracket
from transom.semantics.length import Rows
from transom.semantics.time import Duration
from transom.semantics.tuples import Rank
from transom.semantics.windows.window import Window

GENERATORS = ("PUNCTUATION", "ORDERED", "SLACK", "DRATIO", "HEARTBEAT")


def window_of(clauses: tuple[Clause, ...], node: Node, names: Iterable[str] = ()) -> Window:
    """The window that the clauses mean on the rows of a node, which the query calls by these names."""
    if clauses[0].name == POLICY:
        return with_span(span_of(clauses), lambda: spelled_window(clauses[0].value, node))
    given: dict[str, Any] = {"order": node.time_attribute}
    for clause in clauses:
        given |= with_span(clause.span, partial(_bracket_clause, clause, node.schema, tuple(names)))
    window = with_span(span_of(clauses), lambda: Bracket.of(**given).window())
    named = given.get("wattr") or given.get("rattr")
    with_span(span_of(clauses), lambda: check_order(window, node, named))
    return window


def span_of(clauses: tuple[Clause, ...]) -> Span:
    """From the first clause to the last."""
    return Span(clauses[0].span.text, clauses[0].span.start, clauses[-1].span.end)


def _bracket_clause(clause: Clause, schema: Schema, names: tuple[str, ...]) -> dict[str, Any]:
    name, value = clause.name, clause.value
    if name in ("WATTR", "RATTR", "SATTR"):
        return {name.lower(): Rank(schema.find(value.attribute).name) if isinstance(value, Rank) else schema.find(value).name}
    if name == "PATTR":
        return {"pattr": tuple(schema.find(column).name for column in value)}
    if isinstance(value, Percent) and name not in ("SLACK", "DRATIO"):
        raise NotALength(
            f"{name} is not a share of anything", given=f"{value.value:g}%", remedy="give a length", span=clause.span
        )
    if name == "LANDMARK":
        return {"landmark": True, **value}
    if name == "SESSION":
        return {"gap": value}
    if name == "WHERE":
        return {"where": Expression.of(plain(value, schema, names)).as_function()}
    if name == "RANGE" and isinstance(value, exp.Expr):
        return {"range": Expression.of(value).as_function()}
    if name in (*GENERATORS, "BFSIZE", "LATE", "PER", "IDLE", "AHEAD", "ARRIVAL", "UNBOUNDED"):
        return {}
    return {name.lower(): value}


def disorder_of(clauses: Iterable[Clause], schema: Schema, names: Iterable[str] = ()) -> Disorder:
    """What the clauses say of disorder, over a stream with these columns that goes by these names."""
    given = {clause.name: clause for clause in clauses}
    generators = [given[name] for name in GENERATORS if name in given]
    if len(generators) > 1:
        names = " and ".join(clause.name for clause in generators)
        raise ConflictingClauses(
            "one clause alone says how far the frontier has come",
            given=names,
            exists=GENERATORS,
            remedy="keep one of them",
            span=generators[1].span,
        )
    span = generators[0].span if generators else next((clause.span for clause in given.values()), None)
    told = with_span(
        span,
        lambda: Disorder(
            generator=_generator(generators[0], schema, names) if generators else None,
            per_source=_value(given, "PER"),
            idle_after=_duration(given, "IDLE"),
            ahead=_duration(given, "AHEAD"),
            arrival_by=_value(given, "ARRIVAL"),
            late=_value(given, "LATE"),
        ),
    )
    if "BFSIZE" not in given:
        return told
    return with_span(given["BFSIZE"].span, lambda: replace(told, buffer=_tuples(given, "BFSIZE")))


def check_places(clauses: Iterable[Clause], schema: Schema, title: str) -> None:
    """Refuse wrong columns of ARRIVAL BY and PER SOURCE here, where it is known which name to underline."""
    for clause in clauses:
        named: dict[str, Disorder] = {}
        if clause.name == "ARRIVAL":
            named = {clause.value: Disorder(arrival_by=clause.value)}
        elif clause.name == "PER":
            named = {name: Disorder(per_source=(name,)) for name in clause.value}
        for name, disorder in named.items():
            with_span(place_of(name, clause.span), partial(check_named, disorder, schema, title))


def _value(given: dict[str, Clause], name: str) -> Any:
    return given[name].value if name in given else None


def _tuples(given: dict[str, Clause], name: str) -> int | None:
    value = _value(given, name)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, Rows):
        return value.count
    raise NotALength(f"{name} is a number of tuples", given=str(value), remedy=f"write {name} 100000", span=given[name].span)


def _duration(given: dict[str, Clause], name: str) -> Duration | None:
    value = _value(given, name)
    if value is not None and not isinstance(value, Duration):
        raise WrongUnit(
            f"{name} is a length of time", given=str(value), remedy="give, for example, 30 SECONDS", span=given[name].span
        )
    return value


def _generator(clause: Clause, schema: Schema, names: Iterable[str]) -> GeneratorClause:
    value = clause.value
    if clause.name == "PUNCTUATION":
        return PunctuationClause(value["columns"], Expression.of(plain(value["when"], schema, names)), value["substreams"])
    if clause.name == "ORDERED":
        return Ordered(per=value)
    if clause.name == "HEARTBEAT":
        return Heartbeat(average=value)
    if clause.name == "SLACK":
        return SlackPercent(value.value) if isinstance(value, Percent) else Slack(value)
    if not isinstance(value["ratio"], Percent):
        raise NotALength(
            "a drop ratio is a percentage",
            given=str(value["ratio"]),
            remedy="write it with %, such as DRATIO 0.5%",
            span=clause.span,
        )
    return DropRatio(value["ratio"].value / 100, value["normal"])
