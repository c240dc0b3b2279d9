"""Type 4: slide by tuple, `RANGE r RATTR a SLIDE n ROWS [SATTR row_num | rank(a)]`."""

from __future__ import annotations

from dataclasses import dataclass, field

from transom.errors import ConflictingClauses, MixedUnits
from transom.semantics.interval import Interval, closed_at
from transom.semantics.length import Length, Number, Rows, Unit, attribute_name, measure, positive, rows, unit_of
from transom.semantics.tuples import Counting, Rank, RowNum, Tuple, Tuples, rank
from transom.semantics.windows.window import Window


@dataclass(frozen=True, kw_only=True)
class SlideByTuple(Window):
    """At every n-th tuple, the tuples of the last `range`.

        windows   = { a(t) | row_num(t) mod n = 0 }    or, with SATTR rank(a), rank(t) mod n = 0
        extent(w) = { u | w - r < a(u) <= w }

    Tuples with equal `a` share one window.
    """

    range: Length
    rattr: str
    slide: Rows = field(default_factory=lambda: rows(1))
    sattr: Counting = field(default_factory=RowNum)

    def __post_init__(self) -> None:
        attribute_name("RATTR", self.rattr)
        if unit_of(self.range) is Unit.ROWS or not isinstance(self.slide, Rows):
            raise MixedUnits(
                "a slide-by-tuple window has its RANGE on an attribute and its SLIDE in rows",
                given=f"RANGE {self.range} SLIDE {self.slide}",
                remedy="write, for example, RANGE 300 SECONDS RATTR ts SLIDE 1 ROW",
            )
        positive("RANGE", self.range)
        positive("SLIDE", self.slide)
        if isinstance(self.sattr, Rank) and self.sattr.attribute != self.rattr:
            raise ConflictingClauses(
                "the order in which tuples are counted must be that of the range attribute",
                given=f"RATTR {self.rattr} SATTR {self.sattr}",
                remedy=f"write SATTR rank({self.rattr})",
            )

    @property
    def attribute(self) -> str:
        return self.rattr

    @property
    def counting(self) -> Counting | None:
        return self.sattr if self.slide != rows(1) else None

    @property
    def ids_from_tuples(self) -> bool:
        return True

    def windows(self, tuples: Tuples) -> list[Number]:
        positions = self.positions(tuples)
        return sorted({a for t, a in positions.items() if self._count(t, tuples) % self.slide.count == 0})

    def _count(self, t: Tuple, tuples: Tuples) -> int:
        return t.row_num if isinstance(self.sattr, RowNum) else rank(t, self.sattr.attribute, tuples)

    def bounds(self, w: Number, tuples: Tuples = ()) -> Interval:
        return closed_at(w, measure(self.range))

    def wids(self, t: Tuple, tuples: Tuples) -> list[Number]:
        a = self.positions([t]).get(t)
        return [] if a is None else [w for w in self.windows(tuples) if a in self.bounds(w)]

    def instant(self, w: Number, tuples: Tuples = ()) -> Number:
        return w
