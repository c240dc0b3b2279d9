"""Whether the lengths of a window are in the unit of the attribute they are measured on."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from transom.errors import NotOrdered, WrongUnit
from transom.semantics.length import Rows, Unit, unit_of
from transom.semantics.tuples import Position
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.refined import Refined
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Window

_MEASURED = ("range", "slide", "offset", "origin", "lag", "since", "until", "every", "lower", "upper", "gap", "max")


def base_of(window: Window) -> Window:
    """The window without its partitioning and filtering."""
    return base_of(window.window) if isinstance(window, Refined) else window


def partition_columns(window: Window) -> tuple[str, ...]:
    """The PATTR of a window."""
    if isinstance(window, Partitioned):
        return window.pattr
    return partition_columns(window.window) if isinstance(window, Filtered) else ()


def measured_lengths(window: Window) -> dict[str, Any]:
    """The lengths and points of a window that are measured on its attribute, by clause."""
    if isinstance(window, OfRows) or not is_dataclass(window):
        return {}
    given = {clause.name: getattr(window, clause.name) for clause in fields(window) if clause.name in _MEASURED}
    return {
        name: value for name, value in given.items() if value is not None and not isinstance(value, Rows) and not callable(value)
    }


def check_measured_on(window: Window, unit: Unit, *, is_integer: bool) -> None:
    """Refuse a window that its attribute, measured in `unit`, cannot be cut by."""
    attribute = window.attribute
    if isinstance(window, RowWindow) and isinstance(window.wattr, Position) and not is_integer:
        raise NotOrdered(
            f"rows cannot be counted by {attribute!r}, which is no integer",
            given=f"RANGE {window.range} WATTR {attribute}",
            remedy=f"write WATTR rank({attribute}), or count arrivals with WATTR row_num",
        )
    for clause, length in measured_lengths(window).items():
        if unit_of(length) is not unit:
            raise WrongUnit(
                f"column {attribute!r} is measured in {unit.value}",
                given=f"{clause.upper()} {length}",
                remedy="give a duration such as 5 minutes" if unit is Unit.TIME else "give a plain number",
            )
