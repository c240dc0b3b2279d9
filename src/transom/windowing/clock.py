"""Clocks that `time` policies and `partition_age` read, in microseconds since the epoch.

A clock is any object with `now() -> datetime`, such as `transom.testing.FakeClock`. `SystemClock` is the default. `ByTicks`
has no time of its own: time is what `tick(now)` says, as in an engine that reads the clock once for a micro-batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from transom.errors import BadTimestamp
from transom.semantics.time import checked, micros_of


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime: ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    @staticmethod
    def micros() -> int:
        return time.time_ns() // 1000


class ByTicks:
    """No clock: time moves by `tick(now)` alone.

    >>> from transom.windowing import sliding, count, time
    >>> window = sliding(count(2), time("5 seconds")).container(print, clock=ByTicks())
    >>> window.tick(5_000_000)
    >>> window.now
    5000000
    """

    def now(self) -> datetime:
        raise BadTimestamp("this clock moves by ticks", remedy="call tick(now)")


def reader(clock: Clock | None) -> Callable[[], int] | None:
    """A function that reads a clock in microseconds; None where time moves by ticks alone."""
    if clock is None or isinstance(clock, SystemClock):
        return SystemClock.micros
    if isinstance(clock, ByTicks):
        return None
    if not callable(getattr(clock, "now", None)):
        raise BadTimestamp("this is no clock", given=repr(clock), remedy="give an object with now(), such as FakeClock()")
    return lambda: micros_of(clock.now())


def instant(now: datetime | int) -> int:
    """An instant as microseconds since the epoch; a number already is one."""
    if isinstance(now, datetime):
        return micros_of(now)
    if isinstance(now, int) and not isinstance(now, bool):
        return checked(now)
    raise BadTimestamp("a tick needs an instant", given=repr(now), remedy="give a datetime, or microseconds since the epoch")
