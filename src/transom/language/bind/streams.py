"""From CREATE STREAM to a stream definition."""

from __future__ import annotations

from functools import partial

from transom.errors import BadQuery, Span
from transom.language.bind.windows import check_places, disorder_of
from transom.language.parse.spans import with_span
from transom.language.parse.syntax import CreateStream
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.types.schema import IMPLICIT, Column, Schema, unit_of_type


def define_stream(statement: CreateStream) -> StreamDefinition:
    """The stream that a statement creates."""
    columns = columns_of(statement.columns, statement.span)
    check_places(statement.clauses, Schema(columns, IMPLICIT), f"stream {statement.name!r}")
    source = statement.source
    _check_order(statement, Schema(columns, IMPLICIT))
    for clause in statement.clauses:
        if clause.name == "SLACK":
            with_span(clause.span, partial(StreamDefinition, statement.name, columns, statement.order_by, disorder_of([clause])))
    return with_span(
        statement.span,
        lambda: StreamDefinition(
            name=statement.name,
            columns=columns,
            order_by=statement.order_by,
            disorder=disorder_of(statement.clauses),
            source=None if source is None else Endpoint(source.kind, source.name, source.format, source.options),
        ),
    )


def _check_order(statement: CreateStream, schema: Schema) -> None:
    """Refuse an order column that is not there, or has no order, where it is written."""
    if statement.order_by is not None:
        title = f"stream {statement.name!r}"
        with_span(statement.order_span, lambda: unit_of_type(schema.find(str(statement.order_by), title)))


def columns_of(given: tuple[tuple[str, str], ...], span: Span) -> tuple[Column, ...]:
    """The columns of a definition, each name once."""
    names = [name.lower() for name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadQuery(f"two columns are called {twice!r}", given=", ".join(names), remedy="rename one", span=span)
    return tuple(Column(name, kind) for name, kind in given)
