"""DRATIO's budget: how many tuples may still come late, and how long to wait so that no more do.

Lateness is how far a tuple is below the running maximum. If the delay is the j-th largest of the last w latenesses, then j in
w + 1 tuples come late, as long as disorder stays the same. It does not, so the budget decides: what has come late so far
against what the ratio allows. The constants were found by simulation; `docs/dratio.md` has the reason for each and what
happens without it, `tests/disorder/test_contract.py` and `test_promises.py` what they achieve.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from transom.disorder.dratio.schedule import FEWEST, LEARNING, UNCOUNTED, WINDOW

ENOUGH = 10
"""Late tuples that the ratio must allow among those seen before anything is promised (1,000 tuples at 1 %)."""

EARNED = 3
"""Late tuples that must be allowed behind the first UNCOUNTED tuples before the largest lateness so far is trusted."""

FARTHER, SURE = 3, 32_000
"""While learning, the delay is up to three times the largest lateness: less the more is seen, and the largest from the
32,000th tuple on."""

SPARED = 2
"""While learning, latenesses are left out of that as long as they would cost no more than this part of what is left: a half."""

USUAL = 0.8
"""The part of the ratio that all tuples so far may use in calm times."""

AHEAD = 2
"""Factor: in calm times the delay is this multiple of any lateness seen, so a rise is met before it costs anything."""

RAISED = 2
"""Factor: while disorder rises the delay is this multiple of the largest lateness of the window."""

AT_STAKE = 4
"""A burst like the worst so far may cost this part of what is left of the budget: a fourth."""

CAREFUL = 0.4
"""But not beyond a delay that this part of what may come late now exceeded, of all tuples so far."""

SPENT, REPAID = 4, 16
"""What is saved is spent over a fourth of as many tuples as were seen, what is owed is paid back over a sixteenth."""

KEPT_BACK, CHANCE, MARGIN = 0.08, 0.7, 2
"""What is not planned for: a part of what was earned, a multiple of its square root, which is what chance may take, and two
tuples, which matter while little was earned."""

DARING = 4
"""Factor: the next tuples may use this multiple of the ratio at most, whatever was saved. `delay_bound` relies on it."""

SIGMAS = 4
"""Standard deviations by which late tuples must exceed what is expected to be a burst, which is an alarm, and no chance."""


def may_come_late(share: float, tuples: int) -> int:
    """How many of the last tuples would be late, or just not, behind the delay that is chosen from them."""
    return min(tuples, max(1, int(share * (tuples + 1))))


class LatenessMemory(Protocol):
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
    """The delay until the next choice, where a share may come late.

    If it `follows`, any larger lateness raises it at once, otherwise only a far larger one. Up to `ahead` it is raised to twice
    any lateness.
    """

    delay: Any
    follows: bool
    share: float
    ahead: Any = 0


@dataclass
class Budget:
    """Tuples seen, tuples late, and tuples that HEARTBEAT would have lost; the last two behind the first UNCOUNTED.

    A `reserve` was earned under another ratio and is not to be spent.
    """

    ratio: float
    seen: int = 0
    late: int = 0
    lost: int = 0
    reserve: int = 0

    @property
    def promises(self) -> bool:
        """Whether enough was seen for a promise."""
        return self.seen >= min(UNCOUNTED, max(FEWEST, ENOUGH / self.ratio))

    @property
    def learns(self) -> bool:
        """Whether the largest lateness so far is not to be trusted: few tuples were seen, or it was exceeded too often."""
        return self._earned < EARNED or (self.seen < LEARNING and self.lost > self._earned)

    @property
    def _earned(self) -> float:
        """How many tuples the ratio has allowed so far."""
        return self.ratio * max(0, self.seen - UNCOUNTED)

    @property
    def _planned(self) -> float:
        """How many of these may be used by plan."""
        earned = self._earned
        return earned - (MARGIN + KEPT_BACK * earned + CHANCE * math.sqrt(earned))

    @property
    def _left(self) -> float:
        return self._earned - self.late - self.reserve

    @property
    def share(self) -> float:
        """The share of the next tuples that may come late: debts are paid back sooner than savings are spent."""
        planned = self._planned
        left = planned - self.late
        horizon = max(WINDOW, self.seen // (SPENT if left > 0 else REPAID))
        return min(max(left / horizon + planned / max(1, self.seen), 0.0), DARING * self.ratio)

    def restated(self, ratio: float) -> Budget:
        """The same tuples, for another ratio, which is promised from here on: as much came late as was planned for, and no more
        is left than the first tuples would have brought, so that what was earned long ago is not lost to a burst now."""
        new = replace(self, ratio=ratio, reserve=0)
        new.late = max(0, int(new._planned))
        new.reserve = max(0, int(new._left - KEPT_BACK * ratio * LEARNING))
        return new

    def alarm(self, choice: Choice, tuples: int) -> int:
        """How many late tuples of a number of tuples are a burst, and not chance."""
        expected = max(choice.share, self.ratio) * tuples
        return int(expected + SIGMAS * math.sqrt(expected) + SIGMAS)

    def choose(
        self, size: int, nth_largest: Callable[[int], Any], memory: LatenessMemory, worst: Worst, *, rising: bool
    ) -> Choice:
        """How long to wait, given the latenesses of the window; `rising` shortly after an alarm.

        Never less than what may come late of them allows: `transom.disorder.dratio.delay_bound` relies on it.
        """
        share, largest = self.share, nth_largest(1)
        if self.learns:
            return Choice(max(self._not_seen_yet(memory), largest), True, share)
        n = may_come_late(share, size)
        choice = self._calm(Choice(nth_largest(n), n == 1, share), largest, memory)
        if rising:
            choice = self._rising(choice, largest, memory)
        return self._insured(choice, memory, worst)

    def _not_seen_yet(self, memory: LatenessMemory) -> Any:
        """More than any lateness so far, leaving out those that would cost little."""
        level = min(memory.most, memory.exceeded(max(0.0, self._left) / SPARED / self.seen))
        delay = min(FARTHER, max(1.0, SURE / self.seen)) * level
        return int(delay) if memory.whole else delay

    def _calm(self, choice: Choice, largest: Any, memory: LatenessMemory) -> Choice:
        """Where there is less disorder than usual: lose nothing, save the budget, be ahead of the next rise."""
        usual = memory.exceeded(USUAL * self.ratio)
        return Choice(min(AHEAD * largest, usual), True, choice.share, usual) if largest <= usual else choice

    def _rising(self, choice: Choice, largest: Any, memory: LatenessMemory) -> Choice:
        """What is late now was sent before disorder rose, so more of it is still to come."""
        raised = max(memory.exceeded(min(choice.share, self.ratio)), RAISED * largest)
        return Choice(raised, False, choice.share) if raised > choice.delay else choice

    def _insured(self, choice: Choice, memory: LatenessMemory, worst: Worst) -> Choice:
        """No delay at which a burst like the worst so far would cost too much of what is left, unless far fewer of all tuples
        were later than that."""
        floor = worst.affordable(max(0.0, self._left / AT_STAKE))
        if floor > choice.delay:
            floor = min(floor, memory.exceeded(CAREFUL * min(choice.share, self.ratio)))
        return Choice(floor, self._left <= 2, choice.share, choice.ahead) if floor > choice.delay else choice
