"""The frontier before each tuple of a piece of the sequence, computed only for the tuples that need it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.sequence import Sequence

NONE = np.zeros(0, np.int64)


class FrontierPath(ABC):
    """`first` is the frontier before all tuples, `last` the one after all. Places are in units of `step` on the axis."""

    first: Any
    last: Any

    def __init__(self, sequence: Sequence, step: int = 1) -> None:
        self.sequence, self.step = sequence, step

    @abstractmethod
    def before(self, numbers: Ints) -> Array:
        """The frontier before some tuples, by their numbers, which ascend; the one after all has a number, too."""

    def late(self) -> Ints:
        """Which tuples are below it."""
        return self._below(np.arange(len(self.sequence)))

    def places(self, numbers: Ints) -> Array:
        """Where some tuples are on the axis."""
        return self.sequence.at(numbers) * self.step if self.step > 1 else self.sequence.at(numbers)

    def between(self, low: Any, limit: Any) -> FrontierPath:
        """The same path, clamped: other substreams have reached `low` already, and allow no more than `limit`."""
        return self if low <= self.first and self.last <= limit else ClampedFrontiers(self, low, limit)

    def _below(self, numbers: Ints) -> Ints:
        return np.asarray(numbers[self.places(numbers) < self.before(numbers)])


class WrittenFrontiers(FrontierPath):
    """A frontier stored for each tuple, and one after all."""

    def __init__(self, sequence: Sequence, frontiers: Array) -> None:
        super().__init__(sequence)
        self.frontiers = frontiers
        self.first, self.last = frontiers[0].item(), frontiers[-1].item()

    def before(self, numbers: Ints) -> Array:
        return np.asarray(self.frontiers[numbers])


class StretchFrontiers(FrontierPath):
    """A path of stretches with one delay each: the frontier rests until the maximum rises, and then is that less the delay, if it
    is more. A stretch in which the delay changes has its frontiers stored.

    Everything is in units here, except the results, which are places on the axis.
    """

    def __init__(self, sequence: Sequence, axis: Axis, step: int, first: Any) -> None:
        super().__init__(sequence, step)
        self.axis = axis
        self.starts: list[int] = []
        self.floors: list[Any] = []
        self.delays: list[Any] = []
        self.written: dict[int, Array] = {}
        self.found: list[Ints] = []
        self.first = self.last = self._on_axis(first)

    def follow(self, start: int, floor: Any, delay: Any, written: Array | None = None) -> None:
        """Begin a stretch: a delay behind each new maximum, or stored frontiers; without either, the frontier rests."""
        if written is not None:
            self.written[len(self.starts)] = written
        self.starts.append(start)
        self.floors.append(floor)
        self.delays.append(delay)

    def late_behind(self, start: int, end: int, floor: Any, delay: Any) -> Ints:
        """Which tuples of a stretch are late: first the frontier rests, then it is one delay behind the maximum."""
        lateness, high = self.sequence.below[start:end], self.sequence.high[start:end]
        level = high[0].item()
        if self.axis.factor is None:
            frontiers = np.where(high > level, np.maximum(high - delay, floor), floor)
            return np.asarray(start + (self.sequence.places[start:end] < frontiers).nonzero()[0])
        moves = int(high.searchsorted(max(floor + delay, level + 1)))
        late = start + moves + (lateness[moves:] > delay).nonzero()[0]
        may = (lateness[:moves] > level - floor).nonzero()[0]
        if not len(may):
            return np.asarray(late)
        return np.concatenate([start + may[high[may] - lateness[may] < floor], late])

    def end(self, last: Any) -> None:
        """Set the frontier after all tuples."""
        self.last = self._on_axis(last)

    def before(self, numbers: Ints) -> Array:
        return self._on_axis_each(self.in_units(numbers))

    def in_units(self, numbers: Ints) -> Array:
        """The same in units."""
        bounds = np.searchsorted(numbers, self.starts)
        counts = np.append(bounds[1:], len(numbers)) - bounds
        high = self.sequence.high
        found, floors = high[numbers], np.repeat(np.array(self.floors, high.dtype), counts)
        rests = found == np.repeat(high[self.starts], counts)
        found -= np.repeat(np.array([delay or 0 for delay in self.delays], found.dtype), counts)
        np.maximum(found, floors, out=found)
        np.copyto(found, floors, where=rests)
        for n, (start, bound, count) in enumerate(zip(self.starts, bounds.tolist(), counts.tolist(), strict=True)):
            if n in self.written:
                found[bound : bound + count] = self.written[n][numbers[bound : bound + count] - start]
            elif self.delays[n] is None:
                found[bound : bound + count] = self.floors[n]
        return found

    def late(self) -> Ints:
        return np.concatenate([NONE, *self.found])

    def _on_axis(self, x: Any) -> Any:
        return x if self.step == 1 or x <= self.axis.nothing_yet else x * self.step

    def _on_axis_each(self, x: Array) -> Array:
        return x if self.step == 1 else np.where(x <= self.axis.nothing_yet, x, x * self.step)


class ClampedFrontiers(FrontierPath):
    def __init__(self, other: FrontierPath, low: Any, limit: Any) -> None:
        super().__init__(other.sequence, other.step)
        self.other, self.low, self.limit = other, low, limit
        self.first, self.last = (max(low, min(x, limit)) for x in (other.first, other.last))

    def before(self, numbers: Ints) -> Array:
        return np.asarray(np.maximum(self.low, np.minimum(self.other.before(numbers), self.limit)))

    def late(self) -> Ints:
        return self._below(self.other.late()) if self.low <= self.other.first else super().late()
