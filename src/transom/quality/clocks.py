"""Which substreams have a wrong clock, and how far the others have come."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

APART = 4
"""A clock is called wrong if its substream is ahead of the others by a minute, and this many times their usual distance."""

LEAST = 60_000
"""A minute in milliseconds. On an axis of numbers it is that number."""


def offsets(newest: Mapping[str, float]) -> dict[str, float]:
    """How far the newest tuple of each substream is ahead of the median.

    >>> offsets({"a": 1.0, "b": 2.0, "c": 9.0})
    {'a': -1.0, 'b': 0.0, 'c': 7.0}
    """
    middle = statistics.median(newest.values()) if newest else 0
    return {name: x - middle for name, x in newest.items()}


def wrong_clocks(newest: Mapping[str, float]) -> list[str]:
    """The substreams whose newest tuples are far ahead of those of the others. Places of time are milliseconds.

    >>> minute = 60_000
    >>> wrong_clocks({"a": 0, "b": minute, "c": 45 * minute, "d": 2 * minute})
    ['c']
    """
    off = offsets(newest)
    usual = statistics.median(abs(x) for x in off.values()) if off else 0
    return [name for name, x in off.items() if x > max(APART * usual, LEAST)]


def newest_by_right_clocks(control: Mapping[str, Any]) -> float | None:
    """The newest tuple of the substreams whose clocks are right, as a controller reports it; None if no clock is wrong."""
    newest = {one["name"]: one["newest"] for one in control.get("substreams", ()) if one["newest"] is not None}
    scale = 1000.0 if control.get("time", True) else 1.0
    wrong = wrong_clocks({name: x / scale for name, x in newest.items()})
    return max(x for name, x in newest.items() if name not in wrong) if wrong else None
