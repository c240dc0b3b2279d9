"""The bounds of an extent, computed in one place and compared with everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from transom.errors import WindowIdOutOfRange
from transom.semantics.length import Number


@dataclass(frozen=True)
class Interval:
    """An interval of the axis; half open, `[lower, upper)`, unless said otherwise. No lower bound: None."""

    lower: Number | None
    upper: Number
    lower_open: bool = False
    upper_closed: bool = False

    def __contains__(self, a: Number) -> bool:
        return self._above_lower(a) and self._below_upper(a)

    def _above_lower(self, a: Number) -> bool:
        if self.lower is None:
            return True
        return self.lower < a if self.lower_open else self.lower <= a

    def _below_upper(self, a: Number) -> bool:
        return a <= self.upper if self.upper_closed else a < self.upper


def closed_at(w: Number, length: Number) -> Interval:
    """`(w - length, w]`: open left, closed right."""
    if w - length == w:
        raise WindowIdOutOfRange(
            "doubles cannot tell the two ends of a window apart",
            given=f"RANGE {length} at {w}",
            remedy="use a longer RANGE, or decimals",
        )
    return Interval(w - length, w, lower_open=True, upper_closed=True)
