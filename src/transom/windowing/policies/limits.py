"""Partition eviction (seed 004, section 3.5): how many partitions a window holds, and which one goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from transom.errors import BadPolicy, NotPositive, nearest
from transom.semantics.time import Duration
from transom.windowing.policies.periods import period

SELECTIONS = ("lru", "lfu", "oldest", "operator")
"""Least recently updated, least frequently updated, opened first, and what the operator's handler chooses."""

Choose = Callable[[Any], Any]
"""From the candidates, a list of read-only windows, the one to evict, or its partition."""


@dataclass(frozen=True)
class Most:
    """At most `most` partitions, or tuples in all partitions together; `select` picks what goes."""

    counted: str
    most: int
    select: str | Choose

    def __post_init__(self) -> None:
        name = f"{self.counted}_count"
        if not isinstance(self.most, int) or isinstance(self.most, bool) or self.most < 1:
            raise NotPositive(f"{name} is a whole number above zero", given=repr(self.most), remedy="allow 1 or more")
        if not callable(self.select) and self.select not in SELECTIONS:
            raise BadPolicy(
                "there is no such way to select a partition",
                given=repr(self.select),
                exists=SELECTIONS,
                remedy=nearest(str(self.select), SELECTIONS) + ", or give a function",
            )

    def __str__(self) -> str:
        how = "" if self.select == "lru" else f", {self.select if isinstance(self.select, str) else _name(self.select)}"
        return f"{self.counted}_count({self.most}{how})"


@dataclass(frozen=True)
class Age:
    """No partition that has not had a tuple for longer than `length` on the clock."""

    length: Duration

    def __post_init__(self) -> None:
        if self.length.micros <= 0:
            raise NotPositive(
                "partition_age must be greater than zero", given=str(self.length), remedy="give a positive duration"
            )

    def __str__(self) -> str:
        return f"partition_age({str(self.length).upper()})"


Limit = Most | Age


def partition_count(most: int, select: str | Choose = "lru") -> Most:
    """At most this many partitions. `select` is "lru", "lfu", "oldest", "operator" or a function of the candidates.

    >>> str(partition_count(100, "lfu"))
    'partition_count(100, lfu)'
    """
    return Most("partition", most, select)


def tuple_count(most: int, select: str | Choose = "lru") -> Most:
    """At most this many tuples in all partitions together.

    >>> str(tuple_count(1000))
    'tuple_count(1000)'
    """
    return Most("tuple", most, select)


def partition_age(length: Duration | timedelta | str) -> Age:
    """Partitions go when no tuple has come for longer than this.

    >>> str(partition_age("1 hour"))
    'partition_age(1 HOUR)'
    """
    return Age(period("partition_age", length))


def _name(function: object) -> str:
    return str(getattr(function, "__qualname__", type(function).__name__))
