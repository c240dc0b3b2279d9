"""Whether a query fits its stream: columns that exist, lengths in the unit of what they measure."""

from __future__ import annotations

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from transom.errors import BadQuery, NotOrdered, UnknownColumn, WrongUnit, nearest
from transom.reference.expression import columns_of, is_aggregate
from transom.reference.query import Over, Query
from transom.reference.stream import Stream
from transom.semantics.filtered import Filtered
from transom.semantics.length import Rows, Unit, unit_of
from transom.semantics.partitioned import Partitioned
from transom.semantics.refined import Refined
from transom.semantics.row_window import RowWindow
from transom.semantics.tuples import IMPLICIT, Position
from transom.semantics.window import Window

WINDOW_COLUMNS = ("window_start", "window_end", "wid", "event_ts")

LENGTHS = ("range", "slide", "offset", "origin", "lag", "since", "until", "every", "lower", "upper", "gap", "max")
"""The fields of window specifications that are measured on the windowing attribute."""


def bind(query: Query, stream: Stream) -> Query:
    """The query, checked, with its lengths in the arithmetic of the attribute they are measured on."""
    for column in query.group_by:
        stream.type(column)
    if query.prefilter is not None:
        _known(query.prefilter, stream, with_window=False)
    for item in query.select.values():
        _known_over(item, stream) if isinstance(item, Over) else _known(item, stream, with_window=query.window is not None)
    if query.window is None:
        orders = {frame.order_by or stream.order for frame in query.frames.values()}
        if len(orders) > 1:
            raise BadQuery(
                "frames of one SELECT have one order", given=", ".join(sorted(orders)), remedy="use one query for each order"
            )
        return query
    _grouped(query)
    return replace(query, window=_on_stream(query.window, stream))


def _known(text: str, stream: Stream, *, with_window: bool) -> None:
    names = [*stream.columns, *IMPLICIT, *(WINDOW_COLUMNS if with_window else ("event_ts",))]
    for column in columns_of(text):
        if column not in names:
            raise UnknownColumn(
                f"stream {stream.name!r} has no column {column!r}", given=text, exists=names, remedy=nearest(column, names)
            )


def _known_over(frame: Over, stream: Stream) -> None:
    _known(frame.aggregate, stream, with_window=False)
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
    if not (query.group_by or query.having or any(map(is_aggregate, texts))):
        return
    fixed = {*query.group_by, *partition_columns(query.window), *WINDOW_COLUMNS}
    for name, text in query.expressions.items():
        stray = [] if is_aggregate(text) else [column for column in columns_of(text) if column not in fixed]
        if stray:
            raise BadQuery(
                f"column {stray[0]!r} is neither grouped nor aggregated",
                given=f"{text} AS {name}",
                exists=sorted(fixed),
                remedy=f"add {stray[0]!r} to GROUP BY, or aggregate it",
            )


def partition_columns(window: Window | None) -> tuple[str, ...]:
    """The PATTR of a window."""
    if isinstance(window, Partitioned):
        return window.pattr
    return partition_columns(window.window) if isinstance(window, Refined) else ()


def _on_stream(window: Window, stream: Stream) -> Window:
    named = window.pattr if isinstance(window, Partitioned) else window.where.columns if isinstance(window, Filtered) else ()
    for column in named:
        stream.type(column)
    if isinstance(window, Refined):
        return replace(window, window=_on_stream(window.window, stream))
    if window.attribute is None:
        return window
    unit = stream.unit(window.attribute)
    if isinstance(window, RowWindow):
        if isinstance(window.wattr, Position) and stream.type(window.attribute) not in ("int", "bigint"):
            raise NotOrdered(
                f"rows cannot be counted by {window.attribute!r}, a {stream.type(window.attribute)}",
                given=f"RANGE {window.range} WATTR {window.attribute}",
                remedy=f"write WATTR rank({window.attribute}), or count arrivals with WATTR row_num",
            )
        return window
    lengths = {clause.name: getattr(window, clause.name) for clause in fields(window) if clause.name in LENGTHS}  # type: ignore[arg-type]
    measured = {name: length for name, length in lengths.items() if _measured(length)}
    for name, length in measured.items():
        if unit_of(length) is not unit:
            raise WrongUnit(
                f"column {window.attribute!r} is measured in {unit.value}",
                given=f"{name.upper()} {length}",
                remedy="give a duration such as 5 minutes" if unit is Unit.TIME else "give a plain number",
            )
    if stream.type(window.attribute) != "double":
        return window
    doubles = {name: float(length) for name, length in measured.items() if isinstance(length, int | Decimal)}
    return replace(window, **doubles)  # type: ignore[type-var]


def _measured(length: Any) -> bool:
    return length is not None and not isinstance(length, Rows) and not callable(length)
