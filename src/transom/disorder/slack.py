"""SLACK: a fixed delay behind the running maximum, or a sort buffer of a fixed number of rows."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from transom.disorder.generator import Generator, TupleController
from transom.errors import NotPositive
from transom.semantics.length import Length, Number, Rows, measure, unit_of
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value


@dataclass(frozen=True)
class Slack(Generator):
    """`SLACK d`: nothing comes more than d below the running maximum. `SLACK n ROWS`: a sort buffer of n rows."""

    slack: Length

    def __post_init__(self) -> None:
        unit_of(self.slack)
        if measure(self.slack) < 0:
            raise NotPositive("SLACK cannot be negative", given=str(self.slack), remedy="give 0 or more")

    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        if isinstance(self.slack, Rows):
            return _SlackRows(attribute, self.slack.count, [])
        return _Slack(attribute, measure(self.slack))


@dataclass
class _Slack(TupleController):
    attribute: str
    slack: Number
    largest: Number = NOTHING_YET

    def promise(self, t: Tuple) -> Punctuation | None:
        a = axis_value(t[self.attribute], self.attribute)
        if a is None:
            return None
        self.largest = max(self.largest, a)
        return Punctuation(self.attribute, self.largest - self.slack)


@dataclass
class _SlackRows(TupleController):
    """The frontier is the (n+1)-th largest value seen."""

    attribute: str
    count: int
    largest: list[Number]

    def promise(self, t: Tuple) -> Punctuation | None:
        a = axis_value(t[self.attribute], self.attribute)
        if a is None:
            return None
        heapq.heappush(self.largest, a)
        if len(self.largest) > self.count + 1:
            heapq.heappop(self.largest)
        return Punctuation(self.attribute, self.largest[0]) if len(self.largest) == self.count + 1 else None
