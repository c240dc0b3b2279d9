"""Streaming joins: each new tuple is matched with the window of the other side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from transom.errors import WindowNotTaken
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.operator.operator import Operator
from transom.windowing.operator.ports import Output, Port
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import count

SIDE = Port(kinds="sliding", triggers=(count(1),), empty=True, punctuation="oblivious")
OTHER = {"left": "right", "right": "left"}


class Join(Operator):
    """Pairs of tuples that match, with a window punctuation after each tuple's matches.

    `match(left, right)` says whether two tuples match, and `pair(left, right)` what comes out. A tuple of a side with `count(0)`
    is matched when it comes, and not kept: a one-sided join. Partitioned windows match within partitions.

    >>> from transom.windowing import OperatorRun
    >>> from transom.windowing.policies.policy import count
    >>> from transom.windowing.tumbling_and_sliding import sliding
    >>> join = Join("a BIGINT, b BIGINT", match=lambda a, b: b % a == 0, pair=lambda a, b: (a, b))
    >>> run = OperatorRun(join, {"left": sliding(count(10), count(1)), "right": sliding(count(0), count(1))})
    >>> run.extend([2, 3, 4], "left")
    >>> run.insert(8, "right")
    >>> run.rows("matched")
    [Row(a=2, b=8), Row(a=4, b=8)]
    """

    takes: Mapping[str, Port] = {"left": SIDE, "right": SIDE}

    def __init__(self, gives: str, match: Callable[[Any, Any], bool], pair: Callable[[Any, Any], tuple[Any, ...]]) -> None:
        self.gives: dict[str, Output] = {"matched": Output(gives, automatic=False)}
        self._match = match
        self._pair = pair

    def check_windows(self, windows: Mapping[str, Configuration]) -> None:
        if len(windows["left"].keys) != len(windows["right"].keys):
            raise WindowNotTaken(
                "the sides of a join are partitioned alike",
                given=", ".join(f"{port} {window}" for port, window in windows.items()),
                remedy="partition both sides by as many attributes, or none",
            )

    def after_insertion(self, window: Subwindow, partition: Any, t: Any) -> None:
        for _ in self.matches(window, partition, t):
            pass
        self.punctuate("matched")

    def matches(self, window: Subwindow, partition: Any, t: Any) -> Any:
        """Emit the pairs of a tuple; yields the place of each partner in its window."""
        from_left = window.port == "left"
        for place, other in enumerate(self.window(OTHER[window.port], partition)):
            left, right = (t, other) if from_left else (other, t)
            if self._match(left, right):
                self.emit(*self._pair(left, right), port="matched")
                yield place


class OuterJoin(Join):
    """A join that also gives the tuples that leave their window unmatched, on ports `left` and `right`, as they came.

    Beside each window it keeps, tuple by tuple, whether there has been a match.
    """

    def __init__(
        self,
        gives: str,
        match: Callable[[Any, Any], bool],
        pair: Callable[[Any, Any], tuple[Any, ...]],
        sides: tuple[str, ...] = ("left", "right"),
    ) -> None:
        super().__init__(gives, match, pair)
        self.gives |= {side: Output(like=side, punctuation="free") for side in sides}
        self._sides = sides

    def after_insertion(self, window: Subwindow, partition: Any, t: Any) -> None:
        theirs = self._matched(self.window(OTHER[window.port], partition))
        met = False
        for place in self.matches(window, partition, t):
            met = True
            theirs[place][0] = True
        self._matched(window).append([met])
        self.punctuate("matched")

    def before_eviction(self, window: Subwindow, partition: Any, t: Any) -> None:
        self._leave(window, t, self._matched(window).popleft())

    def on_partition_eviction(self, window: Subwindow, partition: Any) -> None:
        for t, met in zip_longest(window, self._matched(window)):
            self._leave(window, t, met)

    def _leave(self, window: Subwindow, t: Any, met: list[bool]) -> None:
        if not met[0] and window.port in self._sides:
            self.forward(t, port=window.port)

    @staticmethod
    def _matched(window: Subwindow) -> deque[list[bool]]:
        """For each tuple of a window, in a list of its own so that it can be changed in place, whether it has been matched."""
        met: deque[list[bool]] = window.state.setdefault("matched", deque())
        return met
