"""What every controller does: run over a piece of the sequence, and be carried to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from transom.kernels.arrays import Array
from transom.kernels.axis import Axis
from transom.kernels.log_counts import LogCounts
from transom.kernels.packing import as_text, from_text

SAMPLED = 16
"""Of so many tuples, the delay of one is noted."""


class Controller(ABC):
    """The frontier of one substream, and what is to be told of it.

    `high` is the running maximum; `waiting` are the tuples at or above the frontier; `delays` how far the frontier
    was behind the maximum.
    """

    goes_back = True
    """Whether what is promised after a tuple may be less than before, and the most so far counts."""

    def __init__(self, axis: Axis, step: int) -> None:
        self.axis, self.step = axis, step
        self.frontier: Any = axis.nothing_yet
        self.high: Any = axis.nothing_yet
        self.seen = 0
        self.late = 0
        self.waiting: Array = np.zeros(0, axis.dtype)
        self.delays = LogCounts(axis.factor is not None)

    @abstractmethod
    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        """Write what is promised after each tuple behind the first number of `reached`, the frontier before all.

        `high` has the running maximum before each, and at last the one after all.
        """

    def run(self, a: Array, arrival: Array | None = None) -> Array:
        """The frontier before each tuple, and at last the one after all."""
        if not len(a):
            return np.array([self.frontier], self.axis.dtype)
        high, reached = np.empty((2, len(a) + 1), self.axis.dtype)
        high[0], high[1:] = self.high, a
        np.maximum.accumulate(high, out=high)
        reached[0] = self.frontier
        self.promise(a, high, arrival, reached)
        if self.goes_back:
            np.maximum.accumulate(reached, out=reached)
        self.high, self.frontier = high[-1].item(), reached[-1].item()
        self._note(a, high, reached)
        return np.asarray(reached)

    def _note(self, a: Array, high: Array, reached: Array) -> None:
        picked = slice(SAMPLED - self.seen % SAMPLED, None, SAMPLED)
        known = reached[picked] > self.axis.nothing_yet
        self.delays.add((high[picked] - reached[picked])[known])
        self.delays.fade()
        self.seen += len(a)
        self.late += int(np.count_nonzero(a < reached[:-1]))
        may_wait = a[np.searchsorted(high[1:], self.frontier) :]  # while the maximum was below the frontier, all were
        self.waiting = np.concatenate([held[held >= self.frontier] for held in (self.waiting, may_wait)])

    def about(self) -> dict[str, Any]:
        """What there is to tell: counts, the delay now and what it was for a half and for 95 of 100 tuples, in axis units."""
        known = self.frontier > self.axis.nothing_yet
        return {
            "seen": self.seen,
            "late": self.late,
            "waiting": len(self.waiting),
            "delay_50": self.delays.exceeded(0.5) if known else None,
            "delay_95": self.delays.exceeded(0.05) if known else None,
        }

    def to_json(self) -> dict[str, Any]:
        """What is carried to the next piece."""
        kept = {"frontier": self.frontier, "high": self.high, "seen": self.seen, "late": self.late}
        return {**kept, "waiting": as_text(self.waiting), "delays": self.delays.to_json(), "own": self.own_to_json()}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.frontier, self.high = kept["frontier"], kept["high"]
        self.seen, self.late = kept["seen"], kept["late"]
        self.waiting = from_text(kept["waiting"]).astype(self.axis.dtype)
        self.delays.from_json(kept["delays"])
        self.own_from_json(kept["own"])

    def own_to_json(self) -> dict[str, Any]:
        """What this kind of controller adds."""
        return {}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        """And takes back."""
        assert not kept

    def in_units(self, numbers: Array) -> Array:
        """Places of the axis in whole units of the attribute; nothing yet stays so."""
        if self.step == 1:
            return numbers
        return np.where(numbers <= self.axis.nothing_yet, self.axis.nothing_yet, numbers // self.step)

    def from_units(self, units: Array) -> Array:
        """And back."""
        if self.step == 1:
            return units
        return np.where(units <= self.axis.nothing_yet, self.axis.nothing_yet, units * self.step)
