"""Drop tuples that have been seen within a window (call records that are sent twice, seed 004, section 2.2)."""

from __future__ import annotations

from typing import Any

from transom.windowing.attributes import value
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Output, Port, preserving


class Deduplicate(Operator):
    """Passes a tuple on unless the window holds one with the same values of `by`.

    The window is the memory: `time("10 minutes")` forgets by the clock, `delta("ts", "10 minutes")` by the tuples' own time,
    `count(n)` after n tuples, this one included. A tuple is remembered from its last repetition on. What comes out is punctuated
    as what came in.

    >>> from transom.windowing import OperatorRun, count, sliding
    >>> run = OperatorRun(Deduplicate("call"), sliding(count(4), count(1)))
    >>> run.extend([{"call": call} for call in "aabcab"])
    >>> [t["call"] for t in run.rows()]
    ['a', 'b', 'c']
    """

    takes = Port(kinds="sliding", punctuation="oblivious")
    gives = Output(like="in", punctuation=preserving("in"))

    def __init__(self, *by: str) -> None:
        self._by = by

    def after_insertion(self, window: Subwindow, partition: Any, t: Any) -> None:
        seen = window.state
        key = self._key(t)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 1:
            self.forward(t)

    def after_eviction(self, window: Subwindow, partition: Any, t: Any) -> None:
        seen = window.state
        key = self._key(t)
        seen[key] -= 1
        if not seen[key]:
            del seen[key]

    def _key(self, t: Any) -> Any:
        return tuple([value(t, name) for name in self._by])
