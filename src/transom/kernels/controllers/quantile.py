"""DRATIO: a quantile of the recent latenesses, with a budget (`transom.semantics.drop_ratio`)."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from transom.kernels.arrays import Array, Ints
from transom.kernels.axis import Axis
from transom.kernels.bursts import Bursts
from transom.kernels.controllers.controller import Controller
from transom.kernels.log_counts import LogCounts
from transom.kernels.packing import as_text, from_text
from transom.semantics.budget import EVERY, FEW, FEWEST, HELD, LEARNING, UNCOUNTED, WINDOW, Budget, until_next
from transom.semantics.drop_ratio import QUIET, farther

NONE = np.zeros(0, np.int64)
PLAIN = ("reached", "heartbeat", "delay", "limit", "due", "chosen", "since", "alarm", "alarmed")
"""What is carried as it is."""


class QuantileController(Controller):
    """Between two choices of the delay, all tuples at once. Everything here is in whole units on exact axes."""

    goes_back = False

    def __init__(self, axis: Axis, step: int, ratio: float) -> None:
        super().__init__(axis, step)
        self.whole = axis.factor is not None
        self.budget, self.memory, self.bursts = Budget(ratio), LogCounts(self.whole), Bursts(self.whole)
        self.recent: Array = np.zeros(0, axis.dtype)
        self.reached: Any = axis.nothing_yet
        self.heartbeat: Any = axis.nothing_yet
        self.delay: Any = None
        self.limit: Any = 0
        self.due, self.chosen, self.since, self.alarm, self.alarmed = FEWEST, 0, 0, 0, -HELD

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        if self.step == 1:
            self._promise(a, high, reached)
        else:
            units = np.empty_like(reached)
            self._promise(self.in_units(a), self.in_units(high), units)
            reached[1:] = self.from_units(units[1:])

    def _promise(self, a: Array, high: Array, reached: Array) -> None:
        """The same in whole units."""
        recent = np.empty(len(self.recent) + len(a), a.dtype)
        recent[: len(self.recent)] = self.recent
        lateness = np.subtract(high[:-1], a, out=recent[len(self.recent) :])
        np.maximum(lateness, 0, out=lateness)
        steps = self.memory.steps_of(lateness)
        lost = self._lost(a, high[1:], lateness) if self.budget.seen < LEARNING else None
        reached[0] = self.reached
        place = 0
        while place < len(a):
            end = min(len(a), place + self.due - self.budget.seen)
            late, most = NONE, lateness[place:end].max().item()
            if self.delay is None:
                reached[place + 1 : end + 1] = self.reached
            else:
                whole, follows = end, most > self.limit
                if follows and self.limit > self.delay:
                    end = self._until_soon(lateness[place:end], place)
                end, late = self._stretch(a, high, lateness, reached, place, end, follows)
                most = most if end == whole else lateness[place:end].max().item()
            if lost is not None:
                self.budget.lost = int(lost[end - 1])
            self.memory.add_steps(steps[place:end], most)
            if self.bursts.high is not None and most > self.bursts.usual:
                self.bursts.see(a[place:end])
            self._see(end - place, late, recent[: len(self.recent) + end], high[end])
            place = end
        self.recent = recent[-WINDOW:]

    def _lost(self, a: Array, high: Array, lateness: Array) -> Ints:
        """How many tuples HEARTBEAT would have lost so far, but for the very first; `Budget.lose` of each."""
        most = np.maximum.accumulate(np.maximum(lateness, self.memory.most))
        reached = np.maximum.accumulate(np.concatenate([[self.heartbeat], high - most]))
        self.heartbeat = reached[-1].item()
        lost = a < reached[:-1]
        lost[: max(0, FEWEST - self.budget.seen)] = False
        found = np.asarray(self.budget.lost + np.cumsum(lost))
        first = max(0, UNCOUNTED - self.budget.seen)
        if first:
            found[first:] -= max(0, int(found[:first][-1]) - FEW)
            np.minimum(found[:first], FEW, out=found[:first])
        return found

    def _until_soon(self, lateness: Array, place: int) -> int:
        """Where a stretch ends in which a lateness is far above the delay: the next choice is due soon after it."""
        first = int(np.argmax(lateness > self.limit))
        self.due = min(self.due, self.budget.seen + first + 1 + EVERY)
        return place + min(len(lateness), self.due - self.budget.seen)

    def _stretch(
        self, a: Array, high: Array, lateness: Array, reached: Array, start: int, end: int, follows: bool
    ) -> tuple[int, Ints]:
        """The frontiers up to the next choice, where that ends, and which tuples came late. The delay may follow lateness."""
        delay = self.delay
        if follows:
            most = np.maximum.accumulate(lateness[start:end])
            delay = np.where(most > self.limit, np.maximum(farther(most, whole=self.whole), self.delay), self.delay)
        own = np.subtract(high[start + 1 : end + 1], delay, out=reached[start + 1 : end + 1])
        np.maximum(own, self.reached, out=own)
        if follows:
            np.maximum.accumulate(own, out=own)
        late = (a[start:end] < reached[start:end]).nonzero()[0]
        if len(late) >= self.alarm:
            late = late[: self.alarm]
            end = start + int(late[-1]) + 1
        self.reached = reached[end].item()
        if follows:
            self.delay = delay[end - start - 1].item()
        return end, late

    def _see(self, seen: int, late: Ints, recent: Array, high: Any) -> None:
        self.budget.late += len(late)
        if self.budget.seen < UNCOUNTED:
            self.budget.late -= int(np.searchsorted(late, UNCOUNTED - self.budget.seen))
        self.since += seen
        self.budget.seen += seen
        self.alarm -= len(late)
        if len(late) and self.alarm == 0:
            self.since = min(self.since, max(32, self.budget.seen - self.chosen))
            self.alarmed = self.budget.seen
            self._choose(recent, high)
        elif self.budget.seen == self.due:
            self._choose(recent, high)

    def _choose(self, recent: Array, high: Any) -> None:
        self.bursts.fold()
        widest = recent[-WINDOW:].max().item()
        if self.bursts.high is None or self.budget.seen - self.bursts.began >= EVERY:
            self.bursts.begin(high.item(), widest, self.budget.seen)
        window = recent[-min(self.since, WINDOW) :]
        if self._is_quiet(window):
            self.since, window = QUIET, window[-QUIET:]
        rising = self.budget.seen - self.alarmed <= HELD
        largest = widest if len(window) == min(len(recent), WINDOW) else window.max().item()
        nth_largest = partial(_nth_largest, window, largest)
        choice = self.budget.choose(len(window), nth_largest, self.memory, self.bursts, rising=rising)
        self.delay = choice.delay if self.budget.promises else None
        self.limit = choice.delay if choice.follows else max(choice.delay, 2 * widest)
        self.memory.fade()
        steps = until_next(self.budget.seen, self.since)
        self.chosen, self.due = self.budget.seen, self.budget.seen + steps
        self.alarm = self.budget.alarm(choice, steps)

    def _is_quiet(self, window: Array) -> bool:
        """Where the last tuples are all on one side, the ones before them say nothing any more."""
        if not self.delay or len(window) < 2 * QUIET or 2 * window[-QUIET:].max() > self.delay:
            return False
        older = int(np.count_nonzero(2 * window[:-QUIET] > self.delay))
        return older * QUIET >= 8 * (len(window) - QUIET)

    def about(self) -> dict[str, Any]:
        return {**super().about(), "target": self.budget.ratio}

    def own_to_json(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in PLAIN}
        parts = {"memory": self.memory.to_json(), "bursts": self.bursts.to_json(), "recent": as_text(self.recent)}
        return {**kept, "budget": asdict(self.budget), **parts}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        for name in PLAIN:
            setattr(self, name, kept[name])
        self.budget = Budget(**kept["budget"])
        self.memory.from_json(kept["memory"])
        self.bursts.from_json(kept["bursts"])
        self.recent = from_text(kept["recent"]).astype(self.axis.dtype)


def _nth_largest(numbers: Array, largest: Any, n: int) -> Any:
    return largest if n == 1 else np.partition(numbers, len(numbers) - n)[-n].item()
