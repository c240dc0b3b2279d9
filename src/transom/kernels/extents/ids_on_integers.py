"""Window-ids on an axis of integers, by division: o + ns are the edges."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.extents.window_ids import FOREVER, Ids, Reported
from transom.semantics.length import divide, measure
from transom.semantics.search import first as first_where
from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window


class Divided(Ids):
    """What all windows have in common. A window type says where it differs."""

    @cached_property
    def _slide(self) -> int:
        window: Any = self.window
        return self._on_axis(window.slide)

    @cached_property
    def _o(self) -> int:
        window: Any = self.window
        return self._on_axis(window.o)

    @property
    def _lag(self) -> int:
        return 0

    @property
    def origin(self) -> int:
        return self._o - self._lag

    @property
    def _first_id(self) -> int | None:
        """The first window there is, where ORIGIN or FROM cuts."""
        return None

    @property
    def _last_id(self) -> int:
        return FOREVER

    @property
    def _limit(self) -> int | None:
        """The last place that is in a window, if there is one."""
        return None

    def first(self, a: Array) -> Ints:
        found = (a + (self._lag - self._o)) // self._slide
        if self._first_id is not None:
            found = np.where(a < self._o, FOREVER + 1, np.maximum(found, self._first_id))
        if self._limit is not None:
            found = np.where(a >= self.axis.after(self._limit), FOREVER + 1, found)
        return np.asarray(found, np.int64)

    def last(self, a: Array) -> Ints:
        return np.full(len(a), self._last_id, np.int64)

    def opens(self, frontier: Array) -> Ints:
        found = (frontier - self._o) // self._slide
        if self._limit is not None:
            found = np.where(frontier > self._limit, self._last_id + 1, np.minimum(found, self._last_id))
        return np.asarray(found, np.int64)

    def _on_axis(self, length: Any) -> int:
        return int(self.axis.number(measure(length)))


class DividedSliding(Divided):
    """Sliding and tumbling windows: bounds are computed for all ids at once."""

    window: Sliding

    @cached_property
    def _lag(self) -> int:
        return 0 if self.window.lag is None else self._on_axis(self.window.lag)

    @cached_property
    def _first_id(self) -> int | None:
        window = self.window
        if window.origin is None:
            return None
        whole = 0 if window.partial else first_where(lambda w: window._lower(w) >= window.o)
        return max(0, whole)

    def last(self, a: Array) -> Ints:
        slides, rest = divide(measure(self.window.range), measure(self.window.slide))
        rest = int(self.axis.number(rest))
        return np.asarray((a + (rest + self._lag - self._o)) // self._slide + (slides - 1), np.int64)

    def bounds(self, ids: Ints) -> tuple[Array, Array]:
        upper = self._o + (ids + 1) * self._slide - self._lag
        lower = upper - self._on_axis(self.window.range)
        return lower if self.window.origin is None else np.maximum(lower, self._o), upper

    def report(self, ids: Ints) -> Reported:
        lower, upper = self.bounds(ids)
        return Reported(lower, upper, upper + self._lag, np.zeros(len(ids), bool))


class DividedVarying(Divided):
    """Windows of varying length: a place may be in those that end within the longest range."""

    window: Varying
    is_exact = False

    @property
    def _o(self) -> int:
        return 0

    def last(self, a: Array) -> Ints:
        return np.asarray((a + self._on_axis(self.window.max or 0)) // self._slide - 1, np.int64)


class DividedLandmark(Divided):
    """Landmarks, with FROM or without."""

    window: Landmark

    @property
    def _first_id(self) -> int | None:
        return None if self.window.since is None else 0


class _Offset(Divided):
    """Landmarks whose slide may have an offset."""

    window: LandmarkEvery | LandmarkUntil

    @cached_property
    def _o(self) -> int:
        return 0 if self.window.offset is None else self._on_axis(self.window.offset)


class DividedEvery(_Offset):
    """Landmarks that begin again."""

    window: LandmarkEvery

    def last(self, a: Array) -> Ints:
        found, slides = self.first(a), self.window._slides
        return np.asarray(found - found % slides + (slides - 1), np.int64)


class DividedUntil(_Offset):
    """Landmarks that end."""

    window: LandmarkUntil
    ends = True

    @cached_property
    def _last_id(self) -> int:
        return int(self.window.slot(measure(self.window.until)) or 0)

    @cached_property
    def _limit(self) -> int | None:
        return self._on_axis(self.window.until)


class DividedBand(Divided):
    """Bands: both ends stay where they are."""

    window: Band
    ends = True

    @cached_property
    def _o(self) -> int:
        return self._on_axis(self.window.lower)

    @property
    def _first_id(self) -> int | None:
        return 0

    @cached_property
    def _last_id(self) -> int:
        return self.window.last

    @cached_property
    def _limit(self) -> int | None:
        return self._on_axis(self.window.upper)


ON_INTEGERS: dict[type[Window], type[Divided]] = {
    Sliding: DividedSliding,
    Varying: DividedVarying,
    Landmark: DividedLandmark,
    LandmarkEvery: DividedEvery,
    LandmarkUntil: DividedUntil,
    Band: DividedBand,
}
"""The ids of each type of window."""
