"""From CREATE STREAM to a stream definition."""

from __future__ import annotations

from functools import partial

from transom.errors import BadOption, BadQuery, Span
from transom.language.bind.bracket_windows import check_places, disorder_of
from transom.language.parse.spans import place_of, with_span
from transom.language.parse.syntax import CreateStream, SourceText
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.sources.source_check import check_source
from transom.plan.types.schema import IMPLICIT, Column, Schema, unit_of_type


def define_stream(statement: CreateStream) -> StreamDefinition:
    """The stream that a statement creates."""
    columns = columns_of(statement.columns, statement.span)
    schema, name = Schema(columns, IMPLICIT), statement.name
    check_places(statement.clauses, schema, f"stream {name!r}")
    source = None if statement.source is None else endpoint_of(statement.source)
    if source is not None:
        _check_source(source, statement.span)
    _check_order(statement, schema)
    for clause in statement.clauses:
        if clause.name == "SLACK":
            with_span(clause.span, partial(StreamDefinition, name, columns, statement.order_by, disorder_of([clause], schema)))
    return with_span(
        statement.span,
        lambda: StreamDefinition(
            name=name,
            columns=columns,
            order_by=statement.order_by,
            disorder=disorder_of(statement.clauses, schema, (name,)),
            source=source,
        ),
    )


def _check_order(statement: CreateStream, schema: Schema) -> None:
    """Refuse an order column that is not there, or has no order, where it is written."""
    if statement.order_by is not None:
        title = f"stream {statement.name!r}"
        with_span(statement.order_span, lambda: unit_of_type(schema.find(str(statement.order_by), title)))


def endpoint_of(written: SourceText) -> Endpoint:
    return Endpoint(written.kind, written.name, written.format, written.options)


def _check_source(source: Endpoint, span: Span) -> None:
    """An error names what was given; where that is a word of the statement, it is underlined."""
    try:
        check_source(source)
    except BadOption as error:
        error.span = place_of(str(error.given), span) if error.given else span
        raise


def columns_of(given: tuple[tuple[str, str], ...], span: Span) -> tuple[Column, ...]:
    """The columns of a definition, each name once."""
    names = [name.lower() for name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadQuery(f"two columns are called {twice!r}", given=", ".join(names), remedy="rename one", span=span)
    return tuple(Column(name, kind) for name, kind in given)
