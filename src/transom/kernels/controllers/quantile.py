"""DRATIO: a quantile of the recent latenesses, with a budget (`transom.semantics.drop_ratio`)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from transom.kernels.arrays import Array, Ints
from transom.kernels.axis import Axis
from transom.kernels.controllers.controller import Controller
from transom.kernels.log_counts import LogCounts
from transom.semantics.budget import EVERY, FEWEST, LEARNING, UNCOUNTED, WINDOW, Budget, until_next
from transom.semantics.drop_ratio import QUIET

PLAIN = ("reached", "heartbeat", "delay", "follows", "due", "chosen", "since", "alarm")
"""What is carried as it is."""


class QuantileController(Controller):
    """Between two choices of the delay, all tuples at once. Everything here is in whole units on exact axes."""

    def __init__(self, axis: Axis, step: int, ratio: float) -> None:
        super().__init__(axis, step)
        self.budget, self.memory = Budget(ratio), LogCounts(axis.factor is not None)
        self.recent: Array = np.zeros(0, axis.dtype)
        self.reached: Any = axis.nothing_yet
        self.heartbeat: Any = axis.nothing_yet
        self.delay: Any = None
        self.follows = True
        self.due, self.chosen, self.since, self.alarm = FEWEST, 0, 0, 0

    def after(self, a: Array, high: Array, arrival: Array | None) -> Array:
        a, high = self.in_units(a), self.in_units(high)
        lateness = np.maximum(high[:-1] - a, 0)
        steps = self.memory.steps_of(lateness)
        recent = np.concatenate([self.recent, lateness])
        lost = self._lost(a, high[1:], lateness) if self.budget.seen < LEARNING else np.full(len(a), self.budget.lost)
        after = np.full(len(a), self.axis.nothing_yet, self.axis.dtype)
        place = 0
        while place < len(a):
            end = min(len(a), place + self.due - self.budget.seen)
            late = 0
            if self.delay is not None:
                end, late = self._stretch(a, high[1:], lateness, after, place, end)
            self.budget.lost = int(lost[end - 1])
            self.memory.add(lateness[place:end], steps[place:end])
            self._see(end - place, late, recent[: len(self.recent) + end])
            place = end
        self.recent = recent[-WINDOW:]
        return self.from_units(after)

    def _lost(self, a: Array, high: Array, lateness: Array) -> Ints:
        """How many tuples HEARTBEAT would have lost so far, but for the first."""
        most = np.maximum.accumulate(np.maximum(lateness, self.memory.most))
        reached = np.maximum.accumulate(np.concatenate([[self.heartbeat], high - most]))
        self.heartbeat = reached[-1].item()
        counts = self.budget.seen + np.arange(len(a)) >= UNCOUNTED
        return np.asarray(self.budget.lost + np.cumsum(counts & (a < reached[:-1])))

    def _stretch(self, a: Array, high: Array, lateness: Array, after: Array, start: int, end: int) -> tuple[int, int]:
        """The frontiers up to the next choice, where that ends, and how many tuples came late."""
        delay = self.delay
        if self.follows:
            delay = np.maximum.accumulate(np.maximum(lateness[start:end], self.delay))
        reached = np.maximum(high[start:end] - delay, self.reached)
        if self.follows:
            np.maximum.accumulate(reached, out=reached)
        late = np.flatnonzero(a[start:end] < np.concatenate([[self.reached], reached[:-1]]))
        if len(late) >= self.alarm:
            late = late[: self.alarm]
            end = start + int(late[-1]) + 1
        after[start:end] = reached[: end - start]
        self.reached = reached[end - start - 1].item()
        if self.follows:
            self.delay = delay[end - start - 1].item()
        return end, len(late)

    def _see(self, seen: int, late: int, recent: Array) -> None:
        self.since += seen
        self.budget.seen += seen
        self.budget.late += late
        self.alarm -= late
        if late and self.alarm == 0:
            self.since = min(self.since, max(32, self.budget.seen - self.chosen))
            self._choose(recent, alarmed=True)
        elif self.budget.seen == self.due:
            self._choose(recent, alarmed=False)

    def _choose(self, recent: Array, *, alarmed: bool) -> None:
        self.budget.note(alarmed=alarmed, calm=self.since >= EVERY)
        window = recent[-min(self.since, WINDOW) :]
        if self._is_quiet(window):
            self.since, window = QUIET, window[-QUIET:]
        choice = self.budget.choose(len(window), lambda n: _nth_largest(window, n), self.memory)
        self.delay, self.follows = choice.delay, choice.follows
        self.memory.fade()
        steps = until_next(self.budget.seen, self.since)
        self.chosen, self.due = self.budget.seen, self.budget.seen + steps
        self.alarm = self.budget.alarm(steps)

    def _is_quiet(self, window: Array) -> bool:
        """Where the last tuples are all on one side, the ones before them say nothing any more."""
        if not self.delay or len(window) < 2 * QUIET:
            return False
        above = 2 * window > self.delay
        older = int(np.count_nonzero(above[:-QUIET]))
        return older * QUIET >= 8 * (len(window) - QUIET) and not above[-QUIET:].any()

    def about(self) -> dict[str, Any]:
        return {**super().about(), "target": self.budget.ratio}

    def own_to_json(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in PLAIN}
        return {**kept, "budget": asdict(self.budget), "memory": self.memory.to_json(), "recent": self.recent.tolist()}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        for name in PLAIN:
            setattr(self, name, kept[name])
        self.budget = Budget(**kept["budget"])
        self.memory.from_json(kept["memory"])
        self.recent = np.array(kept["recent"], self.axis.dtype)


def _nth_largest(numbers: Array, n: int) -> Any:
    return numbers.max().item() if n == 1 else np.partition(numbers, len(numbers) - n)[-n].item()
