"""Whether a query fits its stream: columns that exist, lengths in the unit of what they measure."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from transom.column_names import EVENT_TS, IMPLICIT, WINDOW_COLUMNS
from transom.errors import BadFrame, BadQuery, UnknownColumn, WrongUnit, nearest
from transom.reference.query import Over, Query
from transom.reference.stream import ReferenceStream
from transom.scalar.evaluation import check_functions, columns_of, columns_outside_aggregates, is_aggregate
from transom.semantics.classes.measured import check_measured_on, measured_lengths, partition_columns
from transom.semantics.length import Unit, unit_of
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.refined import Refined
from transom.semantics.windows.window import Window


def bind(query: Query, stream: ReferenceStream) -> Query:
    """The query, checked, with its lengths in the arithmetic of the attribute they are measured on."""
    if not isinstance(query, Query) or not isinstance(stream, ReferenceStream):
        given = f"{type(query).__name__}, {type(stream).__name__}"
        raise BadQuery("a query is bound to a stream", given=given, remedy="give the query first, then the stream")
    for column in query.group_by:
        stream.type(column)
    if query.prefilter is not None:
        _known(query.prefilter, stream, query)
    if query.having is not None:
        _known(query.having, stream, query, *WINDOW_COLUMNS, *query.select)
    for item in query.select.values():
        if isinstance(item, Over):
            _known_over(item, stream, query)
        else:
            _known(item, stream, query, *(WINDOW_COLUMNS if query.window is not None else (EVENT_TS,)))
    if query.window is None:
        orders = {frame.order_by or stream.order for frame in query.frames.values()}
        if len(orders) > 1:
            raise BadQuery(
                "frames of one SELECT have one order", given=", ".join(sorted(orders)), remedy="use one query for each order"
            )
        return replace(query, select={name: _in_arithmetic(item, stream) for name, item in query.select.items()})
    _grouped(query)
    return replace(query, window=_on_stream(query.window, stream))


def _known(text: str, stream: ReferenceStream, query: Query, *others: str) -> None:
    names = [*stream.columns, *IMPLICIT, *others]
    check_functions(text, query.aggregates)
    for column in columns_of(text):
        if column not in names:
            raise UnknownColumn(
                f"stream {stream.name!r} has no column {column!r}", given=text, exists=names, remedy=nearest(column, names)
            )


def _in_arithmetic(item: str | Over, stream: ReferenceStream) -> str | Over:
    """A frame whose lengths are doubles where its order is."""
    if not isinstance(item, Over) or stream.type(item.order_by or stream.order) != "double":
        return item
    lengths = {"preceding": item.preceding, "slide": item.slide}
    return replace(item, **{name: float(length) for name, length in lengths.items() if isinstance(length, int | Decimal)})  # type: ignore[arg-type]


def _known_over(frame: Over, stream: ReferenceStream, query: Query) -> None:
    _known(frame.aggregate, stream, query)
    if not is_aggregate(frame.aggregate, query.aggregates):
        raise BadFrame(
            "only an aggregate stands over a frame", given=frame.aggregate, remedy="aggregate it, or select it without OVER"
        )
    for column in frame.partition_by:
        stream.type(column)
    order = frame.order_by or stream.order
    unit = stream.unit(order)
    for length in (frame.preceding, frame.slide):
        if length is not None and unit_of(length) not in (Unit.ROWS, unit):
            raise WrongUnit(
                f"column {order!r} is measured in {unit.value}",
                given=str(length),
                remedy=f"give rows, or a length of {unit.value}",
            )


def _grouped(query: Query) -> None:
    """Every selected column of an aggregate query is a group column, or of the window."""
    texts = list(query.expressions.values())
    if not (query.group_by or query.having or any(is_aggregate(text, query.aggregates) for text in texts)):
        return
    fixed = {*query.group_by, *(partition_columns(query.window) if query.window is not None else ()), *WINDOW_COLUMNS}
    for name, text in query.expressions.items():
        stray = [column for column in columns_outside_aggregates(text, query.aggregates) if column not in fixed]
        if stray:
            raise BadQuery(
                f"column {stray[0]!r} is neither grouped nor aggregated",
                given=f"{text} AS {name}",
                exists=sorted(fixed),
                remedy=f"add {stray[0]!r} to GROUP BY, or aggregate it",
            )


def _on_stream(window: Window, stream: ReferenceStream) -> Window:
    named = window.pattr if isinstance(window, Partitioned) else window.where.columns if isinstance(window, Filtered) else ()
    for column in named:
        stream.type(column)
    if isinstance(window, Refined):
        return replace(window, window=_on_stream(window.window, stream))
    if window.attribute is None:
        return window
    check_measured_on(window, stream.unit(window.attribute), is_integer=stream.type(window.attribute) in ("int", "bigint"))
    return in_arithmetic(window, stream.type(window.attribute))


def in_arithmetic(window: Window, kind: str) -> Window:
    """A window with its lengths in the arithmetic of the attribute they are measured on: doubles beside doubles, else exact."""
    lengths = measured_lengths(window).items()
    if kind == "double":
        return replace(window, **{name: float(length) for name, length in lengths if isinstance(length, int | Decimal)})  # type: ignore[type-var]
    return replace(window, **{name: Decimal(repr(length)) for name, length in lengths if isinstance(length, float)})  # type: ignore[type-var]
