"""What every disorder clause is: a generator of progress punctuation, from tuple to tuple.

A `Generator` is what the user configures; it is frozen. Its `start` gives a `TupleController`, which sees one tuple after
the other: the definition. `transom.disorder.controllers` gives the same on arrays, which is what runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from transom.errors import ArithmeticOverflow
from transom.semantics.length import Number
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple

FARTHEST = 2**60
"""The largest lateness that DRATIO can count, in units of the attribute. Unit: the attribute's. Why this value: twice that,
and the running maximum less that, still fit in 64 bits. Were it larger, frontiers could overflow."""


def too_far() -> ArithmeticOverflow:
    """The error for a tuple that is later than that."""
    return ArithmeticOverflow(
        "DRATIO counts how late a tuple is up to 2^60 units of its column, and one is later",
        given="a column whose values are that far apart",
        remedy="give SLACK or HEARTBEAT, or leave out with WHERE, where the stream is read, what is no time of an event",
    )


class Generator(ABC):
    """What the user configures."""

    @abstractmethod
    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        """A run of this generator over a stream ordered by `attribute`.

        `unit` is the attribute's smallest step, None for doubles. `arrival` is the column with the arrival times. `timed` says
        that the attribute is time, in microseconds.
        """


class TupleController(ABC):
    """A run of a generator over one stream, tuple by tuple."""

    @abstractmethod
    def promise(self, t: Tuple) -> Punctuation | None:
        """The promise made after `t` has been seen, if any."""
