"""A plan, answered by the reference: which stream it reads, and which logical query it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from transom.column_names import WINDOW_END
from transom.disorder.at_end import AtEnd
from transom.errors import NotSupported
from transom.plan.applied.sorted_first import order_of_feed
from transom.plan.expression import AnyAggregate, Expression
from transom.plan.nodes.disorder import Disorder, PunctuationClause
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Filter, Project, Scan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.reference.binding import in_arithmetic
from transom.reference.query import Late, Over, Query, Stamp
from transom.reference.rows import columns_of_tuple
from transom.reference.stream import ReferenceStream
from transom.scalar.evaluation import Scope, columns_of, evaluate, holds
from transom.scalar.value_types import value_on_axis
from transom.semantics.classes.measured import base_of
from transom.semantics.function import Function
from transom.semantics.sql_type import SqlType
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.refined import Refined
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window
from transom.windowing.policy_window import PolicyWindow, of_rows

TYPES = {
    "TINYINT": "bigint",
    "SMALLINT": "bigint",
    "INT": "bigint",
    "BIGINT": "bigint",
    "FLOAT": "double",
    "DOUBLE": "double",
    "DECIMAL": "decimal",
    "STRING": "string",
    "BOOLEAN": "boolean",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP_LTZ": "timestamp",
    "TIMESTAMP_NTZ": "timestamp",
    "DATE": "date",
}


def lower(plan: Node) -> tuple[Query, ReferenceStream]:
    """The logical query and the stream of a plan with at most one window."""
    top, *between, scan = _named_query(plan).chain()
    below = [node for node in between if not _keeps_columns(node)]
    cuts = [node for node in below if isinstance(node, Cut)]
    if not isinstance(scan, Scan) or len(cuts) > 1 or not all(isinstance(node, Filter | Cut) for node in below):
        raise _not_here(plan)
    cut = cuts[0] if cuts else None
    place = below.index(cut) if cut is not None else len(below)
    after = [node.condition for node in below[:place] if isinstance(node, Filter)]
    before = [node.condition for node in below[place:] if isinstance(node, Filter)]
    stream = stream_of(scan.stream, cut.disorder if cut is not None else Disorder(), cut)
    window = None if cut is None else _window(_counting(cut, scan), after, stream)
    if window is None and not isinstance(top, Frames):
        raise _not_here(plan)
    late = (cut.disorder.late if cut is not None else None) or scan.stream.disorder.late or "generous"
    prefilter = _all(before if cut is not None else [*after, *before])
    stamp = Stamp[(cut.timestamp if cut is not None else "instant").upper()]
    return _query(top, window, prefilter, Late[late.upper()], stamp), stream


def _named_query(plan: Node) -> Node:
    """The query itself, where a script writes it to a target, or selects all columns of a stream that has its name.

    So the tests of a script ask the very statements that run.
    """
    while True:
        if isinstance(plan, Insert):
            plan = plan.input
        elif isinstance(plan, Project) and isinstance(plan.input, Derived) and _selects_all(plan):
            plan = plan.input.input
        else:
            return plan


def _selects_all(plan: Project) -> bool:
    """SELECT *, or all columns by their names."""
    return [(name, item.text) for name, item in plan.items] == [(name, name) for name in plan.input.schema.names]


def promise_of(plan: Node) -> Expression | None:
    """The condition on rows that are no tuples but promises, where the source makes them."""
    disorders = [
        node.disorder if isinstance(node, Cut) else node.stream.disorder for node in plan.chain() if isinstance(node, Cut | Scan)
    ]
    generator = next((one.generator for one in disorders if one.generator is not None), None)
    return generator.when if isinstance(generator, PunctuationClause) else None


def _keeps_columns(node: Node) -> bool:
    """Whether a node only leaves columns out or gives a name, which the reference can do without."""
    if isinstance(node, Project):
        return not node.is_windowed and all(item.text == name for name, item in node.items)
    return isinstance(node, Derived) and not node.input.is_windowed


def _not_here(plan: Node) -> NotSupported:
    return NotSupported(
        "the reference answers one window or a list of OVER frames on one stream",
        given=plan.label(),
        remedy="ask a simpler query",
    )


def _query(top: Node, window: Window | None, prefilter: str | None, late: Late, stamp: Stamp) -> Query:
    if isinstance(top, Aggregate):
        items = {name: item.text for name, item in top.items}
        having = None if top.having is None else top.having.text
        group_by = top.group_by
        return Query(
            select=items,
            window=window,
            prefilter=prefilter,
            group_by=group_by,
            having=having,
            late=late,
            timestamp=stamp,
            aggregates=_users([*(item for _, item in top.items), *([] if top.having is None else [top.having])]),
        )
    if isinstance(top, Project):
        items = {name: item.text for name, item in top.items}
        return Query(select=items, window=window, prefilter=prefilter, late=late, timestamp=stamp)
    if isinstance(top, Frames):
        users = _users([item.aggregate for _, item in top.items if isinstance(item, Frame)])
        select = {name: _over(item) for name, item in top.items}
        return Query(select=select, prefilter=prefilter, late=late, aggregates=users)
    raise _not_here(top)


def _users(items: list[Expression]) -> dict[str, AnyAggregate]:
    return {user.name.lower(): user for item in items for user in item.aggregates}


def _over(item: Expression | Frame) -> str | Over:
    if isinstance(item, Expression):
        return item.text
    return Over(
        aggregate=item.aggregate.text,
        preceding=item.preceding,
        partition_by=item.partition_by,
        order_by=item.order_by,
        slide=item.slide,
        peers=item.peers,
        active=item.active,
    )


def _all(conditions: list[Expression]) -> str | None:
    return " AND ".join(f"({condition.text})" for condition in conditions) or None


def _counting(cut: Cut, scan: Scan) -> Window:
    """The window; one with policies that only count is one of rows."""
    policies = isinstance(base_of(cut.window), PolicyWindow)
    return of_rows(cut.window, order_of_feed(scan)) if policies else cut.window


def _window(window: Window, after: list[Expression], stream: ReferenceStream) -> Window:
    """The window with functions that can be called, and with the conditions that stand above it."""
    inside = [Expression(window.where.text)] if isinstance(window, Filtered) else []
    bare = window.window if isinstance(window, Filtered) else window
    ready = _callable(bare, stream)
    conditions = _all([*inside, *after])
    return ready if conditions is None else Filtered(ready, condition(conditions))


def condition(text: str) -> Function:
    """A condition on tuples."""
    return Function(text, lambda t: holds(text, Scope(columns_of_tuple(t))), tuple(columns_of(text)))


def _callable(window: Window, stream: ReferenceStream) -> Window:
    if isinstance(window, Refined):
        return replace(window, window=_callable(window.window, stream))
    if not isinstance(window, Varying):
        return window
    return _varying(window, stream.type(window.wattr))


def _varying(window: Varying, kind: str) -> Varying:
    text = window.range.text
    return replace(window, range=Function(text, lambda end: evaluate(text, Scope({WINDOW_END: value_on_axis(end, kind)}))))


def window_on(window: Window, kinds: Mapping[str, str]) -> Window:
    """A window with functions that can be called, and lengths in the arithmetic of its attribute, on columns of these types."""
    if isinstance(window, Filtered):
        return Filtered(window_on(window.window, kinds), condition(window.where.text))
    if isinstance(window, Refined):
        return replace(window, window=window_on(window.window, kinds))
    if isinstance(window, Varying):
        window = _varying(window, kinds[window.wattr])
    return window if window.attribute is None else in_arithmetic(window, kinds[window.attribute])


def _is_complete(definition: StreamDefinition, window: Disorder) -> bool:
    """Whether nothing is late: a bounded DataFrame, and neither it nor the window has a disorder clause."""
    return definition.bounded and definition.disorder.states_no_tolerance and window.states_no_tolerance


def stream_of(definition: StreamDefinition, window_disorder: Disorder, cut: Cut | None) -> ReferenceStream:
    """The stream of the reference: a window's own disorder clause stands in for the stream's."""
    disorder = window_disorder if window_disorder.generator is not None else definition.disorder
    generator = disorder.generator
    columns = {column.name: TYPES.get(SqlType.of(column.type).name, "string") for column in definition.columns}
    digits = {
        column.name: SqlType.of(column.type).scale or 0 for column in definition.columns if columns[column.name] == "decimal"
    }
    if isinstance(generator, PunctuationClause):
        return ReferenceStream(
            name=definition.name,
            columns=columns,
            digits=digits,
            order_by=definition.order_by,
            punctuation=generator.columns,
            substreams=generator.substreams,
        )
    length = None if cut is None else getattr(base_of(cut.window), "range", None)
    return ReferenceStream(
        name=definition.name,
        columns=columns,
        digits=digits,
        order_by=definition.order_by,
        generator=AtEnd() if _is_complete(definition, window_disorder) else disorder.within(length).control,
        arrival_by=window_disorder.arrival_by or definition.disorder.arrival_by,
        per_source=window_disorder.per_source or definition.disorder.per_source or (),
        idle_after=window_disorder.idle_after or definition.disorder.idle_after,
        ahead=window_disorder.ahead or definition.disorder.ahead,
    )
