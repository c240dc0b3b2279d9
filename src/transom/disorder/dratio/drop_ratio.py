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
    FARTHER_BY,
    FEWEST,
    HELD,
    NARROWEST,
    QUIET,
    SOONEST,
    UNCOUNTED,
    WIDEST,
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


def farther(lateness: Any, *, whole: bool) -> Any:
    """A delay somewhat above a lateness that was not expected."""
    return lateness + (lateness // FARTHER_BY if whole else lateness / FARTHER_BY)


def grain(unit: Any, *, timed: bool) -> Any:
    """What delays are counted in, given the attribute's unit: of time, a thousand microseconds. The frontier is a whole number of
    them, so nothing is late that is not below it."""
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

    `due` is the next such place, unless `alarm` late tuples come before it, or so many in a row that are `calm`, since one
    `stirred`. A lateness above `limit` raises the delay at once, if it is `brief` until a choice that comes soon; up to
    `ahead` the delay is twice any lateness. Numbers are whole units on exact axes.
    """

    attribute: str
    unit: Number | None
    ratio: float
    largest: Number = NOTHING_YET
    frontier: Number = NOTHING_YET
    delay: Number | None = None
    limit: Number = 0
    ahead: Number = 0
    brief: bool = False
    calm: Number = 0
    stirred: int = 0
    due: int = FEWEST
    chosen: int = 0
    since: int = 0
    alarm: int = 0
    alarmed: int = -HELD
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
            self.delay = max(self.delay, min(AHEAD * lateness, self.ahead))
            if lateness > self.limit:
                self.delay = max(self.delay, farther(lateness, whole=self.unit is not None))
                self.due = min(self.due, self.budget.seen + 1 + EVERY) if self.brief else self.due
            self.frontier = max(self.frontier, self.largest - self.delay) if rises else self.frontier
        if a < self.heartbeat and self.budget.seen >= FEWEST:
            self.budget.lose(1)
        self.heartbeat = max(self.heartbeat, self.largest - max(self.memory.most, lateness))
        self.bursts.see(a)
        self._see(lateness, late)
        if self.frontier == NOTHING_YET:
            return None
        return Punctuation(self.attribute, self.frontier if self.unit is None else self.frontier * self.unit)

    def _see(self, lateness: Number, late: bool) -> None:
        self.recent.append(lateness)
        self.memory.add(lateness, remembered(self.budget.seen))
        self.budget.late += late and self.budget.seen >= UNCOUNTED
        self.since += 1
        self.budget.seen += 1
        self.alarm -= late
        self.stirred = self.budget.seen if lateness >= self.calm else self.stirred
        if late and self.alarm == 0:
            self.since = min(self.since, max(SOONEST, self.budget.seen - self.chosen))
            self.alarmed = self.budget.seen
            self._choose()
        elif self.budget.seen - self.stirred == QUIET:  # disorder has fallen: what was before says nothing any more
            self.since = QUIET
            self._choose()
        elif self.budget.seen == self.due:
            self._choose()

    def _choose(self) -> None:
        self.bursts.fold()
        recent = list(self.recent)[-width(self.budget.seen) :]
        widest = max(recent)
        if self.bursts.high is None or self.budget.seen - self.bursts.began >= EVERY:
            self.bursts.begin(self.largest, widest, self.budget.seen)
        window = sorted(recent[-max(self.since, NARROWEST) :], reverse=True)
        rising = self.budget.seen - self.alarmed <= HELD
        choice = self.budget.choose(len(window), lambda n: window[n - 1], self.memory, self.bursts, rising=rising)
        self.delay = choice.delay if self.budget.promises else None
        self.limit = choice.delay if choice.follows else max(choice.delay, FAR * widest)
        self.ahead, self.brief = choice.ahead, choice.is_brief
        self.calm = calm_below(self.delay, len(window), lambda n: window[n - 1], whole=self.unit is not None)
        self.memory.fade()
        steps = until_next(self.budget.seen, self.since, self.budget.ratio, rising=rising)
        self.chosen = self.stirred = self.budget.seen
        self.due = self.budget.seen + steps
        self.alarm = self.budget.alarm(choice, steps)
