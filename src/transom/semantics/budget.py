"""The budget of DRATIO: how many tuples may still come late, and how long to wait so that no more do.

Lateness is how far a tuple is below the running maximum. Waiting for the j-th largest of the last w latenesses lets j
in w + 1 tuples come late, if things stay as they are. They do not, so a part of what may come late is kept in reserve: when
disorder rises, what is already behind the frontier is lost. The numbers here were found by simulation
(`tests/kernels/test_contract.py` holds what they achieve).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

FEWEST = 30
"""No promise before so many tuples."""

UNCOUNTED = 1000
"""The first tuples bring no budget."""

LEARNING = 20_000
"""After so many tuples at most, what was seen is trusted."""

RESERVE, SMALL, BURST = 0.2, 0.7, 60
"""The part of the budget that only a burst may use; of a small budget more, up to what a burst may well use."""

WINDOW, EVERY, RAREST = 1024, 256, 4096
"""How many latenesses are looked at; and after how many tuples, at first and after many."""


class Memory(Protocol):
    """All latenesses seen, in coarse steps."""

    def exceeded(self, share: float) -> Any:
        """A lateness that at most this share of all tuples exceeded."""
        ...

    @property
    def most(self) -> Any:
        """The largest of all."""
        ...


@dataclass(frozen=True)
class Choice:
    """How long to wait, until the next choice. If it `follows`, a larger lateness raises it at once."""

    delay: Any
    follows: bool


@dataclass
class Budget:
    """What came late so far, of all that was seen, and what HEARTBEAT would lose. `worst` is the most in one burst."""

    ratio: float
    seen: int = 0
    late: int = 0
    lost: int = 0
    counted: int = 0
    burst: int = 0
    worst: int = 0

    @property
    def learns(self) -> bool:
        """Whether too little was seen to trust it: the largest lateness so far is exceeded too often."""
        return self.seen < UNCOUNTED or (self.seen < LEARNING and self.lost > self._earned)

    @property
    def _earned(self) -> float:
        return self.ratio * max(0, self.seen - UNCOUNTED)

    @property
    def _kept(self) -> float:
        return 2 + max(RESERVE * self._earned, min(SMALL * self._earned, BURST))

    @property
    def share(self) -> float:
        """The share of the next tuples that may come late: what is saved is spent sooner than what is owed is paid back."""
        free = self._earned - self._kept
        left = free - self.late
        horizon = max(WINDOW, self.seen // (4 if left > 0 else 2))
        return min(max(left / horizon + free / max(1, self.seen), 0.0), 4 * self.ratio)

    @property
    def comfort(self) -> float:
        """What is left, against the reserve and two bursts like the worst so far: below 1, caution."""
        return (self._earned - self.late) / max(self._kept, 2.0 * self.worst)

    def alarm(self, tuples: int) -> int:
        """So many late tuples in so many are a burst, and no chance."""
        expected = max(self.share, self.ratio) * tuples
        return int(expected + 4 * math.sqrt(expected) + 4)

    def note(self, *, alarmed: bool, calm: bool) -> None:
        """Take note, before a choice, whether a burst goes on."""
        if alarmed:
            self.burst += self.late - self.counted
            self.worst = max(self.worst, self.burst)
        elif calm:
            self.burst = 0
        self.counted = self.late

    def choose(self, size: int, nth_largest: Callable[[int], Any], memory: Memory) -> Choice:
        """How long to wait, given the last latenesses."""
        if self.learns:
            return Choice(3 * memory.most, follows=True)
        largest = nth_largest(1)
        if largest <= memory.exceeded(self.ratio * (1 - RESERVE)):
            choice = Choice(largest, follows=True)  # less disorder than there was: wait for all, save the budget
        else:
            n = max(1, int(self.share * (size + 1)))
            choice = Choice(nth_largest(n), follows=n == 1)
        if self.comfort >= 1:
            return choice
        floor = memory.exceeded(max(self.comfort / 2, 1 / 16) * self.ratio)
        return Choice(floor, follows=False) if floor > choice.delay else choice


def until_next(seen: int, since: int) -> int:
    """How many tuples until the next choice: fewer at first, and after a burst, since which few were seen."""
    return FEWEST if seen < UNCOUNTED else min(max(EVERY, min(seen // 128, RAREST)), max(32, since))
