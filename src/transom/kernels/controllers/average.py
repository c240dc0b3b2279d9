"""HEARTBEAT AVERAGE."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis
from transom.kernels.controllers.each import EachController


class AverageController(EachController):
    """The running maximum less the average, over the tuples so far, of the largest lateness at each."""

    def __init__(self, axis: Axis, step: int) -> None:
        super().__init__(axis, step)
        self.latest: Any = 0 if axis.factor is not None else 0.0
        self.total: Any = self.latest

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        latest = high[:-1] - a
        np.maximum(latest, self.latest, out=latest)
        np.maximum.accumulate(latest, out=latest)
        self.latest = latest[-1].item()
        np.subtract(high[1:], self._averages(latest), out=reached[1:])

    def _averages(self, latest: Array) -> Array:
        """In whole units, rounded up. Doubles are added up one after the other, so that cuts do not matter."""
        exact = self.axis.factor is not None
        if exact and self.total + len(latest) * self.latest >= 2**62:
            latest = latest.astype(object)
        totals = np.cumsum(np.concatenate([np.array([self.total], latest.dtype), latest]))[1:]
        self.total = totals[-1].item() if isinstance(totals[-1], np.generic) else totals[-1]
        seen = self.seen + 1 + np.arange(len(latest))
        averages = -(-totals // (seen * self.step)) * self.step if exact else totals / seen
        return np.asarray(averages, self.axis.dtype)

    def own_to_json(self) -> dict[str, Any]:
        return {"latest": self.latest, "total": self.total}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        self.latest, self.total = kept["latest"], kept["total"]
