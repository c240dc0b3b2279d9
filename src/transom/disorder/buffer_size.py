"""BFSIZE: a limit to how many tuples wait, over another generator."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field

from transom.disorder.generator import Generator, TupleController
from transom.errors import NotPositive
from transom.semantics.length import Number
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value


@dataclass(frozen=True)
class Buffered(Generator):
    """`BFSIZE n`: the frontier moves up to the smallest x with at most n tuples at or above it, whatever the other says."""

    generator: Generator
    size: int

    def __post_init__(self) -> None:
        if self.size <= 0:
            raise NotPositive("BFSIZE must be greater than zero", given=f"BFSIZE {self.size}", remedy="give a number of tuples")

    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        return _Buffered(attribute, unit, self.size, self.generator.start(attribute, unit, arrival, timed=timed))


@dataclass
class _Buffered(TupleController):
    """Just above the (n+1)-th largest value there are at most n; equal values count each."""

    attribute: str
    unit: Number | None
    size: int
    other: TupleController
    largest: list[Number] = field(default_factory=list)

    def promise(self, t: Tuple) -> Punctuation | None:
        given = self.other.promise(t)
        a = axis_value(t[self.attribute], self.attribute)
        if a is None:
            return given
        heapq.heappush(self.largest, a)
        if len(self.largest) > self.size + 1:
            heapq.heappop(self.largest)
        if len(self.largest) <= self.size:
            return given
        limit = self._above(self.largest[0])
        return given if given is not None and given.x >= limit else Punctuation(self.attribute, limit)

    def _above(self, a: Number) -> Number:
        return math.nextafter(a, math.inf) if self.unit is None else a + self.unit
