"""A sink that writes in batches: as soon as there are enough tuples, or the oldest has waited long enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Output, Port


class Waiting:
    """The tuples that have not been written: a summary, because a window would hold those that have been, too."""

    def open(self, partition: Any) -> None:
        self.tuples: list[Any] = []

    def insert(self, t: Any) -> None:
        self.tuples.append(t)

    def close(self) -> None:
        """All have been written."""


class Batches(Operator):
    """Calls `write(tuples)`, and gives the size of each batch and whether it was full.

    `most` tuples make a batch full; the window, `tumbling(time("5 seconds"))`, says how long a tuple waits at most. After a batch
    that was full, what is left of the period belongs to the next one.

    >>> from transom.testing import FakeClock
    >>> from transom.windowing import OperatorRun, time, tumbling
    >>> from transom import seconds
    >>> clock, written = FakeClock(), []
    >>> run = OperatorRun(Batches(written.append, most=3), tumbling(time("5 seconds")), clock=clock)
    >>> run.extend("abcd")
    >>> clock.advance(seconds(5))
    >>> run.tick()
    >>> written
    [['a', 'b', 'c'], ['d']]
    """

    takes = Port(kinds="tumbling")
    gives = Output("size BIGINT, full BOOLEAN", punctuation="free")
    summarizer = Waiting

    def __init__(self, write: Callable[[list[Any]], Any], most: int = 1000) -> None:
        self._write = write
        self._most = most

    def after_insertion(self, window: Subwindow, partition: Any, t: Any) -> None:
        if len(window.summary.tuples) == self._most:
            self._give(window.summary, full=True)

    def before_flush(self, window: Subwindow, partition: Any) -> None:
        if window.summary.tuples:
            self._give(window.summary, full=False)

    def _give(self, waiting: Waiting, full: bool) -> None:
        batch, waiting.tuples = waiting.tuples, []
        self._write(batch)
        self.emit(len(batch), full)
