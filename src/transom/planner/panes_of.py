"""Panes: where tuples may be added up to partial aggregates, and how wide they are."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa

from transom.kernels.columns.axis import NATURAL, Axis
from transom.kernels.spec import ROW_NUM
from transom.plan.nodes.windowed import Aggregate
from transom.plan.types.algebra import holistic
from transom.planner.spec_of import axis_of
from transom.planner.stage import Stage
from transom.semantics.length import measure
from transom.semantics.tuples import RowNum
from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding


def pane_of(stage: Stage) -> Any:
    """The window, where partial aggregates may be added up by pane; else None: where aggregates need tuples or their order."""
    window = stage.window
    if not isinstance(stage.top, Aggregate):
        return None
    counted = isinstance(window, RowWindow) and isinstance(window.wattr, RowNum)
    if not (counted or isinstance(window, Sliding | Landmark | LandmarkEvery | LandmarkUntil | Band)):
        return None
    items = [item for _, item in stage.top.items] + ([stage.top.having] if stage.top.having is not None else [])
    if any(holistic(item) for item in items) or stage.cut is None or stage.cut.timestamp != "instant":
        return None
    if any(ROW_NUM in call.args for call in stage.calls):
        return None
    return window


def has_panes(stage: Stage) -> bool:
    """Whether partials are kept, as far as a plan can tell without Spark."""
    window = pane_of(stage)
    if window is None or isinstance(window, RowWindow):
        return pane_width(stage, NATURAL) is not None
    return pane_width(stage, axis_of(stage, _arrow_type(stage.input_schema.find(str(window.attribute)).type))) is not None


def on_doubles(stage: Stage) -> bool:
    """Whether the window is on a column of doubles."""
    return stage.attribute is not None and pa.types.is_floating(_arrow_type(stage.input_schema.find(stage.attribute).type))


def _arrow_type(kind: str) -> pa.DataType:
    """The type of a column, as far as the axis depends on it."""
    name, _, rest = kind.upper().partition("(")
    if name in ("FLOAT", "DOUBLE"):
        return pa.float64()
    return pa.decimal128(38, int(rest.rstrip(")").partition(",")[2] or 0)) if name == "DECIMAL" else pa.int64()


def pane_width(stage: Stage, axis: Axis) -> int | None:
    """gcd(range, slide) on the axis, if that is one of integers. Panes of a single place pay only where they are shared."""
    window: Any = pane_of(stage)
    if isinstance(window, RowWindow):
        rows = math.gcd(window.range.count, window.slide.count)
        return rows if rows > 1 else None
    if window is None or axis.factor is None:
        return None
    lengths = [measure(window.slide)]
    for each in stage.together or (window,):
        if isinstance(each, Sliding):
            lengths += [measure(each.range), measure(each.slide)]
            lengths += [measure(each.lag)] if each.origin is not None and each.lag is not None else []
    width = math.gcd(*(int(axis.number(length)) for length in lengths))
    return width if width > 1 or stage.together else None
