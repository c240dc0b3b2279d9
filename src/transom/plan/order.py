"""Streams that were handed over without a timestamp column: what needs one does not take the time of arrival instead, unasked."""

from __future__ import annotations

from transom.column_names import ARRIVAL_TS
from transom.errors import MissingClause
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.nodes.windowed import Frame
from transom.plan.types.schema import TIME_TYPES
from transom.semantics.classes.measured import base_of
from transom.semantics.length import Rows
from transom.semantics.windows.window import Window


def check_order(window: Window, node: Node, named: str | None, *, handed_over: bool = False) -> None:
    """Refuse a window on the order of a DataFrame that has none; `named` is the attribute that the window itself names."""
    if named is None and base_of(window).attribute == node.time_attribute:
        check_ordered(node, "a window on an attribute", handed_over=handed_over)


def check_frame_order(frame: Frame, node: Node, *, handed_over: bool = False) -> None:
    """Refuse an OVER frame that is measured on the order of a DataFrame that has none."""
    lengths = [one for one in (frame.preceding, frame.slide) if one is not None and not isinstance(one, Rows)]
    if frame.order_by is None and (lengths or frame.peers):
        check_ordered(node, "a frame measured by RANGE", handed_over=handed_over)


def check_ordered(node: Node, what: str, *, handed_over: bool = False) -> None:
    """Refuse what is measured on the order of a DataFrame that has none; of any stream without one, if it was `handed_over`."""
    for scan in (one for one in node.walk() if isinstance(one, Scan)):
        if scan.stream.order_by is None and (handed_over or scan.stream.frame is not None):
            raise unordered(scan.stream, what)


def unordered(stream: StreamDefinition, what: str) -> MissingClause:
    """The error, with the columns that could be the order."""
    times = [column.name for column in stream.columns if column.type.upper() in TIME_TYPES]
    likely = times[0] if times else ARRIVAL_TS
    return MissingClause(
        f"{what} needs to know which column {stream.title} is ordered by",
        given="no order_by",
        exists=[*times, ARRIVAL_TS],
        remedy=f'say so: stream(df, order_by="{likely}")' + ("; arrival_ts is the time of arrival" if times else ""),
    )
