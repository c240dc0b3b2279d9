"""What every window specification answers: the three functions of seed 000 (section 3), and when a window is due.

`windows(T)` gives the window-ids, `extent(w, T)` the tuples in a window, `wids(t, T)` the windows a tuple is in.
The last two are inverse to each other: `w in wids(t, T)` if and only if `t in extent(w, T)`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

from transom.semantics.interval import Interval
from transom.semantics.length import Length, Number
from transom.semantics.tuples import Counting, Tuple, Tuples, axis_value

Wid = Any


class Window(ABC):
    """A window specification."""

    @property
    @abstractmethod
    def attribute(self) -> str | None:
        """The attribute that progress is measured on; None for windows in the order of arrival."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of tuples that it looks at, besides those that partition it."""
        return () if self.attribute is None else (self.attribute,)

    @property
    def counting(self) -> Counting | None:
        """The order in which this window counts tuples, if it counts them at all."""
        return None

    @property
    def ids_from_tuples(self) -> bool:
        """Whether a tuple can bring a window into being that other tuples then belong to."""
        return False

    @property
    def ids_are_values(self) -> bool:
        """Whether a window-id is a value of the windowing attribute, not a number counted from an origin."""
        return self.ids_from_tuples

    @property
    def reports_changes(self) -> bool:
        """Whether a window is reported only where its extent differs from the one before."""
        return False

    @property
    def end_is_instant(self) -> bool:
        """Whether `window_end` is the instant of each window."""
        return not getattr(self, "lag", None)

    @property
    def edge_lengths(self) -> tuple[Length, ...]:
        """The lengths of which all edges of windows are whole multiples, counted from one place; none where there are no such."""
        return ()

    @abstractmethod
    def windows(self, tuples: Tuples) -> list[Wid]:
        """windows(T): the ids, in order, of the windows that tuples of T are in."""

    @abstractmethod
    def bounds(self, w: Wid, tuples: Tuples = ()) -> Interval:
        """The bounds of window `w`."""

    @abstractmethod
    def wids(self, t: Tuple, tuples: Tuples) -> list[Wid]:
        """wids(t, T): the ids, in order, of the windows of windows(T) that contain `t`."""

    @abstractmethod
    def instant(self, w: Wid, tuples: Tuples = ()) -> Number | None:
        """The evaluation instant of `w`; None for row windows, which are evaluated at a row."""

    def extent(self, w: Wid, tuples: Tuples) -> list[Tuple]:
        """extent(w, T): the tuples of T in window `w`."""
        bounds, positions = self.bounds(w, tuples), self.positions(tuples)
        return [t for t in tuples if t in positions and positions[t] in bounds]

    def positions(self, tuples: Tuples) -> dict[Tuple, Number]:
        """a(t) for each tuple that is anywhere on the axis: NULL is not."""
        assert self.attribute is not None
        values = {t: axis_value(t[self.attribute], self.attribute) for t in tuples}
        return {t: a for t, a in values.items() if a is not None}

    def span(self, w: Wid, tuples: Tuples = ()) -> tuple[Number | None, Number]:
        """What `window_start` and `window_end` say of `w`: the bounds of its extent."""
        bounds = self.bounds(w, tuples)
        return bounds.lower, bounds.upper

    def complete(self, w: Wid, tuples: Tuples, frontier: Number) -> bool:
        """Whether `w` is to be reported: its extent is final."""
        return self.promised(w, tuples, frontier)

    def promised(self, w: Wid, tuples: Tuples, frontier: Number) -> bool:
        """Whether no tuple that may still come belongs to `w`, given that none has a < frontier."""
        instant = self.instant(w, tuples)
        assert instant is not None
        if frontier == math.inf:
            return True
        return frontier > instant if self.bounds(w, tuples).upper_closed else frontier >= instant


class ContextFree(Window):
    """A window whose ids for a tuple follow from the tuple alone."""

    @abstractmethod
    def ids(self, a: Number) -> list[Wid]:
        """The ids of the windows that contain the point `a` of the axis."""

    def windows(self, tuples: Tuples) -> list[Wid]:
        return sorted({w for a in self.positions(tuples).values() for w in self.ids(a)})

    def wids(self, t: Tuple, tuples: Tuples) -> list[Wid]:
        a = self.positions([t]).get(t)
        return [] if a is None else self.ids(a)
