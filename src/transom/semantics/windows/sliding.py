"""Type 1: sliding windows on one attribute, `RANGE r SLIDE s WATTR a`, and tumbling windows, where s = r."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transom.errors import ConflictingClauses, PartialNeedsOrigin, SlideTooSmall, WindowIdOutOfRange
from transom.semantics.interval import Interval
from transom.semantics.length import Length, Number, Value, attribute_name, divide, measure, on_attribute, positive
from transom.semantics.search import MOST_WINDOWS, first, id_limit
from transom.semantics.tuples import Tuples
from transom.semantics.windows.window import ContextFree


@dataclass(frozen=True, kw_only=True)
class Sliding(ContextFree):
    """Every `slide`, the tuples of the last `range`.

        extent(w) = { t | o + (w+1)s - r <= a(t) < o + (w+1)s }
        wids(t)   = { w | (a-o)/s - 1 < w <= (a-o+r)/s - 1 }

    By default o = r mod s, so that window starts are multiples of the slide; OFFSET shifts them. ORIGIN sets o
    and cuts there: w >= 0, and extents start no earlier than o. A LAG d moves the extent d before the instant
    e = o + (w+1)s at which it is evaluated.

    >>> from transom import minutes
    >>> str(Sliding(range=minutes(5), slide=minutes(1), wattr="ts").range)
    '5 minutes'
    """

    range: Length
    slide: Length
    wattr: str
    offset: Length | None = None
    origin: Value | None = None
    lag: Length | None = None
    partial: bool = True

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(range=self.range, slide=self.slide, offset=self.offset, origin=self.origin, lag=self.lag)
        positive("RANGE", self.range)
        slide = positive("SLIDE", self.slide)
        if self.lag is not None and measure(self.lag) != 0:
            positive("LAG", self.lag)
        if self.origin is not None and self.offset is not None:
            raise ConflictingClauses(
                "ORIGIN and OFFSET both say where windows begin",
                given=f"ORIGIN {self.origin} OFFSET {self.offset}",
                remedy="keep ORIGIN to cut the stream there, or OFFSET to shift the windows",
            )
        if not self.partial and self.origin is None:
            raise PartialNeedsOrigin(
                "without ORIGIN no window is partial", given="PARTIAL OFF", remedy="add an ORIGIN, or leave PARTIAL OFF out"
            )
        if not self.o - slide < self.o < self.o + slide:
            raise SlideTooSmall(
                "doubles cannot tell windows this close together apart",
                given=f"SLIDE {self.slide} at {self.o}",
                remedy="use a larger SLIDE, or a decimal attribute",
            )

    @property
    def edge_lengths(self) -> tuple[Length, ...]:
        return (self.range, self.slide, *([self.lag] if self.origin is not None and self.lag else []))

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def o(self) -> Number:
        """The origin."""
        if self.origin is not None:
            return measure(self.origin)
        shift = 0 if self.offset is None else measure(self.offset)
        return self._slides_in_range[1] + shift

    @property
    def _slides_in_range(self) -> tuple[int, Number]:
        return divide(measure(self.range), measure(self.slide))

    def _edge(self, n: int) -> Number:
        """o + ns. All bounds are made of these, so that windows that touch agree on where, in doubles too."""
        return self.o + n * measure(self.slide)

    def _upper(self, w: int) -> Number:
        return self._edge(w + 1) - self._lag

    def _lower(self, w: int) -> Number:
        """The upper bound less the range, whether or not ORIGIN cuts there."""
        slides, rest = self._slides_in_range
        return self._edge(w + 1 - slides) - rest - self._lag

    @property
    def _lag(self) -> Number:
        return 0 if self.lag is None else measure(self.lag)

    def instant(self, w: int, tuples: Tuples = ()) -> Number:
        return self._edge(w + 1)

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        return Interval(self._lower(w) if self.origin is None else max(self._lower(w), self.o), self._upper(w))

    def ids(self, a: Number) -> list[int]:
        if self.origin is not None and a < self.o:
            return []
        ends_after, starts_after = self.ends_after(a), self.starts_after(a)
        self.check_overlap(starts_after - ends_after)
        return [w for w in range(ends_after, starts_after) if self._exists(w)]

    def check_overlap(self, windows: int) -> None:
        """Refuse a tuple that would be in more windows than MOST_WINDOWS."""
        if windows > MOST_WINDOWS:
            raise WindowIdOutOfRange(
                f"a tuple would be in more than {MOST_WINDOWS:,} windows",
                given=f"RANGE {self.range} SLIDE {self.slide}",
                remedy="use a larger SLIDE",
            )

    def ends_after(self, a: Number) -> int:
        """The first window that ends after a place."""
        return self._first(lambda w: a < self._upper(w), a)

    def starts_after(self, a: Number) -> int:
        """The first window that starts after it."""
        return self._first(lambda w: a < self._lower(w), a)

    def _first(self, holds: Callable[[int], bool], a: Number) -> int:
        limit = id_limit(self.o, measure(self.slide), a)
        slides = float(a) / float(measure(self.slide))
        return first(holds, limit=limit, near=int(slides) if abs(slides) < limit else 0)

    def _exists(self, w: int) -> bool:
        if self.origin is None:
            return True
        whole = self._lower(w) >= self.o
        return w >= 0 and (whole or self.partial)


def tumbling(length: Length, wattr: str) -> Sliding:
    """`TUMBLE r`: windows that partition the stream.

    >>> from transom import minutes
    >>> tumbling(minutes(5), "ts") == Sliding(range=minutes(5), slide=minutes(5), wattr="ts")
    True
    """
    return Sliding(range=length, slide=length, wattr=wattr)
