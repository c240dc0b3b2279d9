"""Window-ids of context-free windows, for whole arrays: which windows a place is in, and which are still open.

Every place a belongs to the windows first(a) .. last(a) (with a range that varies, to some of them); every window below
opens(x) is complete once the frontier is at x. How they are found depends on the axis: `ids_on_integers`, `ids_on_doubles`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array, Bools, Ints
from transom.kernels.columns.axis import Axis
from transom.semantics.length import Number
from transom.semantics.windows.landmark import Growing
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

    ends = False
    """Whether there is a last place that is in a window. It need not be at an edge."""

    is_exact = True
    """Whether a place is in every window from its first to its last."""

    def __init__(self, window: Window, axis: Axis) -> None:
        self.window, self.axis = window, axis

    @property
    def grows(self) -> bool:
        """Whether only changes are reported."""
        return isinstance(self.window, Growing)

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
