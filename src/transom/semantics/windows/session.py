"""Type 11: sessions, `SESSION GAP g`."""

from __future__ import annotations

from dataclasses import dataclass

from transom.semantics.interval import Interval
from transom.semantics.length import Length, Number, attribute_name, measure, on_attribute, positive
from transom.semantics.tuples import Tuple, Tuples
from transom.semantics.windows.window import Window


@dataclass(frozen=True, kw_only=True)
class Session(Window):
    """Tuples no further than `gap` apart. A new session starts where the distance exceeds it; equal still joins.

    The id of a session is its first value; it ends at its last value + gap. Under GROUP BY sessions are those of each group (see
    `of_groups`), unless `whole` asks for those of the whole stream: `PATTR ()`.
    """

    gap: Length
    wattr: str
    whole: bool = False

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(gap=self.gap)
        positive("GAP", self.gap)

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def ids_from_tuples(self) -> bool:
        return True

    def joins(self, a: Number, b: Number) -> bool:
        """Whether two neighbours are of one session."""
        return max(a, b) <= min(a, b) + measure(self.gap)

    def windows(self, tuples: Tuples) -> list[Number]:
        values = sorted(set(self.positions(tuples).values()))
        return [a for before, a in zip([None, *values], values, strict=False) if before is None or not self.joins(before, a)]

    def last(self, w: Number, tuples: Tuples) -> Number:
        """The last value of session `w`."""
        last = w
        for a in sorted(self.positions(tuples).values()):
            if last <= a and self.joins(last, a):
                last = a
        return last

    def bounds(self, w: Number, tuples: Tuples = ()) -> Interval:
        return Interval(w, self.last(w, tuples), upper_closed=True)

    def wids(self, t: Tuple, tuples: Tuples) -> list[Number]:
        a = self.positions([t]).get(t)
        if a is None:
            return []
        for b in sorted(self.positions(tuples).values(), reverse=True):
            if b <= a and self.joins(b, a):
                a = b
        return [a]

    def instant(self, w: Number, tuples: Tuples = ()) -> Number:
        return self.last(w, tuples) + measure(self.gap)

    def span(self, w: Number, tuples: Tuples = ()) -> tuple[Number, Number]:
        return w, self.instant(w, tuples)
