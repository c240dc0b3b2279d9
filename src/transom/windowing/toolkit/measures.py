"""What can be computed of a window, tuple by tuple: NULL does not count, as in SQL."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from transom.errors import BadRatio


@dataclass(frozen=True)
class Measure(ABC):
    """A state that values are added to, and the result at the end. The state is None while there has been no value."""

    attribute: str

    @abstractmethod
    def add(self, state: Any, value: Any) -> Any:
        """The state with one more value."""

    def result(self, state: Any) -> Any:
        return state

    def of(self, values: list[Any]) -> Any:
        """The result of all these values, which a measure may know a shorter way to."""
        state = None
        for value in values:
            state = self.add(state, value)
        return self.result(state)


class Sum(Measure):
    """The sum of an attribute."""

    def of(self, values: list[Any]) -> Any:
        return sum(values[1:], values[0]) if values else None

    def add(self, state: Any, value: Any) -> Any:
        return value if state is None else state + value


class Count(Measure):
    """How many tuples have the attribute."""

    def of(self, values: list[Any]) -> Any:
        return len(values)

    def add(self, state: Any, value: Any) -> Any:
        return (state or 0) + 1

    def result(self, state: Any) -> Any:
        return state or 0


class Average(Measure):
    """The mean, updated step by step (seed 004, listing 7).

    >>> average = Average("x")
    >>> average.result(average.add(average.add(None, 1.0), 4.0))
    2.5
    """

    def add(self, state: Any, value: Any) -> Any:
        n, mean = state or (0, 0.0)
        return n + 1, mean + (value - mean) / (n + 1)

    def result(self, state: Any) -> Any:
        return None if state is None else state[1]


class Min(Measure):
    """The smallest value."""

    def of(self, values: list[Any]) -> Any:
        return min(values, default=None)

    def add(self, state: Any, value: Any) -> Any:
        return value if state is None or value < state else state


class Max(Measure):
    """The largest value."""

    def of(self, values: list[Any]) -> Any:
        return max(values, default=None)

    def add(self, state: Any, value: Any) -> Any:
        return value if state is None or value > state else state


@dataclass(frozen=True)
class Percentile(Measure):
    """The smallest value that at least this share of the values does not exceed. It has to keep them all.

    >>> median = Percentile("x", 0.5)
    >>> median.result([3, 1, 2])
    2
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadRatio("a percentile is a share above 0, up to 1", given=repr(self.share), remedy="write 0.95 for 95 %")

    def of(self, values: list[Any]) -> Any:
        return self.result(values or None)

    def add(self, state: Any, value: Any) -> Any:
        if state is None:
            return [value]
        state.append(value)
        return state

    def result(self, state: Any) -> Any:
        return None if state is None else sorted(state)[math.ceil(self.share * len(state)) - 1]
