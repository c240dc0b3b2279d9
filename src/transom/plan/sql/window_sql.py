"""Windows, frames and lengths as SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import singledispatch
from typing import Any

from transom.plan.nodes.windowed import Frame
from transom.plan.sql.quoted_names import name_of, names_of
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import Rows
from transom.semantics.time import Duration
from transom.semantics.tuples import Position, Rank, RowNum
from transom.semantics.windows.band import Band
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window
from transom.windowing.policy_window import PolicyWindow

Clauses = Callable[[Any], dict[str, Any]]

CLAUSES: Mapping[type[Window], Clauses] = {
    Sliding: lambda w: {
        "RANGE": w.range,
        "SLIDE": w.slide,
        "WATTR": w.wattr,
        "OFFSET": w.offset,
        "ORIGIN": w.origin,
        "LAG": w.lag,
        "PARTIAL": None if w.partial else "OFF",
    },
    EveryInstant: lambda w: {"RANGE": w.range, "WATTR": w.wattr, "LAG": w.lag},
    RowWindow: lambda w: {"RANGE": w.range, "SLIDE": w.slide, "WATTR": w.wattr, "PARTIAL": None if w.partial else "OFF"},
    SlideByTuple: lambda w: {"RANGE": w.range, "RATTR": w.rattr, "SLIDE": w.slide, "SATTR": w.sattr},
    Landmark: lambda w: {"LANDMARK": "", "FROM": w.since, "SLIDE": w.slide, "WATTR": w.wattr, "OFFSET": w.offset},
    LandmarkUntil: lambda w: {"LANDMARK UNTIL": w.until, "SLIDE": w.slide, "WATTR": w.wattr, "OFFSET": w.offset},
    LandmarkEvery: lambda w: {"LANDMARK EVERY": w.every, "SLIDE": w.slide, "WATTR": w.wattr, "OFFSET": w.offset},
    Band: lambda w: {"BAND": w.lower, "TO": w.upper, "SLIDE": w.slide, "WATTR": w.wattr},
    Now: lambda w: {"NOW": "", "WATTR": w.wattr},
    Varying: lambda w: {"RANGE": w.range.text, "MAX": w.max, "SLIDE": w.slide, "WATTR": w.wattr},
    Session: lambda w: {"SESSION GAP": w.gap, "WATTR": w.wattr, "PATTR": "()" if w.whole else None},
}
"""The clauses of each type of window and their values, in the order in which they are written; None is left out."""


def render_window(window: Window) -> str:
    """The clauses of a window, in one order."""
    base = base_of(window)
    if isinstance(base, PolicyWindow):
        return f"{str(base.policies)[1:-1]}{' PER SHARD' * base.per_shard}"
    clauses = [
        (name, _attribute(value) if name in ATTRIBUTES else render_length(value))
        for name, value in CLAUSES[type(base)](base).items()
        if value is not None
    ]
    if partition_columns(window):
        clauses.append(("PATTR", names_of(partition_columns(window))))
    if isinstance(window, Filtered):
        clauses.append(("WHERE", window.where.text))
    return " ".join(f"{name} {value}".strip() for name, value in clauses)


ATTRIBUTES = ("WATTR", "RATTR", "SATTR")
"""The clauses that name a column."""


def _attribute(attribute: str | RowNum | Rank | Position) -> str:
    if isinstance(attribute, Rank):
        return f"rank({name_of(attribute.attribute)})"
    return name_of(str(attribute))


@singledispatch
def render_length(value: Any) -> str:
    """A length, a point, or a name that is one already."""
    return str(value)


@render_length.register
def _duration(value: Duration) -> str:
    return f"INTERVAL {value.micros} MICROSECONDS" if value.micros < 0 else str(value).upper()


@render_length.register
def _rows(value: Rows) -> str:
    return str(value).upper()


@render_length.register
def _timestamp(value: datetime) -> str:
    return f"TIMESTAMP '{value.isoformat()}'"


@render_length.register
def _date(value: date) -> str:
    return f"DATE '{value.isoformat()}'"


def render_frame(frame: Frame) -> str:
    """An OVER clause."""
    parts = []
    if frame.partition_by:
        parts.append(f"PARTITION BY {names_of(frame.partition_by)}")
    if frame.order_by is not None:
        parts.append(f"ORDER BY {name_of(frame.order_by)}")
    if frame.preceding is None:
        parts.append(f"{'RANGE' if frame.peers else 'ROWS'} UNBOUNDED PRECEDING")
    elif isinstance(frame.preceding, Rows):
        parts.append(f"ROWS {frame.preceding.count} PRECEDING")
    else:
        parts.append(f"RANGE {render_length(frame.preceding)} PRECEDING")
    if frame.slide is not None:
        parts.append(f"SLIDE {render_length(frame.slide)}")
    if frame.unbounded_state:
        parts.append("UNBOUNDED STATE")
    if frame.active:
        parts.append("ACTIVE EXPIRATION")
    return f"{frame.aggregate.text} OVER ({' '.join(parts)})"
