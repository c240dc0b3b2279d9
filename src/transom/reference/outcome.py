"""What a query gave: its results and when each left, what came late, and how all tuples fared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from transom.semantics.length import Number
from transom.semantics.tuples import Tuple

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """A row of the answer, and the item after which it left."""

    row: Row
    left_at: int


@dataclass(frozen=True)
class LateTuple:
    """A tuple that missed at least one window it belongs to, and the frontier that excluded it."""

    tuple: Tuple
    frontier: Number


class Fate(Enum):
    """What became of a tuple. Every tuple has exactly one fate."""

    USED = "used"
    DROPPED = "dropped"
    OUTSIDE = "outside"


@dataclass
class OutcomeCounts:
    """in = used + dropped + outside; `late` counts tuples below the frontier, used or not.

    What WHERE leaves out is in none of these, wherever it stands.
    """

    arrived: int = 0
    used: int = 0
    dropped: int = 0
    outside: int = 0
    late: int = 0
    above_max: int = 0

    def settle(self, fate: Fate) -> None:
        """Count one tuple."""
        self.arrived += 1
        setattr(self, fate.value, getattr(self, fate.value) + 1)


@dataclass
class Outcome:
    """The whole answer."""

    results: list[Result] = field(default_factory=list)
    late: list[LateTuple] = field(default_factory=list)
    counts: OutcomeCounts = field(default_factory=OutcomeCounts)

    @property
    def rows(self) -> list[Row]:
        """The rows of the answer, in the order they left."""
        return [result.row for result in self.results]
