"""DRATIO: as much delay as keeps the share of late tuples at or below a ratio, and no more."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from transom.disorder.dratio.budget import AHEAD, Budget
from transom.disorder.dratio.bursts import Bursts
from transom.disorder.dratio.normal import Normal
from transom.disorder.dratio.schedule import (
    EVERY,
    FAR,
    FEWEST,
    QUIET,
    RISING_FOR,
    UNCOUNTED,
    WIDEST,
    beyond,
    calm_below,
    remembered,
    until_next,
    width,
)
from transom.disorder.generator import FARTHEST, Generator, TupleController, too_far
from transom.disorder.histogram.log_histogram import LogHistogram
from transom.errors import BadRatio
from transom.semantics.length import Number
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value

MILLISECOND = 1000
"""The unit of time in DRATIO, in microseconds: latenesses then fit in 32 bits, and a millisecond of delay is no loss."""


def grain(unit: Any, *, timed: bool) -> Any:
    """The unit that DRATIO counts in, given the attribute's: for time, milliseconds. The frontier is a whole number of them, so
    nothing is late that is not below it."""
    return unit * MILLISECOND if timed else unit


@dataclass(frozen=True)
class DropRatio(Generator):
    """`DRATIO 1%`: a quantile of the recent latenesses, with a budget. `DRATIO 1% NORMAL`: seed 001's controller."""

    ratio: float
    normal: bool = False

    def __post_init__(self) -> None:
        number = isinstance(self.ratio, Real)
        if not number or not 0 < self.ratio < 1:
            raise BadRatio(
                "a drop ratio lies between 0% and 100%",
                given=f"DRATIO {float(self.ratio) * 100:g}%" if number else repr(self.ratio),
                remedy="give a percentage such as 1%; in Python, a number such as 0.01; or say SLACK for a delay of your own",
            )

    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        if self.normal:
            return Normal(attribute, unit, arrival, self.ratio)
        return _DropRatio(attribute, grain(unit, timed=timed), self.ratio)


@dataclass
class _DropRatio(TupleController):
    """The running maximum, where it rises, less a delay, which is chosen anew at places that the sequence alone decides.

    A choice is made at `next_choice`; sooner if disorder rises (an alarm: `late_left` more tuples were late) or falls (QUIET
    tuples in a row were below `calm`, none since `last_stir`). Between choices, a lateness above `limit` raises the delay at
    once, and up to `ahead` the delay is at least AHEAD times any lateness. The latest `relevant` tuples tell about the present:
    those before a fall do not. Numbers are whole units on exact axes.
    """

    attribute: str
    unit: Number | None
    ratio: float
    largest: Number = NOTHING_YET
    frontier: Number = NOTHING_YET
    delay: Number | None = None
    limit: Number = 0
    ahead: Number = 0
    calm: Number = 0
    last_stir: int = 0
    next_choice: int = FEWEST
    relevant: int = 0
    late_left: int = 0
    last_alarm: int = -RISING_FOR
    heartbeat: Number = NOTHING_YET
    recent: deque[Number] = field(default_factory=lambda: deque(maxlen=WIDEST))
    budget: Budget = field(init=False)
    memory: LogHistogram = field(init=False)
    bursts: Bursts = field(init=False)

    def __post_init__(self) -> None:
        whole = self.unit is not None
        self.budget, self.memory, self.bursts = Budget(self.ratio), LogHistogram(whole), Bursts(whole)

    def promise(self, t: Tuple) -> Punctuation | None:
        a = axis_value(t[self.attribute], self.attribute)
        if a is None:
            return None
        a = a if self.unit is None else a // self.unit
        late, rises, lateness = a < self.frontier, a > self.largest, max(0, self.largest - a)
        if lateness > FARTHEST:
            raise too_far()
        self.largest = max(self.largest, a)
        if self.delay is not None:
            self._raise_delay(lateness)
            self.frontier = max(self.frontier, self.largest - self.delay) if rises else self.frontier
        self._count(a, lateness, late)
        self._choose_if_due(lateness, late)
        if self.frontier == NOTHING_YET:
            return None
        return Punctuation(self.attribute, self.frontier if self.unit is None else self.frontier * self.unit)

    def _raise_delay(self, lateness: Number) -> None:
        assert self.delay is not None
        self.delay = max(self.delay, min(AHEAD * lateness, self.ahead))
        if lateness > self.limit:  # it may be one of a few, or the first of many: the next choice, which is due soon, will show
            self.delay = max(self.delay, beyond(lateness, whole=self.unit is not None))
            self.next_choice = min(self.next_choice, self.budget.seen + 1 + EVERY)

    def _count(self, a: Number, lateness: Number, late: bool) -> None:
        counts = self.budget.seen >= UNCOUNTED
        self.budget.lost += counts and a < self.heartbeat
        self.budget.late += counts and late
        self.heartbeat = max(self.heartbeat, self.largest - max(self.memory.most, lateness))
        self.bursts.see(a)
        self.recent.append(lateness)
        self.memory.add(lateness, remembered(self.budget.seen))
        self.budget.seen += 1
        self.relevant += 1

    def _choose_if_due(self, lateness: Number, late: bool) -> None:
        self.late_left -= late
        self.last_stir = self.budget.seen if lateness >= self.calm else self.last_stir
        if late and self.late_left == 0:
            self.last_alarm = self.budget.seen
        elif self.budget.seen - self.last_stir == QUIET:
            self.relevant = QUIET
        elif self.budget.seen != self.next_choice:
            return
        self._choose()

    def _choose(self) -> None:
        self.bursts.fold()
        seen, recent = self.budget.seen, list(self.recent)[-width(self.budget.seen) :]
        largest = max(recent)
        if self.bursts.high is None or seen - self.bursts.began >= EVERY:
            self.bursts.begin(self.largest, largest, seen)
        window = sorted(recent[-self.relevant :], reverse=True)
        rising = seen - self.last_alarm <= RISING_FOR
        choice = self.budget.choose(len(window), lambda n: window[n - 1], self.memory, self.bursts, rising=rising)
        self.delay = choice.delay if self.budget.promises else None
        self.limit = choice.delay if choice.follows else max(choice.delay, FAR * largest)
        self.ahead = choice.ahead
        self.calm = calm_below(self.delay, len(window), lambda n: window[n - 1], whole=self.unit is not None)
        self.memory.fade()
        steps = until_next(seen, self.relevant, self.budget.ratio, rising=rising)
        self.last_stir, self.next_choice = seen, seen + steps
        self.late_left = self.budget.alarm(choice, steps)
