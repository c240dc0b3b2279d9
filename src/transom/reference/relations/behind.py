"""How far the timestamps that rows of a join keep can be before the instant at which the rows appear."""

from __future__ import annotations

from datetime import date, datetime

from transom.reference.relations.held import WindowState
from transom.semantics.classes.measured import base_of, measured_lengths
from transom.semantics.length import Number, measure
from transom.semantics.progress.frontier import EVERYTHING
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session


def behind(state: WindowState, kept: str) -> Number:
    """How far the timestamp that a pair keeps can be before the instant at which it appears: MIN is that of the oldest tuple that
    a window holds, MAX that of one which a window has only from its next evaluation on. Rows may be any age."""
    base = base_of(state.window)
    lengths = {name: length for name, length in measured_lengths(base).items() if not isinstance(length, datetime | date)}
    if kept == "max":
        if isinstance(base, RowWindow | Session):
            return EVERYTHING
        lengths = {name: length for name, length in lengths.items() if name != "range"}
        return sum((measure(length) for length in lengths.values()), start=0)
    return sum(measure(length) for length in lengths.values()) if lengths else EVERYTHING
