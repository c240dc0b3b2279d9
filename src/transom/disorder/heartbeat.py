"""HEARTBEAT: as much slack as the lateness seen (Srivastava and Widom, with whom seed 001 compares)."""

from __future__ import annotations

from dataclasses import dataclass

from transom.disorder.generator import Generator, TupleController
from transom.semantics.length import Number
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value


@dataclass(frozen=True)
class Heartbeat(Generator):
    """`HEARTBEAT`: the running maximum less the largest lateness so far.

    `HEARTBEAT AVERAGE`: less the average, over the tuples so far, of the largest lateness at each.
    """

    average: bool = False

    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        return _Heartbeat(attribute, unit, self.average)


@dataclass
class _Heartbeat(TupleController):
    attribute: str
    unit: Number | None
    average: bool
    largest: Number = NOTHING_YET
    latest: Number = 0
    total: Number = 0
    seen: int = 0

    def promise(self, t: Tuple) -> Punctuation | None:
        a = axis_value(t[self.attribute], self.attribute)
        if a is None:
            return None
        if self.seen:
            self.latest = max(self.latest, self.largest - a)
        self.largest = max(self.largest, a)
        self.seen += 1
        self.total += self.latest
        return Punctuation(self.attribute, self.largest - (self._average() if self.average else self.latest))

    def _average(self) -> Number:
        """In whole units, rounded up."""
        if self.unit is None:
            return self.total / self.seen
        return -(-self.total // (self.seen * self.unit)) * self.unit
