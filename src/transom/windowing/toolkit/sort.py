"""Sorting a stream: window by window, or as it goes on."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Output, Port
from transom.windowing.policies.policy import count


class BatchSort(Operator):
    """Each tumbling window in order, with a window punctuation behind it. Equal tuples stay in order of arrival.

    >>> from transom.windowing import OperatorRun, count, tumbling
    >>> run = OperatorRun(BatchSort(by=lambda t: t), tumbling(count(3)))
    >>> run.extend([3, 1, 2, 9, 8, 7])
    >>> run.take()
    [1, 2, 3, PUNCTUATION, 7, 8, 9, PUNCTUATION]
    """

    takes = Port(kinds="tumbling")
    gives = Output(like="in")

    def __init__(self, by: Callable[[Any], Any]) -> None:
        self._by = by

    def before_flush(self, window: Subwindow, partition: Any) -> None:
        for t in sorted(window, key=self._by):
            self.forward(t)


class ProgressiveSort(Operator):
    """Holds as many tuples as the window, and for each one that leaves it gives the smallest that it holds.

    The result is in order if no tuple comes later than the window is long.

    >>> from transom.windowing import OperatorRun, count, sliding
    >>> run = OperatorRun(ProgressiveSort(by=lambda t: t), sliding(count(2), count(1)))
    >>> run.extend([2, 1, 4, 3, 6, 5])
    >>> run.rows()
    [1, 2, 3, 4]
    """

    takes = Port(kinds="sliding", triggers=(count(1),))
    gives = Output(like="in", automatic=False)

    def __init__(self, by: Callable[[Any], Any]) -> None:
        self._by = by

    def after_insertion(self, window: Subwindow, partition: Any, t: Any) -> None:
        state = window.state
        state["came"] = came = state.get("came", 0) + 1
        heappush(state.setdefault("held", []), (self._by(t), came, t))

    def before_eviction(self, window: Subwindow, partition: Any, t: Any) -> None:
        self.forward(heappop(window.state["held"])[2])
        self.punctuate()
