"""Durations as users write them: a transom length, a `timedelta`, or text."""

from __future__ import annotations

from datetime import timedelta

from transom.errors import NotALength
from transom.semantics.time import Duration, parse_duration


def period(policy: str, given: object) -> Duration:
    """The duration that is meant.

    >>> period("time", "10 minutes") == period("time", timedelta(minutes=10))
    True
    """
    if isinstance(given, Duration):
        return given
    if isinstance(given, timedelta):
        return Duration(given // timedelta(microseconds=1))
    if isinstance(given, str):
        return parse_duration(given)
    raise NotALength(
        f"{policy} is measured in time",
        given=repr(given),
        remedy='give a duration: seconds(10), timedelta(seconds=10) or "10 seconds"',
    )


def timedelta_of(duration: Duration) -> timedelta:
    """The same duration as the difference of two `datetime`."""
    return timedelta(microseconds=duration.micros)
