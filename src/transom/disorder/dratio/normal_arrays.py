"""DRATIO r NORMAL: the controller of seed 001, section 5, for all tuples of a piece at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.arrays.per_tuple import PerTupleController
from transom.disorder.dratio.normal import FEWEST, MOST, constant
from transom.disorder.generator import FARTHEST, too_far
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis

LARGEST = 2.0**61


class NormalController(PerTupleController):
    """VSeq is `arrivals` and `delays_less`, the delays less the first of all; sums over it move on from tuple to tuple."""

    def __init__(self, axis: Axis, step: int, ratio: float) -> None:
        super().__init__(axis, step)
        self.ratio = ratio
        self.base: Any = None
        self.total: Any = 0
        self.squares: Any = 0
        self.arrivals: Array = np.zeros(0, axis.dtype)
        self.delays_less: Array = np.zeros(0, axis.dtype)

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        at = self.in_units(high[1:] if arrival is None else arrival)
        delays = at - self.in_units(a)
        if np.abs(delays).max() > FARTHEST:
            raise too_far()
        self.base = delays[0].item() if self.base is None else self.base
        held = len(self.arrivals)
        arrivals = np.concatenate([self.arrivals, at])
        less = np.concatenate([self.delays_less, delays - self.base])
        place = held + np.arange(len(a))
        first = np.maximum(place + 1 - MOST, 0)
        total, squares = self._sums(less, place)
        n = np.minimum(place + 1, MOST).astype(np.float64)
        theta = np.maximum(0.0, (at - arrivals[first]).astype(np.float64) / n)
        mean = total / n
        variance = np.maximum(0.0, squares / n - mean * mean)
        behind = mean + _spans(constant(self.ratio), theta, variance)
        self.arrivals, self.delays_less = arrivals[-MOST:], less[-MOST:]
        if self.axis.factor is not None:
            behind = np.clip(np.ceil(behind), -LARGEST, LARGEST).astype(np.int64)
        reached[1:] = np.where(place + 1 < FEWEST, self.axis.nothing_yet, self.from_units(at - self.base - behind))

    def _sums(self, less: Array, place: Ints) -> tuple[Array, Array]:
        """The sum and the sum of squares of VSeq at each tuple. Integers are exact, also those that need more than 64 bits."""
        if self.axis.factor is not None and float(np.abs(less).max()) ** 2 * MOST >= 2.0**62:
            less = less.astype(object)
        new, old = less[place], np.where(place < MOST, 0, less[np.maximum(place - MOST, 0)])
        totals = np.cumsum(np.concatenate([np.array([self.total], less.dtype), new - old]))[1:]
        squares = np.cumsum(np.concatenate([np.array([self.squares], less.dtype), new * new - old * old]))[1:]
        self.total, self.squares = totals[-1], squares[-1]
        if less.dtype != object:
            self.total, self.squares = totals[-1].item(), squares[-1].item()
        return totals.astype(np.float64), squares.astype(np.float64)

    @property
    def target(self) -> float:
        return self.ratio

    @property
    def learns(self) -> bool:
        return len(self.arrivals) < FEWEST

    def own_to_json(self) -> dict[str, Any]:
        kept = {"base": self.base, "total": self.total, "squares": self.squares}
        return {**kept, "arrivals": self.arrivals.tolist(), "delays": self.delays_less.tolist()}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        self.base, self.total, self.squares = kept["base"], kept["total"], kept["squares"]
        self.arrivals = np.array(kept["arrivals"], self.axis.dtype)
        self.delays_less = np.array(kept["delays"], self.axis.dtype)


def _spans(c: float, theta: Array, variance: Array) -> Array:
    """`transom.disorder.dratio.normal.span` of each."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        spread = np.sqrt(variance) / theta
        needed = (c + np.sqrt(c * c + 8.0 * c * (spread * spread))) / 2.0
        usual = np.ceil(needed) * theta
    return np.where((theta > 0) & np.isfinite(needed), usual, np.sqrt(2.0 * c * variance))
