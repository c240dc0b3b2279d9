"""DRATIO r NORMAL: the controller of seed 001, section 5, for delays that are normal and arrivals that are Poisson."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from statistics import NormalDist

from transom.disorder.generator import FARTHEST, TupleController, too_far
from transom.errors import BadTuple
from transom.semantics.length import Number
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value

FEWEST = 30
"""Tuples before the first promise."""

MOST = 100
"""The tuples that VSeq holds. The paper resizes it to n_p, which is a few tens at 1 %."""


def constant(ratio: float) -> float:
    """c of (5.7), the square of the z-value. A ratio of one half or more needs no slack at all."""
    return NormalDist().inv_cdf(1 - ratio) ** 2 if ratio < 0.5 else 0.0


def span(c: float, theta: float, variance: float) -> float:
    """n_p theta of (5.7) and (5.8), n_p rounded up. In a burst, where theta is 0, what it tends to: sqrt(2 c) sigma."""
    if theta > 0:
        spread = math.sqrt(variance) / theta
        needed = (c + math.sqrt(c * c + 8.0 * c * (spread * spread))) / 2.0
        if math.isfinite(needed):
            return math.ceil(needed) * theta
    return math.sqrt(2.0 * c * variance)


def missing_arrival(attribute: str) -> BadTuple:
    """An arrival time that is NULL or no number: there is no telling how long the tuple was on its way."""
    return BadTuple(
        f"a tuple has no arrival time: {attribute!r} is NULL, or not a number",
        given=f"ARRIVAL BY {attribute}",
        remedy="fill it in where the stream is read, or leave ARRIVAL BY out",
    )


@dataclass
class Normal(TupleController):
    """VSeq holds the latest tuples: their arrival times T, and their delays T - tau less the first delay of all.

    On exact axes everything but theta and sigma is a whole number of units, so sums are exact. Arrival times
    that are not known are the running maximum of tau.
    """

    attribute: str
    unit: Number | None
    arrival: str | None
    ratio: float
    vseq: deque[tuple[Number, Number]] = field(default_factory=deque)
    largest: Number = NOTHING_YET
    base: Number | None = None
    total: Number = 0
    squares: Number = 0

    def promise(self, t: Tuple) -> Punctuation | None:
        tau = self._units(t, self.attribute)
        if tau is None:
            return None
        self.largest = max(self.largest, tau)
        at = self.largest if self.arrival is None else self._units(t, self.arrival)
        if at is None:
            raise missing_arrival(str(self.arrival))
        delay = at - tau
        if not -FARTHEST <= delay <= FARTHEST:
            raise too_far()
        self._take(at, delay)
        if len(self.vseq) < FEWEST:
            return None
        x = self._punctuation(at)
        return Punctuation(self.attribute, x if self.unit is None else x * self.unit)

    def _units(self, t: Tuple, attribute: str) -> Number | None:
        a = axis_value(t[attribute], attribute)
        return a if a is None or self.unit is None else a // self.unit

    def _take(self, at: Number, delay: Number) -> None:
        self.base = delay if self.base is None else self.base
        new, old = delay - self.base, 0 if len(self.vseq) < MOST else self.vseq.popleft()[1]
        self.vseq.append((at, new))
        self.total += new - old
        self.squares += new * new - old * old

    def _punctuation(self, at: Number) -> Number:
        n = float(len(self.vseq))
        theta = max(0.0, float(at - self.vseq[0][0]) / n)
        mean = float(self.total) / n
        variance = max(0.0, float(self.squares) / n - mean * mean)
        behind = mean + span(constant(self.ratio), theta, variance)
        assert self.base is not None
        return at - self.base - (behind if self.unit is None else math.ceil(behind))
