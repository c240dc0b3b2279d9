"""Where the windows of a query lie on the axis, as far as that follows from the query alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from transom.semantics.length import measure
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window


@dataclass(frozen=True)
class Geometry:
    """Sliding windows by numbers on their axis (time is in microseconds): see `semantics.windows.sliding`.

    >>> minutes = Geometry(range=60.0, slide=60.0, origin=0.0)
    >>> minutes.bounds(2), minutes.first_open(120.0), minutes.first_open(121.0)
    ((120.0, 180.0), 2, 2)
    """

    range: float
    slide: float
    origin: float
    lag: float = 0.0

    @classmethod
    def of(cls, window: Window) -> Geometry | None:
        """Of a window whose bounds are those of a grid; None of any other."""
        if not isinstance(window, Sliding) or window.origin is not None:
            return None
        lag = 0 if window.lag is None else measure(window.lag)
        return cls(*(float(Fraction(x)) for x in (measure(window.range), measure(window.slide), window.o, lag)))

    @classmethod
    def from_json(cls, kept: Mapping[str, Any] | None) -> Geometry | None:
        return None if kept is None else cls(**{name: float(kept[name]) for name in ("range", "slide", "origin", "lag")})

    def to_json(self) -> dict[str, float]:
        return asdict(self)

    def bounds(self, w: int) -> tuple[float, float]:
        """The bounds of a window."""
        upper = self.origin + (w + 1) * self.slide - self.lag
        return upper - self.range, upper

    def instant(self, w: int) -> float:
        """The frontier that completes it."""
        return self.origin + (w + 1) * self.slide

    def first_open(self, frontier: float) -> int:
        """The first window that is not complete behind a frontier."""
        return math.floor((frontier - self.origin) / self.slide)

    def last_begun(self, newest: float) -> int:
        """The last window that begins at a place or before it."""
        return math.floor((newest + self.range + self.lag - self.origin) / self.slide) - 1
