"""Generators of progress punctuation. Each sees tuple after tuple, and promises."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from dataclasses import dataclass

from transom.errors import ArithmeticOverflow, NotPositive
from transom.semantics.length import Length, Number, Rows, measure, names_of, unit_of
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value

FARTHEST = 2**60
"""Units that a tuple may be late, where delays are a multiple of that: the frontier then has a place in 64 bits."""


def too_far() -> ArithmeticOverflow:
    """A tuple that is later than that."""
    return ArithmeticOverflow(
        "DRATIO counts how late a tuple is up to 2^60 units of its column, and one is later",
        given="a column whose values are that far apart",
        remedy="give SLACK or HEARTBEAT, or leave out with WHERE, where the stream is read, what is no time of an event",
    )


class Generator(ABC):
    """What is configured. `start` gives what runs."""

    @abstractmethod
    def start(self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False) -> Promising:
        """A run of this generator over a stream ordered by `attribute`.

        `unit` is the attribute's smallest step, None for doubles. `arrival` is the column with the arrival times. `timed` says
        that the attribute is time, in microseconds.
        """


class Promising(ABC):
    """What runs."""

    @abstractmethod
    def promise(self, t: Tuple) -> Punctuation | None:
        """The promise made after `t` has been seen, if any."""


@dataclass(frozen=True)
class Ordered(Generator):
    """`ORDERED` / `ORDERED PER g`: the stream, or each group of it, is sorted."""

    per: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "per", names_of("ORDERED PER", self.per))

    def start(self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False) -> Promising:
        return _Ordered(attribute, self.per)


@dataclass
class _Ordered(Promising):
    attribute: str
    per: tuple[str, ...]

    def promise(self, t: Tuple) -> Punctuation | None:
        a = axis_value(t[self.attribute], self.attribute)
        return None if a is None else Punctuation(self.attribute, a, {column: t[column] for column in self.per})


@dataclass(frozen=True)
class Slack(Generator):
    """`SLACK d`: nothing comes more than d below the running maximum. `SLACK n ROWS`: a sort buffer of n rows."""

    slack: Length

    def __post_init__(self) -> None:
        unit_of(self.slack)
        if measure(self.slack) < 0:
            raise NotPositive("SLACK cannot be negative", given=str(self.slack), remedy="give 0 or more")

    def start(self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False) -> Promising:
        if isinstance(self.slack, Rows):
            return _SlackRows(attribute, self.slack.count, [])
        return _Slack(attribute, measure(self.slack))


@dataclass
class _Slack(Promising):
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
class _SlackRows(Promising):
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
