"""The budget of DRATIO: how many tuples may still come late, and how long to wait so that no more do.

Lateness is how far a tuple is below the running maximum. Waiting for the j-th largest of the last w latenesses lets j
in w + 1 tuples come late, if things stay as they are. They do not, so what is left of the budget decides how much may be
dared: never a delay at which a burst like the worst so far would cost more than a half of it. The numbers here were found
by simulation (`tests/kernels/test_contract.py` holds what they achieve).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

FEWEST = 30
"""No promise before so many tuples, whatever the ratio."""

UNCOUNTED = 1000
"""The first tuples bring no budget, and take none."""

WINDOW, WIDEST = 1024, 4096
"""How many latenesses are looked at, at first and after many tuples."""

EVERY, RAREST = 256, 32_768
"""After how many tuples the delay is chosen anew, at first and after many."""

HELD = 512
"""For so many tuples after an alarm, disorder counts as rising."""

LEARNING, SURE, FARTHER = 100_000, 32_000, 3.0
"""What was seen is trusted after so many tuples at most; how far beyond it to wait: less from tuple to tuple, and at first."""

ONE_IN = 8
"""After LEARNING tuples, one in so many is remembered, and counts for all of them."""

FEW = 20
"""So many may be lost to HEARTBEAT by chance; of what it loses among the first tuples, no more count."""

USUAL = 0.8
"""The part of the ratio that all tuples so far may use."""


class Memory(Protocol):
    """All latenesses seen, in coarse steps."""

    whole: bool

    def exceeded(self, share: float) -> Any:
        """A lateness that at most this share of all tuples exceeded."""
        ...

    @property
    def most(self) -> Any:
        """The largest of all."""
        ...


class Worst(Protocol):
    """What the bursts so far would have cost."""

    def affordable(self, tuples: float) -> Any:
        """The least delay at which no burst would have cost more."""
        ...


class Choice(NamedTuple):
    """How long to wait, until the next choice, where a share may come late.

    If it `follows`, a larger lateness raises it at once; else only a far larger one.
    """

    delay: Any
    follows: bool
    share: float


@dataclass
class Budget:
    """What came late so far, of all that was seen, and what HEARTBEAT would lose."""

    ratio: float
    seen: int = 0
    late: int = 0
    lost: int = 0

    @property
    def promises(self) -> bool:
        """Whether enough was seen for a promise: as many tuples as ten of may be late, but no more than what does not count."""
        return self.seen >= min(UNCOUNTED, max(FEWEST, 10 / self.ratio))

    @property
    def _earned(self) -> float:
        return self.ratio * max(0, self.seen - UNCOUNTED)

    @property
    def _left(self) -> float:
        return self._earned - self.late

    @property
    def learns(self) -> bool:
        """Whether too little was seen to trust it: the largest lateness so far is exceeded too often."""
        return self._earned < 3 or (self.seen < LEARNING and self.lost > FEW + self._earned)

    @property
    def share(self) -> float:
        """The share of the next tuples that may come late: what is saved is spent sooner than what is owed is paid back."""
        earned = self._earned
        free = earned - (2 + 0.08 * earned + 0.7 * math.sqrt(earned))
        left = free - self.late
        horizon = max(WINDOW, self.seen // (4 if left > 0 else 2))
        return min(max(left / horizon + free / max(1, self.seen), 0.0), 4 * self.ratio)

    def lose(self, tuples: int) -> None:
        """Take note of what HEARTBEAT would lose. Of what it loses at the very start no more than a few count."""
        self.lost = min(FEW, self.lost + tuples) if self.seen < UNCOUNTED else self.lost + tuples

    def alarm(self, choice: Choice, tuples: int) -> int:
        """So many late tuples in so many are a burst, and no chance."""
        expected, times = max(choice.share, self.ratio) * tuples, 2 if choice.follows else 4
        return int(expected + times * math.sqrt(expected) + times)

    def choose(self, size: int, nth_largest: Callable[[int], Any], memory: Memory, worst: Worst, *, rising: bool) -> Choice:
        """How long to wait, given the last latenesses; `rising` shortly after an alarm."""
        share, left = self.share, self._left
        if self.learns:
            return Choice(self._beyond(memory), True, share)
        largest, usual = nth_largest(1), memory.exceeded(USUAL * self.ratio)
        if largest <= usual:  # less disorder than there was: lose nothing, save the budget
            delay, follows = min(2 * largest, usual), True
        else:
            n = min(size, max(1, int(share * (size + 1))))
            delay, follows = nth_largest(n), n == 1
        if rising:  # what is late now was sent before disorder rose: more of it is still to come
            raised = max(memory.exceeded(min(share, self.ratio)), 2 * largest)
            delay, follows = (raised, False) if raised > delay else (delay, follows)
        floor = worst.affordable(max(0.0, left / 2))
        if left >= 20 + self._earned / 10:
            floor = min(floor, usual)
        return Choice(floor, left <= 2, share) if floor > delay else Choice(delay, follows, share)

    def _beyond(self, memory: Memory) -> Any:
        """Farther than any lateness so far, but for as many as a half of what is left."""
        if self.seen < UNCOUNTED:
            return 3 * memory.most
        level = min(memory.most, memory.exceeded(max(0.0, self._left) / 2 / self.seen))
        delay = min(FARTHER, max(1.0, SURE / self.seen)) * level
        return int(delay) if memory.whole else delay


def width(seen: int) -> int:
    """How many latenesses are looked at."""
    return max(WINDOW, min(seen // 128, WIDEST))


def remembered(number: int) -> int:
    """How many tuples the one with this number counts for in the memory."""
    return 1 if number < LEARNING else ONE_IN if number % ONE_IN == 0 else 0


def until_next(seen: int, since: int, *, rising: bool) -> int:
    """How many tuples until the next choice: fewer at first, while disorder rises, and since a burst."""
    usual = EVERY if rising else max(EVERY, min(seen // 128, RAREST))
    return FEWEST if seen < UNCOUNTED else min(usual, max(32, since))
