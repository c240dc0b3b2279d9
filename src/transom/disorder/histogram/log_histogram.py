"""A histogram of numbers on a logarithmic scale: thirty-two steps from one power of two to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any

STEPS = 32
"""Steps per power of two: a quantile is at most a 32nd too large."""

FARTHEST = 64
"""The scale reaches from 2^-64 to 2^64; what is beyond counts as its end."""

SIZE = 2 * FARTHEST * STEPS + 1
FADING = 2**20
"""Count at which all counts are halved, so that the histogram is of the last million or two."""


def step_of(x: Any) -> int:
    """The step a number is on; zero is on the first."""
    if x <= 0:
        return 0
    mantissa, exponent = math.frexp(float(x))
    return (max(-FARTHEST, min(FARTHEST - 1, exponent)) + FARTHEST) * STEPS + int(mantissa * 2 * STEPS) - STEPS + 1


@cache
def top_of(step: int, *, whole: bool) -> Any:
    """A number that nothing on this step exceeds, but for the farthest; a whole one where numbers are."""
    if step == 0:
        return 0 if whole else 0.0
    exponent, part = divmod(step - 1, STEPS)
    top = math.ldexp((part + STEPS + 1) / (2 * STEPS), exponent - FARTHEST)
    return int(top) if whole else top


@dataclass
class LogHistogram:
    """Number by number."""

    whole: bool
    most: Any = 0
    counts: dict[int, int] = field(default_factory=dict)

    def add(self, x: Any, times: int = 1) -> None:
        """Count a number; zero times, it may still be the largest."""
        self.most = max(self.most, x)
        if times:
            step = step_of(x)
            self.counts[step] = self.counts.get(step, 0) + times

    def fade(self) -> None:
        """Halve all counts, once there are FADING."""
        if sum(self.counts.values()) >= FADING:
            self.counts = {step: count // 2 for step, count in self.counts.items()}

    def exceeded(self, share: float) -> Any:
        """A number that at most this share of all exceeded."""
        rank, above = int(share * sum(self.counts.values())), 0
        for step in sorted(self.counts, reverse=True):
            above += self.counts[step]
            if above > rank:
                return top_of(step, whole=self.whole)
        return top_of(0, whole=self.whole)
