"""Streams, their disorder clauses, sources and sinks as SQL."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from sqlglot import exp

from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.plan.nodes.disorder import Disorder, PunctuationClause, SlackPercent
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.sql.quoted_names import name_of, names_of
from transom.plan.sql.window_sql import render_length


def render_disorder(disorder: Disorder) -> str:
    """The disorder clauses, each with a space before it."""
    clauses = [_generator(disorder.generator)]
    if disorder.buffer is not None:
        clauses.append(f"BFSIZE {disorder.buffer}")
    if disorder.per_source is not None:
        clauses.append("PER SOURCE" + (f" ({names_of(disorder.per_source)})" if disorder.per_source else ""))
    if disorder.idle_after is not None:
        clauses.append(f"IDLE AFTER {render_length(disorder.idle_after)}")
    if disorder.ahead is not None:
        clauses.append(f"AHEAD {render_length(disorder.ahead)}")
    if disorder.arrival_by is not None:
        clauses.append(f"ARRIVAL BY {name_of(disorder.arrival_by)}")
    if disorder.late is not None:
        clauses.append(f"LATE {disorder.late.upper()}")
    return "".join(f" {clause}" for clause in clauses if clause)


@singledispatch
def _generator(generator: Any) -> str:
    """The clause of a generator; of none, nothing."""
    return ""


@_generator.register
def _punctuation(generator: PunctuationClause) -> str:
    declared = ", ".join(_substream(values) for values in generator.substreams)
    named = f" FROM ({declared})" if declared else ""
    return f"PUNCTUATION ({names_of(generator.columns)}) WHEN {generator.when.text}{named}"


@_generator.register
def _ordered(generator: Ordered) -> str:
    return "ORDERED" + (f" PER {names_of(generator.per)}" if generator.per else "")


@_generator.register
def _slack(generator: Slack) -> str:
    return f"SLACK {render_length(generator.slack)}"


@_generator.register
def _slack_percent(generator: SlackPercent) -> str:
    return f"SLACK {generator.percent:g}%"


@_generator.register
def _heartbeat(generator: Heartbeat) -> str:
    return "HEARTBEAT" + (" AVERAGE" if generator.average else "")


@_generator.register
def _drop_ratio(generator: DropRatio) -> str:
    return f"DRATIO {generator.ratio * 100:.12g}%" + (" NORMAL" if generator.normal else "")


def _substream(values: tuple[Any, ...]) -> str:
    shown = [_literal(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _literal(value: Any) -> str:
    return str(exp.Literal.string(value).sql("spark")) if isinstance(value, str) else render_length(value)


def render_stream(stream: StreamDefinition) -> str:
    """CREATE STREAM."""
    columns = ", ".join(f"{name_of(column.name)} {column.type}" for column in stream.columns)
    order = "" if stream.order_by is None else f" ORDER BY {name_of(stream.order_by)}"
    source = "" if stream.source is None else f" SOURCE {render_endpoint(stream.source)}"
    return f"CREATE STREAM {name_of(stream.name)} ({columns}){order}{render_disorder(stream.disorder)}{source}"


def render_endpoint(endpoint: Endpoint) -> str:
    """A source or a sink."""
    named = ""
    if endpoint.name is not None:
        named = f" {name_of(endpoint.name)}" if endpoint.kind == "TABLE" else f" {_literal(endpoint.name)}"
    form = "" if endpoint.format is None else f" FORMAT {endpoint.format}"
    options = ", ".join(f"{key} {_literal(value)}" for key, value in endpoint.options)
    return f"{endpoint.kind}{named}{form}" + (f" OPTIONS ({options})" if options else "")
