"""The context class of a window (seed 000, section 4): what `wids` has to know besides the tuple itself."""

from __future__ import annotations

from enum import Enum

from transom.semantics.tuples import Rank, RowNum
from transom.semantics.windows.window import Window


class ContextClass(Enum):
    """Ordered by how much context is needed."""

    CF = "context free: the tuple alone"
    FCF = "forward-context free: counts of earlier tuples"
    FCB = "forward-context aware, bounded: later tuples, but the range of ids is known on arrival"
    FCU = "forward-context aware, unbounded: later tuples, and not even the range of ids is known"


def context_class(window: Window) -> ContextClass:
    """The class of a window.

    A count in the order of an attribute changes with every tuple that is still to come before it; ids that come
    from tuples are not known before those tuples; counts of arrivals are known on arrival.
    """
    if isinstance(window.counting, Rank):
        return ContextClass.FCU
    if window.ids_from_tuples:
        return ContextClass.FCB
    if isinstance(window.counting, RowNum):
        return ContextClass.FCF
    return ContextClass.CF
