"""The budget of DRATIO: how many tuples may still come late, and how long to wait so that no more do.

Lateness is how far a tuple is below the running maximum. Waiting for the j-th largest of the last w latenesses lets j
in w + 1 tuples come late, if things stay as they are. They do not, so what is left of the budget decides how much may be
dared: no delay at which a burst like the worst so far would cost more than a quarter of it, unless far fewer of all tuples so
far were later than that. The numbers here were found by simulation (`tests/disorder/test_contract.py` holds what
they achieve).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from transom.disorder.dratio.schedule import FEWEST, LEARNING, UNCOUNTED, WINDOW

SURE, FARTHER = 32_000, 3.0
"""How far beyond what was seen to wait at first: less from tuple to tuple, up to so many."""

FEW = 20
"""So many may be lost to HEARTBEAT by chance; of what it loses among the first tuples, no more count."""

USUAL = 0.8
"""The part of the ratio that all tuples so far may use."""

AT_STAKE = 4
"""A burst like the worst so far may cost this part of what is left: a fourth."""

CAREFUL = 0.4
"""The part of what may come late now that all tuples so far may use, where such a burst would cost more."""

SPENT, REPAID = 4, 16
"""What is saved is spent over a fourth of as many tuples as were seen, what is owed is paid back over a sixteenth."""

KEPT_BACK = 0.08
"""The part of the budget that is not planned for, besides what chance may take."""

MARGIN = 2
CHANCE = 0.7
AHEAD = 2
RAISED = 2
TEN = 10
THREE = 3
AT_FIRST = 3
HALF = 2
SIGMAS, SIGMAS_RISING = 2, 4

DARING = 4
"""The next tuples may use so many times the ratio at most, whatever was saved."""


def may_come_late(share: float, tuples: int) -> int:
    """How many of the last tuples would be late, or just not, behind the delay that is chosen from them."""
    return min(tuples, max(1, int(share * (tuples + 1))))


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

    If it `follows`, a larger lateness raises it at once; else only a far larger one. In better times it keeps `ahead`: it is
    twice any lateness, up to this.
    """

    delay: Any
    follows: bool
    share: float
    ahead: Any = 0

    @property
    def is_brief(self) -> bool:
        """Whether a lateness that raises it makes the next choice due soon: it may be one of a few, or the first of many."""
        return not self.follows or self.ahead > 0


@dataclass
class Budget:
    """What came late so far, of all that was seen, and what HEARTBEAT would lose. A `reserve` is not to be touched."""

    ratio: float
    seen: int = 0
    late: int = 0
    lost: int = 0
    reserve: int = 0

    @property
    def promises(self) -> bool:
        """Whether enough was seen for a promise: as many tuples as ten of may be late, but no more than what does not count."""
        return self.seen >= min(UNCOUNTED, max(FEWEST, TEN / self.ratio))

    @property
    def _earned(self) -> float:
        return self.ratio * max(0, self.seen - UNCOUNTED)

    @property
    def _planned(self) -> float:
        """How many tuples may come late by plan."""
        earned = self._earned
        return earned - (MARGIN + KEPT_BACK * earned + CHANCE * math.sqrt(earned))

    @property
    def _left(self) -> float:
        return self._earned - self.late - self.reserve

    @property
    def learns(self) -> bool:
        """Whether too little was seen to trust it: the largest lateness so far is exceeded too often."""
        return self._few or self._unsteady

    @property
    def _few(self) -> bool:
        return self._earned < THREE

    @property
    def _unsteady(self) -> bool:
        return self.seen < LEARNING and self.lost > FEW + self._earned

    @property
    def share(self) -> float:
        """The share of the next tuples that may come late: what is owed is paid back sooner than what is saved is spent."""
        planned = self._planned
        left = planned - self.late
        horizon = max(WINDOW, self.seen // (SPENT if left > 0 else REPAID))
        return min(max(left / horizon + planned / max(1, self.seen), 0.0), DARING * self.ratio)

    def lose(self, tuples: int) -> None:
        """Take note of what HEARTBEAT would lose. Of what it loses at the very start no more than a few count."""
        self.lost = min(FEW, self.lost + tuples) if self.seen < UNCOUNTED else self.lost + tuples

    def restated(self, ratio: float) -> Budget:
        """The same tuples, for another ratio, which is promised from here on: as much came late as was planned for, and no more
        is left than the first tuples would have brought, so that what was earned long ago is not lost to a burst now."""
        new = replace(self, ratio=ratio, reserve=0)
        new.late = max(0, int(new._planned))
        new.reserve = max(0, int(new._left - KEPT_BACK * ratio * LEARNING))
        return new

    def alarm(self, choice: Choice, tuples: int) -> int:
        """So many late tuples in so many are a burst, and no chance."""
        expected, times = max(choice.share, self.ratio) * tuples, SIGMAS if choice.follows else SIGMAS_RISING
        return int(expected + times * math.sqrt(expected) + times)

    def choose(self, size: int, nth_largest: Callable[[int], Any], memory: Memory, worst: Worst, *, rising: bool) -> Choice:
        """How long to wait, given the last latenesses; `rising` shortly after an alarm.

        Never less than what may come late of them allows, and not less than the largest while little is known or disorder rises:
        bucket relies on it (`transom.disorder.dratio.delay_bound`).
        """
        share = self.share
        if self.learns:
            return Choice(max(self._beyond(memory), nth_largest(1)), True, share)
        largest = nth_largest(1)
        n = may_come_late(share, size)
        choice = Choice(nth_largest(n), n == 1, share)
        choice = self._calm(choice, largest, memory)
        if rising:
            choice = self._rising(choice, largest, memory)
        return self._insured(choice, memory, worst)

    def _calm(self, choice: Choice, largest: Any, memory: Memory) -> Choice:
        """Less disorder than there was: lose nothing, save the budget, be ahead of the next rise."""
        usual = memory.exceeded(USUAL * self.ratio)
        return Choice(min(AHEAD * largest, usual), True, choice.share, usual) if largest <= usual else choice

    def _rising(self, choice: Choice, largest: Any, memory: Memory) -> Choice:
        """What is late now was sent before disorder rose: more of it is still to come."""
        raised = max(memory.exceeded(min(choice.share, self.ratio)), RAISED * largest)
        return Choice(raised, False, choice.share) if raised > choice.delay else choice

    def _insured(self, choice: Choice, memory: Memory, worst: Worst) -> Choice:
        """No delay at which a burst like the worst so far would cost too much of what is left."""
        floor = worst.affordable(max(0.0, self._left / AT_STAKE))
        if floor > choice.delay:
            floor = min(floor, self._cap(choice, memory))
        return Choice(floor, self._left <= 2, choice.share, choice.ahead) if floor > choice.delay else choice

    def _cap(self, choice: Choice, memory: Memory) -> Any:
        """Unless far fewer of all tuples so far were later than that."""
        return memory.exceeded(CAREFUL * min(choice.share, self.ratio))

    def _beyond(self, memory: Memory) -> Any:
        """Farther than any lateness so far, but for as many as a half of what is left."""
        if self.seen < UNCOUNTED:
            return AT_FIRST * memory.most
        level = min(memory.most, memory.exceeded(max(0.0, self._left) / HALF / self.seen))
        delay = min(FARTHER, max(1.0, SURE / self.seen)) * level
        return int(delay) if memory.whole else delay
