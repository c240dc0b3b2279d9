"""Which window-ids a window has on an axis: the place to add those of a new type.

Integers are divided; doubles are looked up among the bounds themselves.
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
