"""What every controller does: judge a piece of the sequence, and be carried to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from transom.disorder.arrays.frontier_path import FrontierPath
from transom.disorder.histogram.log_histogram_arrays import LogHistogram
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.packing import as_text, from_text, in_order
from transom.kernels.columns.sequence import Sequence

SAMPLED = 64
"""Of so many tuples, the delay of one is noted."""


class Controller(ABC):
    """The frontier of one substream, and what is to be told of it.

    `high` is the running maximum; `waiting` are the tuples at or above the frontier; `delays` how far the frontier
    was behind the maximum. `step` is a unit on the axis.
    """

    def __init__(self, axis: Axis, step: int) -> None:
        self.axis, self.step = axis, step
        self.frontier: Any = axis.nothing_yet
        self.high: Any = axis.nothing_yet
        self.seen = 0
        self.late = 0
        self.waiting: Array = np.zeros(0, axis.dtype)
        self.delays = LogHistogram(axis.factor is not None)

    @abstractmethod
    def judge(self, sequence: Sequence, arrival: Array | None = None) -> FrontierPath:
        """The frontiers of a piece of the sequence, which is in the units that this controller counts in."""

    @abstractmethod
    def run(self, a: Array, arrival: Array | None = None) -> Array:
        """The same of places on the axis: the frontier before each tuple, and at last the one after all."""

    @property
    def target(self) -> float | None:
        """The share of tuples that may come late, where that was said. `seen` and `late` are counted since."""
        return None

    @property
    def learns(self) -> bool:
        """Whether too little was seen to promise anything."""
        return False

    def _sampled(self, tuples: int) -> Ints:
        """The tuples before which the delay is noted."""
        return np.arange(SAMPLED - self.seen % SAMPLED, tuples + 1, SAMPLED)

    def _note(self, tuples: int, late: int, delays: Array, may_wait: Array, frontier: Any) -> None:
        """So many tuples were seen, and so many of them late; delays of some; and those that may be at or above the frontier, as
        places are counted here."""
        self.delays.add(delays)
        self.delays.fade()
        self.seen += tuples
        self.late += late
        self.waiting = np.concatenate([held[held >= frontier] for held in (self.waiting, may_wait)])

    def waits(self, frontier: Any) -> int:
        """How many of the tuples that this controller lets wait are not below a frontier: an end of the input passes them all."""
        return int(np.count_nonzero(self.waiting >= frontier))

    def about(self, frontier: Any = None) -> dict[str, Any]:
        """What there is to tell, where the stream has come as far as `frontier`: counts, and what the delay was for a half and
        for 95 of 100 tuples, in axis units."""
        known = self.frontier > self.axis.nothing_yet
        told = {} if self.target is None else {"target": self.target, "learns": self.learns}
        return {
            **told,
            "seen": self.seen,
            "late": self.late,
            "waiting": len(self.waiting) if frontier is None else self.waits(frontier),
            "delay_50": self.delays.exceeded(0.5) if known else None,
            "delay_95": self.delays.exceeded(0.05) if known else None,
        }

    def to_json(self) -> dict[str, Any]:
        """What is carried to the next piece."""
        kept = {"frontier": self.frontier, "high": self.high, "seen": self.seen, "late": self.late, "target": self.target}
        return {**kept, "waiting": as_text(in_order(self.waiting)), "delays": self.delays.to_json(), "own": self.own_to_json()}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.frontier, self.high = kept["frontier"], kept["high"]
        if kept["target"] == self.target:
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
        """Places of the axis in whole units; nothing yet stays so."""
        if self.step == 1:
            return numbers
        return np.where(numbers <= self.axis.nothing_yet, self.axis.nothing_yet, numbers // self.step)

    def from_units(self, units: Array) -> Array:
        """And back."""
        if self.step == 1:
            return units
        return np.where(units <= self.axis.nothing_yet, self.axis.nothing_yet, units * self.step)
