"""Type 5: the fixed band, `BAND x TO y SLIDE s`."""

from __future__ import annotations

from dataclasses import dataclass

from transom.errors import EmptyBand, WindowIdOutOfRange
from transom.semantics.interval import Interval
from transom.semantics.length import Length, Number, Value, attribute_name, measure, on_attribute, positive
from transom.semantics.search import MOST_WINDOWS, first
from transom.semantics.tuples import Tuples
from transom.semantics.windows.landmark import Landmark
from transom.semantics.windows.window import ContextFree


@dataclass(frozen=True, kw_only=True)
class Band(ContextFree):
    """The tuples between two fixed bounds, both included; a growing prefix of them every slide.

    extent(w) = { t | x <= a(t) < x + (w+1)s },  and for the last, { t | x <= a(t) <= y }
    """

    lower: Value
    upper: Value
    slide: Length
    wattr: str

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(band=self.lower, to=self.upper, slide=self.slide)
        positive("SLIDE", self.slide)
        if measure(self.lower) > measure(self.upper):
            raise EmptyBand(
                "the lower bound of a band is above its upper bound",
                given=f"BAND {self.lower} TO {self.upper}",
                remedy="exchange the bounds",
            )

    @property
    def edge_lengths(self) -> tuple[Length, ...]:
        return (self.slide,)

    @property
    def end_is_instant(self) -> bool:
        """The last of them ends behind its instant, which it holds."""
        return False

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def _open(self) -> Landmark:
        return Landmark(slide=self.slide, wattr=self.wattr, since=self.lower)

    @property
    def last(self) -> int:
        """The id of the whole band."""
        return first(lambda w: self._open.instant(w) > measure(self.upper))

    def instant(self, w: int, tuples: Tuples = ()) -> Number:
        return measure(self.upper) if w == self.last else self._open.instant(w)

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        return Interval(measure(self.lower), self.instant(w), upper_closed=w == self.last)

    def ids(self, a: Number) -> list[int]:
        slot = self._open.slot(a)
        if slot is not None and self.last - slot > MOST_WINDOWS:
            raise WindowIdOutOfRange(
                f"a tuple would be in more than {MOST_WINDOWS:,} windows",
                given=f"SLIDE {self.slide}",
                remedy="use a larger SLIDE",
            )
        return [] if slot is None or a > measure(self.upper) else list(range(slot, self.last + 1))
