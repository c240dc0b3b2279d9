"""Type 8: filtered windows, `[... WHERE p]`."""

from __future__ import annotations

from dataclasses import dataclass

from transom.errors import ConflictingClauses, MissingClause
from transom.semantics.function import Function
from transom.semantics.interval import Interval
from transom.semantics.length import Number
from transom.semantics.tuples import Tuple, Tuples
from transom.semantics.windows.refined import Refined
from transom.semantics.windows.window import Wid


@dataclass(frozen=True)
class Filtered(Refined):
    """A window whose tuples are picked after its extent is cut: `windows` are those of all tuples.

    Where ids do not come from tuples that equals filtering before; elsewhere it does not.
    """

    where: Function

    def __post_init__(self) -> None:
        if not isinstance(self.where, Function):
            raise MissingClause(
                "WHERE is a condition", given=repr(self.where), remedy="give a Function, or write the condition in SQL"
            )
        if isinstance(self.window, Filtered):
            raise ConflictingClauses(
                "a window is filtered once",
                given=f"WHERE {self.window.where} WHERE {self.where}",
                remedy="join the conditions with AND",
            )

    def picks(self, t: Tuple) -> bool:
        """Whether the condition is true of a tuple: neither false nor NULL."""
        return self.where(t) is True

    def windows(self, tuples: Tuples) -> list[Wid]:
        return self.window.windows(tuples)

    def bounds(self, w: Wid, tuples: Tuples = ()) -> Interval:
        return self.window.bounds(w, tuples)

    def extent(self, w: Wid, tuples: Tuples) -> list[Tuple]:
        return [t for t in self.window.extent(w, tuples) if self.picks(t)]

    def wids(self, t: Tuple, tuples: Tuples) -> list[Wid]:
        return self.window.wids(t, tuples) if self.picks(t) else []

    def instant(self, w: Wid, tuples: Tuples = ()) -> Number | None:
        return self.window.instant(w, tuples)

    def complete(self, w: Wid, tuples: Tuples, frontier: Number) -> bool:
        return self.window.complete(w, tuples, frontier)

    def promised(self, w: Wid, tuples: Tuples, frontier: Number) -> bool:
        return self.window.promised(w, tuples, frontier)

    def span(self, w: Wid, tuples: Tuples = ()) -> tuple[Number | None, Number]:
        return self.window.span(w, tuples)
