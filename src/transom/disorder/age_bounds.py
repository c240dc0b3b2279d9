"""The bins that late tuples are counted in by age: bounds that people read without effort."""

from __future__ import annotations

from bisect import bisect_left

SECOND = 1e6
"""Ages of time are in microseconds."""
DECADES = [factor * 10.0**power for power in range(-12, 19) for factor in (1, 2, 5)]
BELOW_MINUTES = [x for x in DECADES if 1 <= x <= 10 * SECOND]
MINUTES = [x * SECOND for x in (20, 30, 60, 120, 300, 600, 1200, 1800)]
HOURS = [x * 3600 * SECOND for x in (1, 2, 6, 12)]
DAYS = [x * 86_400 * SECOND for x in DECADES if 1 <= x <= 1e8]
OF_TIME = [*BELOW_MINUTES, *MINUTES, *HOURS, *DAYS]


def bounds_of(*, timed: bool) -> list[float]:
    """The upper bounds of the bins, in order: an age is in the first that it does not exceed. The last has no bound.

    >>> [x / SECOND for x in bounds_of(timed=True) if SECOND <= x <= 120 * SECOND]
    [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0]
    >>> [x for x in bounds_of(timed=False) if 1 <= x < 100]
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
    """
    return OF_TIME if timed else DECADES


def bound_of(age: float, *, timed: bool) -> float:
    """The bin of an age.

    >>> bound_of(1.5 * SECOND, timed=True) / SECOND
    2.0
    """
    bounds = bounds_of(timed=timed)
    return bounds[min(bisect_left(bounds, age), len(bounds) - 1)]


def bound_of_power(power: int, *, timed: bool) -> float:
    """The bin for what 0.1 counted: ages from 2^(n-1) up to 2^n. It is that of their middle."""
    return bound_of(0.75 * 2.0**power, timed=timed)
