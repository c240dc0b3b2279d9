"""Which window-ids a place on an axis has: divided on integers (`ids_on_integers.py`), looked up among the bounds on doubles
(`ids_on_doubles.py`).
"""

from __future__ import annotations

from transom.kernels.columns.axis import NATURAL, Axis
from transom.kernels.extents.ids_on_doubles import ON_DOUBLES, in_steps
from transom.kernels.extents.ids_on_integers import ON_INTEGERS, DividedSliding
from transom.kernels.extents.window_ids import FOREVER, Ids, Reported
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.window import Window

__all__ = ["FOREVER", "Ids", "Reported", "ids_of", "in_steps"]


def ids_of(window: Window, axis: Axis) -> Ids:
    """The ids of a window. Rows are numbered on an axis of their own."""
    if isinstance(window, RowWindow):
        return DividedSliding(window._cut, NATURAL)
    if axis.factor is None:
        return ON_DOUBLES[type(window)](window, axis)
    return ON_INTEGERS[type(window)](window, axis)
