"""Type 6: `NOW`, the tuples of the current instant."""

from __future__ import annotations

from dataclasses import dataclass

from transom.semantics.interval import Interval
from transom.semantics.length import Number, attribute_name
from transom.semantics.tuples import Tuples
from transom.semantics.windows.window import ContextFree


@dataclass(frozen=True, kw_only=True)
class Now(ContextFree):
    """The current stream instance of seed 002, definition 5.

    windows = { a(t) },  extent(w) = { u | a(u) = w }
    """

    wattr: str

    def __post_init__(self) -> None:
        attribute_name("WATTR", self.wattr)

    @property
    def attribute(self) -> str:
        return self.wattr

    @property
    def ids_are_values(self) -> bool:
        return True

    def ids(self, a: Number) -> list[Number]:
        return [a]

    def bounds(self, w: Number, tuples: Tuples = ()) -> Interval:
        return Interval(w, w, upper_closed=True)

    def instant(self, w: Number, tuples: Tuples = ()) -> Number:
        return w
