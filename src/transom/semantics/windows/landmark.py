"""Type 5: landmark windows, of which one bound stays where it is."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from transom.errors import ConflictingClauses, NotDivisible
from transom.semantics.interval import Interval
from transom.semantics.length import Length, Number, Value, attribute_name, divide, measure, on_attribute, positive
from transom.semantics.search import first, id_limit
from transom.semantics.tuples import Tuple, Tuples
from transom.semantics.windows.window import ContextFree, Window


class Growing(Window):
    """A window that only ever grows: a tuple, once in, is in all later ones."""

    @property
    def reports_changes(self) -> bool:
        return True

    @abstractmethod
    def slot(self, a: Number) -> int | None:
        """The first window that contains the point `a`; None if none does."""

    def windows(self, tuples: Tuples) -> list[int]:
        slots = {self.slot(a) for a in self.positions(tuples).values()}
        return sorted(w for w in slots if w is not None)

    def wids(self, t: Tuple, tuples: Tuples) -> list[int]:
        a = self.positions([t]).get(t)
        slot = None if a is None else self.slot(a)
        return [] if slot is None else [w for w in self.windows(tuples) if w >= slot]


@dataclass(frozen=True, kw_only=True)
class Landmark(Growing):
    """`LANDMARK FROM x SLIDE s`: all tuples since x; without FROM, since the beginning of the stream.

    extent(w) = { t | x <= a(t) < x + (w+1)s },  w >= 0
    """

    slide: Length
    wattr: str
    since: Value | None = None
    offset: Length | None = None

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(slide=self.slide, since=self.since, offset=self.offset)
        positive("SLIDE", self.slide)
        if self.since is not None and self.offset is not None:
            raise ConflictingClauses(
                "FROM and OFFSET both say where the slides begin",
                given=f"FROM {self.since} OFFSET {self.offset}",
                remedy="leave OFFSET out",
            )

    @property
    def edge_lengths(self) -> tuple[Length, ...]:
        return (self.slide,)

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def o(self) -> Number:
        start = self.since if self.since is not None else self.offset
        return 0 if start is None else measure(start)

    def instant(self, w: int, tuples: Tuples = ()) -> Number:
        return self.o + (w + 1) * measure(self.slide)

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        return Interval(None if self.since is None else self.o, self.instant(w))

    def slot(self, a: Number) -> int | None:
        if self.since is not None and a < self.o:
            return None
        return first(lambda w: a < self.instant(w), limit=id_limit(self.o, measure(self.slide), a))


@dataclass(frozen=True, kw_only=True)
class LandmarkUntil(Growing):
    """`LANDMARK UNTIL y SLIDE s`: all tuples up to y, y included; then frozen.

    extent(w) = { t | a(t) < o + (w+1)s and a(t) <= y },  up to the first w whose slide ends beyond y
    """

    until: Value
    slide: Length
    wattr: str
    offset: Length | None = None

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(slide=self.slide, until=self.until, offset=self.offset)
        positive("SLIDE", self.slide)

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
        return Landmark(slide=self.slide, wattr=self.wattr, offset=self.offset)

    def _last(self, w: int) -> bool:
        return self._open.instant(w) > measure(self.until)

    def holds_whole(self, x: Number) -> bool:
        """Whether the state at x is the whole, which takes in tuples at y."""
        return x >= measure(self.until)

    def instant(self, w: int, tuples: Tuples = ()) -> Number:
        return measure(self.until) if self._last(w) else self._open.instant(w)

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        return Interval(None, self.instant(w), upper_closed=self._last(w))

    def slot(self, a: Number) -> int | None:
        return self._open.slot(a) if a <= measure(self.until) else None


@dataclass(frozen=True, kw_only=True)
class LandmarkEvery(ContextFree):
    """`LANDMARK EVERY d SLIDE s`: a landmark that restarts at each multiple of d (Flink's CUMULATE).

    extent(w) = { t | o + floor(ws / d) d <= a(t) < o + (w+1)s }
    """

    every: Length
    slide: Length
    wattr: str
    offset: Length | None = None

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(every=self.every, slide=self.slide, offset=self.offset)
        slides, rest = divide(positive("EVERY", self.every), positive("SLIDE", self.slide))
        if slides < 1 or rest != 0:
            raise NotDivisible(
                "the SLIDE must divide the distance between landmarks",
                given=f"EVERY {self.every} SLIDE {self.slide}",
                remedy="choose a SLIDE that goes into EVERY a whole number of times",
            )

    @property
    def edge_lengths(self) -> tuple[Length, ...]:
        return (self.slide,)

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def _slides(self) -> int:
        """Slides from one landmark to the next."""
        return divide(measure(self.every), measure(self.slide))[0]

    def _edge(self, w: int) -> Number:
        """Where slide `w` begins."""
        return (0 if self.offset is None else measure(self.offset)) + w * measure(self.slide)

    def instant(self, w: int, tuples: Tuples = ()) -> Number:
        return self._edge(w + 1)

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        return Interval(self._edge(w - w % self._slides), self._edge(w + 1))

    def ids(self, a: Number) -> list[int]:
        slot = first(lambda w: a < self.instant(w), limit=id_limit(measure(self.slide), a))
        restart = slot - slot % self._slides + self._slides
        return list(range(slot, restart))
