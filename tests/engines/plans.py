"""A logical query as the plan that SQL or Python would have made of it, so that every engine can run transcripts."""

from __future__ import annotations

from typing import Any

from transom.disorder.at_end import AtEnd
from transom.disorder.buffer_size import Buffered
from transom.plan.expression import Expression
from transom.plan.nodes.disorder import Disorder, PunctuationClause
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Filter, Project, Scan
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.types.schema import Column
from transom.reference.binding import bind
from transom.reference.query import Over, Query
from transom.reference.rows import is_grouping
from transom.reference.stream import ReferenceStream

IS_PUNCTUATION = "is_punctuation"
"""The column that tells punctuations from tuples, in a stream that has its own."""

TYPES = {"decimal": "DECIMAL(38, 12)"}


def definition_of(stream: ReferenceStream, query: Query) -> StreamDefinition:
    """The stream, as CREATE STREAM would define it."""
    columns = [Column(name, TYPES.get(kind, kind.upper())) for name, kind in stream.columns.items()]
    generator: Any = None
    buffer = None
    if stream.punctuation:
        columns.append(Column(IS_PUNCTUATION, "BOOLEAN"))
        generator = PunctuationClause(stream.punctuation, Expression(IS_PUNCTUATION), stream.substreams)
    elif isinstance(stream.generator, Buffered):
        generator, buffer = stream.generator.generator, stream.generator.size
    elif not isinstance(stream.generator, AtEnd):
        generator = stream.generator
    disorder = Disorder(
        generator=generator,
        buffer=buffer,
        per_source=stream.per_source or None,
        idle_after=stream.idle_after,
        ahead=stream.ahead,
        arrival_by=stream.arrival_by,
        late=query.late.name.lower(),
    )
    bounded = isinstance(stream.generator, AtEnd)
    return StreamDefinition(stream.name, tuple(columns), stream.order_by, disorder, bounded=bounded)


def plan_of(query: Query, stream: ReferenceStream) -> Node:
    """The plan of a query on a stream."""
    query = bind(query, stream)
    plan: Node = Scan(definition_of(stream, query))
    if query.prefilter is not None:
        plan = Filter(plan, Expression.of(query.prefilter))
    if query.window is None:
        return Frames(plan, tuple((name, _item(item, query)) for name, item in query.select.items()))
    plan = Cut(plan, query.window, timestamp=query.timestamp.name.lower())
    items = tuple((name, Expression.of(text, aggregates=query.aggregates)) for name, text in query.expressions.items())
    if not is_grouping(query):
        return Project(plan, items)
    having = None if query.having is None else Expression.of(query.having, aggregates=query.aggregates)
    return Aggregate(plan, query.group_by, items, having)


def _item(item: str | Over, query: Query) -> Expression | Frame:
    if isinstance(item, str):
        return Expression.of(item)
    aggregate = Expression.of(item.aggregate, aggregates=query.aggregates)
    return Frame(aggregate, item.preceding, item.partition_by, item.order_by, item.slide, item.peers, item.active)
