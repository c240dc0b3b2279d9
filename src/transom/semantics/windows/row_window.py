"""Type 2 (and 9): windows of rows, `RANGE n ROWS SLIDE m ROWS`."""

from __future__ import annotations

from dataclasses import dataclass, field

from transom.errors import MixedUnits, NotAName
from transom.semantics.interval import Interval
from transom.semantics.length import Number, Rows, positive, rows
from transom.semantics.tuples import Counting, Position, Rank, RowNum, Tuple, Tuples, rank
from transom.semantics.windows.of_rows import OfRows
from transom.semantics.windows.sliding import Sliding


@dataclass(frozen=True, kw_only=True)
class RowWindow(OfRows):
    """After every `slide` rows, the last `range` rows: type 1 with a = row_num - 1 and o = 0.

    WATTR says which row_num: `RowNum()` counts arrivals, `Rank("ts")` counts in the order of `ts`, and
    `Position("seq")` is a row_num that the tuples carry themselves.
    """

    range: Rows
    slide: Rows = field(default_factory=lambda: rows(1))
    wattr: RowNum | Rank | Position = field(default_factory=RowNum)
    partial: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.wattr, RowNum | Rank | Position):
            raise NotAName(
                "WATTR says what counts the rows", given=repr(self.wattr), remedy='use RowNum(), Rank("ts") or Position("seq")'
            )
        for clause, length in (("RANGE", self.range), ("SLIDE", self.slide)):
            if not isinstance(length, Rows):
                raise MixedUnits(
                    f"the {clause} of a row window is counted in rows", given=str(length), remedy="write rows(n), in SQL n ROWS"
                )
            positive(clause, length)

    @property
    def attribute(self) -> str | None:
        return None if isinstance(self.wattr, RowNum) else self.wattr.attribute

    @property
    def counting(self) -> Counting | None:
        return None if isinstance(self.wattr, Position) else self.wattr

    @property
    def _cut(self) -> Sliding:
        return Sliding(range=self.range.count, slide=self.slide.count, wattr=str(self.wattr), origin=0, partial=self.partial)

    def positions(self, tuples: Tuples) -> dict[Tuple, Number]:
        """row_num - 1, in whichever order is counted. Arrivals count whatever their values are."""
        if isinstance(self.wattr, RowNum):
            return {t: t.row_num - 1 for t in tuples}
        values = super().positions(tuples)
        if isinstance(self.wattr, Rank):
            return {t: rank(t, self.wattr.attribute, tuples) - 1 for t in values}
        return {t: a - 1 for t, a in values.items()}

    def ids(self, a: Number) -> list[int]:
        """The ids of the windows that contain the row numbered `a`."""
        return self._cut.ids(a - 1)

    def windows(self, tuples: Tuples) -> list[int]:
        return sorted({w for position in self.positions(tuples).values() for w in self.ids(position + 1)})

    def bounds(self, w: int, tuples: Tuples = ()) -> Interval:
        return self._cut.bounds(w)

    def wids(self, t: Tuple, tuples: Tuples) -> list[int]:
        position = self.positions(tuples).get(t)
        return [] if position is None else self.ids(position + 1)

    def instant(self, w: int, tuples: Tuples = ()) -> None:
        return None

    def complete(self, w: int, tuples: Tuples, frontier: Number) -> bool:
        """When its last row has come, and no tuple that may still come belongs to it: an end of the input is not enough."""
        last = self.bounds(w).upper - 1
        has_come = any(position >= last for position in self.positions(tuples).values())
        return has_come and self.promised(w, tuples, frontier)

    def promised(self, w: int, tuples: Tuples, frontier: Number) -> bool:
        end = self.bounds(w).upper
        if isinstance(self.wattr, RowNum):
            return any(t.row_num >= end for t in tuples)
        if isinstance(self.wattr, Position):
            return frontier - 1 >= end
        ranked = sorted(super().positions(tuples).values())
        return len(ranked) >= end and frontier >= ranked[int(end) - 1]
