"""What a generator does to a stream: how many tuples come late, how long the others wait, and how many wait."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transom.disorder import Generator
from transom.disorder.controllers import controller_of
from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis

SECOND = 1_000_000
FIRST = 1_000
"""The contract counts from here on."""


@dataclass(frozen=True)
class Stream:
    """Event and arrival times in microseconds, in the order of arrival."""

    tau: Array
    at: Array

    @cached_property
    def lateness(self) -> Array:
        """How far each tuple is below the running maximum."""
        return np.asarray(np.maximum.accumulate(self.tau) - self.tau)

    def slack_for(self, share: float, first: int = FIRST) -> float:
        """The least SLACK, in seconds, that would have let no more than this share come late."""
        lateness = np.sort(self.lateness[first:])[::-1]
        return float(lateness[int(share * len(lateness))]) / SECOND


def arrived(tau: Array, delay: Array) -> Stream:
    """Tuples that were on their way for so long."""
    at = tau + delay
    order = np.argsort(at, kind="stable")
    return Stream(tau[order], at[order])


@dataclass(frozen=True)
class Waiting:
    """A stream with the frontier before each tuple, and at last the one after all. Tuples before `first` do not count."""

    stream: Stream
    reached: Array
    first: int = FIRST

    @property
    def late(self) -> Array:
        return np.asarray(self.stream.tau < self.reached[:-1])

    @property
    def share(self) -> float:
        return float(self.late[self.first :].mean())

    @property
    def delays(self) -> Array:
        """How far the frontier is behind the newest tuple, in seconds."""
        behind = np.maximum.accumulate(self.stream.tau) - self.reached[1:]
        return np.asarray(behind[self.first :]) / SECOND

    @property
    def median(self) -> float:
        return float(np.median(self.delays))

    @property
    def _left(self) -> Array:
        """The number of the tuple that lets each one go, which is beyond the last for those that still wait."""
        return np.searchsorted(self.reached[1:], self.stream.tau, side="right")

    @property
    def wait(self) -> float:
        """The mean time, in seconds of arrival, that tuples on time wait until they leave the buffer."""
        came = np.flatnonzero(~self.late & (self._left < len(self.stream.tau)))
        came = came[came >= self.first]
        return float((self.stream.at[self._left[came]] - self.stream.at[came]).mean()) / SECOND if len(came) else 0.0

    @property
    def buffers(self) -> Array:
        """How many tuples wait after each tuple."""
        on_time = ~self.late
        gone = np.bincount(self._left[on_time], minlength=len(on_time) + 1)[: len(on_time)]
        return np.asarray((np.cumsum(on_time) - np.cumsum(gone))[self.first :])

    @property
    def buffer(self) -> float:
        return float(self.buffers.mean())


def waiting(generator: Generator, stream: Stream, first: int = FIRST) -> Waiting:
    """Run a generator as the kernels do."""
    reached = controller_of(generator, Axis(), timed=True).run(stream.tau, stream.at)
    nothing = reached <= Axis().nothing_yet
    return Waiting(stream, np.where(nothing, stream.tau.min(), reached), first)
