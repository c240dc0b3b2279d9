"""The four policies (seed 004, section 3.3): each says when a window is full, or when it is processed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from transom.errors import BadPolicy, NotALength, NotPositive
from transom.semantics.length import Length, Rows, attribute_name, measure, unit_of
from transom.semantics.time import Duration
from transom.windowing.policies.periods import period


@dataclass(frozen=True)
class Count:
    """After `n` tuples."""

    n: int

    def __post_init__(self) -> None:
        if not isinstance(self.n, int) or isinstance(self.n, bool):
            raise NotALength("count is a whole number of tuples", given=repr(self.n), remedy="give an integer")
        if self.n < 0:
            raise NotPositive("count cannot be negative", given=str(self.n), remedy="give 0 or more")

    def __str__(self) -> str:
        return f"count({self.n})"


@dataclass(frozen=True)
class Delta:
    """Where an attribute of the tuples has moved by more than `threshold`."""

    attribute: str
    threshold: Length

    def __post_init__(self) -> None:
        attribute_name("delta", self.attribute)
        if isinstance(self.threshold, Rows):
            raise BadPolicy("delta is measured on an attribute, not in rows", given=str(self), remedy="use count(n)")
        unit_of(self.threshold)
        if not 0 <= measure(self.threshold) < float("inf"):
            raise NotPositive("the threshold of delta is finite and not negative", given=str(self), remedy="give 0 or more")

    def __str__(self) -> str:
        shown = str(self.threshold).upper() if isinstance(self.threshold, Duration) else str(self.threshold)
        return f"delta({self.attribute}, {shown})"


@dataclass(frozen=True)
class Time:
    """After `length` on the clock."""

    length: Duration

    def __post_init__(self) -> None:
        if self.length.micros <= 0:
            raise NotPositive("time must be greater than zero", given=str(self.length), remedy="give a positive duration")

    def __str__(self) -> str:
        return f"time({str(self.length).upper()})"


@dataclass(frozen=True)
class Punct:
    """At a window punctuation in the stream."""

    def __str__(self) -> str:
        return "punct()"


Policy = Count | Delta | Time | Punct


def count(n: int | Rows) -> Count:
    """A policy that counts tuples. `count(0)`, as an eviction policy of a sliding window, holds nothing.

    >>> str(count(100))
    'count(100)'
    """
    return Count(n.count if isinstance(n, Rows) else n)


def delta(attribute: str, threshold: Length | timedelta | str) -> Delta:
    """A policy on an attribute that does not decrease: a number, a timestamp or a date.

    >>> str(delta("id", 1)), str(delta("ts", "10 minutes"))
    ('delta(id, 1)', 'delta(ts, 10 MINUTES)')
    """
    return Delta(attribute, period("delta", threshold) if isinstance(threshold, timedelta | str) else threshold)


def time(length: Duration | timedelta | str) -> Time:
    """A policy on the clock, whether tuples come or not.

    >>> str(time("90 seconds"))
    'time(1 MINUTE 30 SECONDS)'
    """
    return Time(period("time", length))


def punct() -> Punct:
    """A policy that waits for window punctuation; tumbling windows only.

    >>> str(punct())
    'punct()'
    """
    return Punct()
