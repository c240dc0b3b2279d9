"""Type 7: a time-varying extent, `RANGE <expression over window_end> MAX r SLIDE s`."""

from __future__ import annotations

from dataclasses import dataclass

from transom.errors import MissingClause
from transom.semantics.function import Function
from transom.semantics.interval import Interval
from transom.semantics.length import Length, Number, attribute_name, measure, on_attribute, positive, same_unit
from transom.semantics.search import first, id_limit
from transom.semantics.tuples import Tuples
from transom.semantics.windows.window import ContextFree


@dataclass(frozen=True, kw_only=True)
class Varying(ContextFree):
    """Every `slide`, the tuples of the last omega(window_end): seed 002's sliding window with a time-varying extent.

        extent(w) = { t | e - min(omega(e), MAX) <= a(t) < e },  e = (w+1)s

    `range` is given an end on the axis (microseconds, or a number) and returns a `Length`, or None for an empty
    extent. MAX bounds the state.
    """

    range: Function
    slide: Length
    wattr: str
    max: Length | None = None

    def __post_init__(self) -> None:
        if self.max is None:
            raise MissingClause(
                "a RANGE that varies needs a MAX, or its state would have no bound",
                given=f"RANGE {self.range}",
                remedy="add MAX with the longest length the range can take",
            )
        attribute_name("WATTR", self.wattr)
        on_attribute(slide=self.slide, max=self.max)
        positive("SLIDE", self.slide)
        positive("MAX", self.max)

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def _max(self) -> Number:
        assert self.max is not None
        return measure(self.max)

    def _length(self, w: int) -> Number:
        """omega(e), as the expression gives it; 0 for NULL and anything negative."""
        length = self.range(self.instant(w))
        if length is None:
            return 0
        same_unit(range=length, max=self.max)
        return max(measure(length), 0)

    def above_max(self, w: int) -> bool:
        """Whether the length of `w` came out above MAX, and was cut to it."""
        return self._length(w) > self._max

    def instant(self, w: int, tuples: Tuples = ()) -> Number:
        return (w + 1) * measure(self.slide)

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        end = self.instant(w)
        return Interval(end - min(self._length(w), self._max), end)

    def ids(self, a: Number) -> list[int]:
        limit = id_limit(measure(self.slide), a)
        ends_after = first(lambda w: a < self.instant(w), limit=limit)
        out_of_reach = first(lambda w: a < self.instant(w) - self._max, limit=limit)
        return [w for w in range(ends_after, out_of_reach) if a in self.bounds(w)]
