"""Window-ids of context-free windows, for whole arrays: which windows a place is in, and which are still open.

Every place a belongs to the windows first(a) .. last(a) (with a range that varies, to some of them); every window below
opens(x) is complete once the frontier is at x. Integers are divided; doubles are looked up among the bounds themselves,
because a quotient of doubles disagrees with them now and then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array, Bools, Ints
from transom.kernels.columns.axis import NATURAL, Axis
from transom.semantics.length import Number, divide, measure
from transom.semantics.search import first as first_where
from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import Growing, Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window

FOREVER = 2**61
"""The last id of a place in a window that only grows."""


@dataclass(frozen=True)
class Reported:
    """What results say of windows: numbers on the axis, one for each id. `start` may be unknown."""

    start: Array
    end: Array
    instant: Array
    no_start: Bools


class Ids(ABC):
    """The ids of one window specification on one axis."""

    def __init__(self, window: Window, axis: Axis) -> None:
        self.window, self.axis = window, axis

    @property
    def grows(self) -> bool:
        """Whether only changes are reported."""
        return isinstance(self.window, Growing)

    @property
    def ends(self) -> bool:
        """Whether there is a last place that is in a window. It need not be at an edge."""
        return isinstance(self.window, Band | LandmarkUntil)

    @property
    def is_exact(self) -> bool:
        """Whether a place is in every window from its first to its last."""
        return not isinstance(self.window, Varying)

    @property
    def origin(self) -> int:
        """A place that edges of windows are counted from, on an axis of integers."""
        raise NotImplementedError

    @abstractmethod
    def first(self, a: Array) -> Ints:
        """The first window each place is in."""

    @abstractmethod
    def last(self, a: Array) -> Ints:
        """The last; below the first where there is none."""

    @abstractmethod
    def opens(self, frontier: Array) -> Ints:
        """The first window that is not complete at each frontier."""

    def bounds(self, ids: Ints) -> tuple[Array, Array]:
        """The half-open bounds of windows."""
        found = [self._bounds(int(w)) for w in ids]
        return np.array([lower for lower, _ in found], self.axis.dtype), np.array([upper for _, upper in found], self.axis.dtype)

    def _bounds(self, w: int) -> tuple[Any, Any]:
        interval = self.window.bounds(w)
        lower = self.axis.nothing_yet if interval.lower is None else self.axis.number(interval.lower)
        upper = self.axis.number(interval.upper)
        return lower, self.axis.after(upper) if interval.upper_closed else upper

    def report(self, ids: Ints) -> Reported:
        spans = [self.window.span(int(w)) for w in ids]
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        instants = [self.window.instant(int(w)) for w in ids]
        return Reported(
            self._places([0 if start is None else start for start in starts]),
            self._places(ends),
            self._places([end if instant is None else instant for instant, end in zip(instants, ends, strict=True)]),
            np.array([start is None for start in starts], dtype=bool),
        )

    def _places(self, numbers: list[Number]) -> Array:
        if self.axis.factor is None:
            return np.array([float(x) for x in numbers], np.float64)
        return np.array([self.axis.number(x) for x in numbers], np.int64)


class Divided(Ids):
    """Ids on an axis of integers, by division: o + ns are the edges."""

    @cached_property
    def _slide(self) -> int:
        window: Any = self.window
        return int(self.axis.number(measure(window.slide)))

    @cached_property
    def _o(self) -> int:
        window: Any = self.window
        if isinstance(window, Varying):
            return 0
        if isinstance(window, LandmarkEvery | LandmarkUntil):
            return 0 if window.offset is None else int(self.axis.number(measure(window.offset)))
        return int(self.axis.number(measure(window.lower) if isinstance(window, Band) else window.o))

    @property
    def origin(self) -> int:
        return self._o - self._lag

    @cached_property
    def _first_id(self) -> int | None:
        """The first window there is, where ORIGIN or FROM cuts."""
        window = self.window
        if isinstance(window, Sliding) and window.origin is not None:
            whole = 0 if window.partial else first_where(lambda w: window._lower(w) >= window.o)
            return max(0, whole)
        return 0 if isinstance(window, Band) or (isinstance(window, Landmark) and window.since is not None) else None

    @cached_property
    def _last_id(self) -> int:
        window: Any = self.window
        if isinstance(window, Band):
            return window.last
        return int(window.slot(measure(window.until)) or 0) if isinstance(window, LandmarkUntil) else FOREVER

    @cached_property
    def _lag(self) -> int:
        window: Any = self.window
        lag = getattr(window, "lag", None)
        return 0 if lag is None else int(self.axis.number(measure(lag)))

    def first(self, a: Array) -> Ints:
        found = (a + (self._lag - self._o)) // self._slide
        window = self.window
        if self._first_id is not None:
            found = np.where(a < self._o, FOREVER + 1, np.maximum(found, self._first_id))
        if isinstance(window, Band | LandmarkUntil):
            limit = measure(window.upper if isinstance(window, Band) else window.until)
            found = np.where(a >= self.axis.after(self.axis.number(limit)), FOREVER + 1, found)
        return np.asarray(found, np.int64)

    def last(self, a: Array) -> Ints:
        window: Any = self.window
        if isinstance(window, Sliding):
            slides, rest = divide(measure(window.range), measure(window.slide))
            rest = int(self.axis.number(rest))
            return np.asarray((a + (rest + self._lag - self._o)) // self._slide + (slides - 1), np.int64)
        if isinstance(window, Varying):
            return np.asarray((a + int(self.axis.number(measure(window.max or 0)))) // self._slide - 1, np.int64)
        if isinstance(window, LandmarkEvery):
            found = self.first(a)
            return np.asarray(found - found % window._slides + (window._slides - 1), np.int64)
        return np.full(len(a), self._last_id, np.int64)

    def opens(self, frontier: Array) -> Ints:
        found = (frontier - self._o) // self._slide
        window = self.window
        if isinstance(window, Band | LandmarkUntil):
            limit = self.axis.number(measure(window.upper if isinstance(window, Band) else window.until))
            found = np.where(frontier > limit, self._last_id + 1, np.minimum(found, self._last_id))
        return np.asarray(found, np.int64)

    def bounds(self, ids: Ints) -> tuple[Array, Array]:
        window = self.window
        if not isinstance(window, Sliding):
            return super().bounds(ids)
        upper = self._o + (ids + 1) * self._slide - self._lag
        lower = upper - int(self.axis.number(measure(window.range)))
        return lower if window.origin is None else np.maximum(lower, self._o), upper

    def report(self, ids: Ints) -> Reported:
        if not isinstance(self.window, Sliding):
            return super().report(ids)
        lower, upper = self.bounds(ids)
        return Reported(lower, upper, upper + self._lag, np.zeros(len(ids), bool))


class Searched(Ids):
    """Ids on an axis of doubles, by comparing with the bounds: not of each place, since those between two of the same windows are
    in these, too."""

    def first(self, a: Array) -> Ints:
        if isinstance(self.window, Varying):
            return self._ends_after(a, 0)
        if isinstance(self.window, Sliding) and self.window.origin is None:
            ends, starts = self._around(self.window, a)
            return np.where(ends < starts, ends, FOREVER + 1)
        return in_steps(lambda x: self._span_of(x)[0], a, unlike=FOREVER + 1)

    def last(self, a: Array) -> Ints:
        if isinstance(self.window, Landmark):
            return np.full(len(a), FOREVER, np.int64)
        if isinstance(self.window, LandmarkUntil):
            last = self.window.slot(measure(self.window.until))
            return np.full(len(a), last, np.int64)
        if isinstance(self.window, Varying):
            return self._ends_after(a, self.window._max) - 1
        if isinstance(self.window, Sliding) and self.window.origin is None:
            ends, starts = self._around(self.window, a)
            return np.where(ends < starts, starts - 1, FOREVER)
        return in_steps(lambda x: self._span_of(x)[1], a, unlike=FOREVER)

    def opens(self, frontier: Array) -> Ints:
        return in_steps(self._opens, frontier)

    def _opens(self, x: float) -> int:
        if np.isinf(x):
            return FOREVER if x > 0 else -FOREVER
        window: Any = self.window
        if isinstance(window, Band | LandmarkUntil):
            last = window.last if isinstance(window, Band) else window.slot(measure(window.until))
            if window.promised(last, (), x):
                return int(last or 0) + 1
        return first_where(lambda w: not window.promised(w, (), x))

    def _around(self, window: Sliding, a: Array) -> tuple[Ints, Ints]:
        """The first windows that end, and that start, after each place."""
        ends, starts = in_steps(window.ends_after, a), in_steps(window.starts_after, a)
        window.check_overlap(int((starts - ends).max(initial=0)))
        return ends, starts

    def _span_of(self, x: float) -> tuple[int, int]:
        """The first and the last window of a place; the last below the first, where it is in none."""
        window: Any = self.window
        if isinstance(window, Growing):
            slot = window.slot(x)
            ids = [] if slot is None else [slot]
        else:
            ids = window.ids(x)
        return (ids[0], ids[-1]) if ids else (FOREVER + 1, FOREVER)

    def _ends_after(self, a: Array, reach: Number) -> Ints:
        """The first window whose end, less a reach, is beyond each place. Windows that vary are candidates within reach."""
        window: Any = self.window
        return in_steps(lambda x: first_where(lambda w: x < window.instant(w) - reach), a)


def in_steps(id_of: Callable[[float], int], places: Array, *, unlike: int | None = None) -> Ints:
    """The ids of places, if they never fall: those between two of the same id have it, too, unless it is `unlike` others and says
    that a place is in no window."""
    distinct, place = np.unique(places, return_inverse=True)
    if not len(distinct):
        return np.zeros(0, np.int64)
    found = np.zeros(len(distinct), np.int64)
    found[0], found[-1] = id_of(float(distinct[0])), id_of(float(distinct[-1]))
    open_ = [(0, len(distinct) - 1)]
    while open_:
        low, high = open_.pop()
        if found[low] == found[high] != unlike:
            found[low + 1 : high] = found[low]
        elif high - low > 1:
            middle = (low + high) // 2
            found[middle] = id_of(float(distinct[middle]))
            open_ += [(low, middle), (middle, high)]
    return found[place]


def ids_of(window: Window, axis: Axis) -> Ids:
    """The ids of a window. Rows are numbered on an axis of their own."""
    if isinstance(window, RowWindow):
        return Divided(window._cut, NATURAL)
    return Searched(window, axis) if axis.factor is None else Divided(window, axis)
