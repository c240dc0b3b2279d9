"""Sessions under GROUP BY: those of each group, as in Spark, Flink and Kafka."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.partitioned import Partitioned
from transom.semantics.windows.session import Session
from transom.semantics.windows.window import Window


def of_groups(window: Window, group_by: Sequence[str]) -> Window:
    """The window that GROUP BY makes of one: a session without PATTR becomes one of each group, every other window stays.

    >>> window = Session(gap=5, wattr="ts")
    >>> of_groups(window, ["cust"])
    Partitioned(window=Session(gap=5, wattr='ts', whole=False), pattr=('cust',))
    >>> of_groups(Session(gap=5, wattr="ts", whole=True), ["cust"])
    Session(gap=5, wattr='ts', whole=True)
    """
    if isinstance(window, Filtered):
        return replace(window, window=of_groups(window.window, group_by))
    if isinstance(window, Session) and not window.whole and group_by:
        return Partitioned(window, tuple(group_by))
    return window
