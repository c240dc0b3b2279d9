"""Type 1 without SLIDE: a window at every instant (CQL; seed 002 with a unit step)."""

from __future__ import annotations

from dataclasses import dataclass

from transom.semantics.interval import Interval, closed_at
from transom.semantics.length import Length, Number, attribute_name, measure, on_attribute, positive
from transom.semantics.search import first_instant
from transom.semantics.tuples import Tuple, Tuples
from transom.semantics.windows.window import Window


@dataclass(frozen=True, kw_only=True)
class EveryInstant(Window):
    """At every instant, the tuples of the last `range`; reported where that changes.

        extent(w) = { t | w - r < a(t) <= w }

    The extent changes when a tuple arrives, at a(t), and when it expires, at a(t) + r; `windows` are those
    instants. With a LAG d both happen d later.
    """

    range: Length
    wattr: str
    lag: Length | None = None

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)
        on_attribute(range=self.range, lag=self.lag)
        positive("RANGE", self.range)
        if self.lag is not None and measure(self.lag) != 0:
            positive("LAG", self.lag)

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def ids_from_tuples(self) -> bool:
        return True

    @property
    def lags(self) -> bool:
        """Whether extents end before the instant that they are evaluated at."""
        return self.lag is not None and measure(self.lag) != 0

    def _upper(self, w: Number) -> Number:
        return w if self.lag is None else w - measure(self.lag)

    def bounds(self, w: Number, tuples: Tuples = ()) -> Interval:
        return closed_at(self._upper(w), measure(self.range))

    def promised(self, w: Number, tuples: Tuples, frontier: Number) -> bool:
        """A lagging window is released when the frontier reaches w, long after its extent is final."""
        return frontier > w if self._upper(w) == w else frontier >= w

    def instant(self, w: Number, tuples: Tuples = ()) -> Number:
        return w

    def windows(self, tuples: Tuples) -> list[Number]:
        positions = self.positions(tuples).values()
        return sorted({self._arrival(a) for a in positions} | {self._expiry(a) for a in positions})

    def _arrival(self, a: Number) -> Number:
        lag = 0 if self.lag is None else measure(self.lag)
        return first_instant(a + lag, lambda w: a <= self._upper(w))

    def _expiry(self, a: Number) -> Number:
        length = measure(self.range)
        return first_instant(self._arrival(a) + length, lambda w: a <= self._upper(w) - length)

    def wids(self, t: Tuple, tuples: Tuples) -> list[Number]:
        a = self.positions([t]).get(t)
        return [] if a is None else [w for w in self.windows(tuples) if a in self.bounds(w)]
