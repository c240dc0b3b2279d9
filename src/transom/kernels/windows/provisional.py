"""Counts that may still change: whether a waiting tuple is in a window shows only as windows open."""

from __future__ import annotations

from transom.kernels.columns.arrays import Bools
from transom.kernels.columns.batch import Counts


class Provisional:
    """What the waiting tuples add to the counts of an operator for now. It is taken back before they are looked at again."""

    def __init__(self, used: int = 0, outside: int = 0) -> None:
        self.used, self.outside = used, outside

    def take_back(self, counts: Counts) -> None:
        counts.add(used=-self.used, outside=-self.outside)
        self.used = self.outside = 0

    def show(self, counts: Counts, inside: Bools) -> None:
        """Count tuples for now: those inside a window are used."""
        self.used, self.outside = int(inside.sum()), int((~inside).sum())
        counts.add(used=self.used, outside=self.outside)

    def to_json(self) -> list[int]:
        return [self.used, self.outside]
