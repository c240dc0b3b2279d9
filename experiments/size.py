"""How large an experiment is: all of it, a look, or just enough to see that it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Size:
    """`part` of the tuples, and of every list of settings the first `most`."""

    part: float = 1.0
    most: int | None = None

    def of(self, tuples: int, least: int = 2_000) -> int:
        return max(min(tuples, least), int(tuples * self.part))

    def some(self, settings: Sequence[Item]) -> Sequence[Item]:
        """Settings from the first to the last."""
        if self.most is None or len(settings) <= self.most:
            return settings
        return [*settings[: self.most - 1], settings[-1]]


FULL, QUICK, TINY = Size(), Size(0.1, 3), Size(0.02, 2)
