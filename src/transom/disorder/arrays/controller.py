"""What every controller does: find the frontiers of a piece of the sequence, and carry its state to the next piece."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from transom.disorder.arrays.frontier_path import FrontierPath
from transom.disorder.histogram.log_histogram_arrays import LogHistogramOnArrays
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.number_packing import as_text, from_text, in_order
from transom.kernels.columns.sequence import Sequence

SAMPLED = 64
"""Tuples between two samples of the delay, for the report: a histogram of all would cost time and add nothing."""


class Controller(ABC):
    """The frontier of one substream, and figures about it for the report.

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
        self.delays = LogHistogramOnArrays(axis.factor is not None)

    @abstractmethod
    def judge(self, sequence: Sequence, arrival: Array | None = None) -> FrontierPath:
        """The frontiers of a piece of the sequence, in the units that this controller counts in."""

    @abstractmethod
    def run(self, a: Array, arrival: Array | None = None) -> Array:
        """The frontier before each tuple, and finally the one after all, for places on the axis."""

    @property
    def target(self) -> float | None:
        """The drop ratio, if there is one. `seen` and `late` are counted since it was last changed."""
        return None

    @property
    def learns(self) -> bool:
        """Whether too little was seen to promise anything."""
        return False

    def _sampled(self, tuples: int) -> Ints:
        """The tuples before which the delay is noted."""
        return np.arange(SAMPLED - self.seen % SAMPLED, tuples + 1, SAMPLED)

    def _note(self, tuples: int, late: int, delays: Array, may_wait: Array, frontier: Any) -> None:
        """Add a piece to the figures: tuples seen and late, sampled delays, and the tuples that may be at or above the frontier,
        in the units that this controller counts in."""
        self.delays.add(delays)
        self.delays.fade()
        self.seen += tuples
        self.late += late
        self.waiting = np.concatenate([held[held >= frontier] for held in (self.waiting, may_wait)])

    def waits(self, frontier: Any) -> int:
        """How many waiting tuples are not below a frontier; none at the end of the input."""
        return int(np.count_nonzero(self.waiting >= frontier))

    def about(self, frontier: Any = None) -> dict[str, Any]:
        """Counts, and the median and 95th percentile of the delay in axis units, when the stream has reached `frontier`."""
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

    def delay_for(self, ratio: float) -> Any:
        """The delay, in axis units, behind which at most this share of the tuples seen so far came late; None if not known."""
        return None

    def to_json(self) -> dict[str, Any]:
        """The state that the next piece starts from."""
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
        """The state that this kind of controller adds."""
        return {}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        """Restore it."""
        assert not kept

    def in_units(self, numbers: Array) -> Array:
        """Places on the axis in whole units; NOTHING_YET unchanged."""
        if self.step == 1:
            return numbers
        return np.where(numbers <= self.axis.nothing_yet, self.axis.nothing_yet, numbers // self.step)

    def from_units(self, units: Array) -> Array:
        """The inverse of `in_units`."""
        if self.step == 1:
            return units
        return np.where(units <= self.axis.nothing_yet, self.axis.nothing_yet, units * self.step)
