"""Window-ids on an axis of doubles, by comparing with the bounds themselves.

A quotient of doubles disagrees with bounds now and then. Not each place is looked up: those between two of the same windows are
in these, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.extents.window_ids import FOREVER, Ids
from transom.semantics.length import Number, measure
from transom.semantics.search import first as first_where
from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window


class Searched(Ids):
    """What all windows have in common. A window type says where it differs."""

    def first(self, a: Array) -> Ints:
        return in_steps(lambda x: self._span_of(x)[0], a, unlike=FOREVER + 1)

    def last(self, a: Array) -> Ints:
        return in_steps(lambda x: self._span_of(x)[1], a, unlike=FOREVER)

    def opens(self, frontier: Array) -> Ints:
        return in_steps(self._opens, frontier)

    @property
    def _last_id(self) -> int | None:
        """The last window, if there is one."""
        return None

    def _opens(self, x: float) -> int:
        if np.isinf(x):
            return FOREVER if x > 0 else -FOREVER
        last = self._last_id
        if last is not None and self.window.promised(last, (), x):
            return last + 1
        return first_where(lambda w: not self.window.promised(w, (), x))

    def _ids_at(self, x: float) -> list[int]:
        window: Any = self.window
        return list(window.ids(x))

    def _span_of(self, x: float) -> tuple[int, int]:
        """The first and the last window of a place; the last below the first, where it is in none."""
        ids = self._ids_at(x)
        return (ids[0], ids[-1]) if ids else (FOREVER + 1, FOREVER)


class SearchedSliding(Searched):
    """Sliding and tumbling windows; where ORIGIN does not cut, the first that ends and that starts after a place are enough."""

    window: Sliding

    def first(self, a: Array) -> Ints:
        if self.window.origin is not None:
            return super().first(a)
        ends, starts = self._around(a)
        return np.where(ends < starts, ends, FOREVER + 1)

    def last(self, a: Array) -> Ints:
        if self.window.origin is not None:
            return super().last(a)
        ends, starts = self._around(a)
        return np.where(ends < starts, starts - 1, FOREVER)

    def _around(self, a: Array) -> tuple[Ints, Ints]:
        """The first windows that end, and that start, after each place."""
        ends, starts = in_steps(self.window.ends_after, a), in_steps(self.window.starts_after, a)
        self.window.check_overlap(int((starts - ends).max(initial=0)))
        return ends, starts


class SearchedVarying(Searched):
    """Windows of varying length are candidates within reach."""

    window: Varying
    is_exact = False

    def first(self, a: Array) -> Ints:
        return self._ends_after(a, 0)

    def last(self, a: Array) -> Ints:
        return self._ends_after(a, self.window._max) - 1

    def _ends_after(self, a: Array, reach: Number) -> Ints:
        """The first window whose end, less a reach, is beyond each place."""
        window: Any = self.window
        return in_steps(lambda x: first_where(lambda w: x < window.instant(w) - reach), a)


class SearchedGrowing(Searched):
    """Landmarks: a place is in the window of its slot, and in those after it."""

    def _ids_at(self, x: float) -> list[int]:
        window: Any = self.window
        slot = window.slot(x)
        return [] if slot is None else [slot]


class SearchedLandmark(SearchedGrowing):
    """Landmarks without an end."""

    def last(self, a: Array) -> Ints:
        return np.full(len(a), FOREVER, np.int64)


class SearchedUntil(SearchedGrowing):
    """Landmarks that end."""

    window: LandmarkUntil
    ends = True

    @property
    def _last_id(self) -> int | None:
        return int(self.window.slot(measure(self.window.until)) or 0)

    def last(self, a: Array) -> Ints:
        return np.full(len(a), self._last_id, np.int64)


class SearchedBand(Searched):
    """Bands: both ends stay where they are."""

    window: Band
    ends = True

    @property
    def _last_id(self) -> int | None:
        return self.window.last


ON_DOUBLES: dict[type[Window], type[Searched]] = {
    Sliding: SearchedSliding,
    Varying: SearchedVarying,
    Landmark: SearchedLandmark,
    LandmarkEvery: Searched,
    LandmarkUntil: SearchedUntil,
    Band: SearchedBand,
}
"""The ids of each type of window."""


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
