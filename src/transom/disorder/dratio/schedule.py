"""When DRATIO chooses its delay anew, and from how many latenesses: often at first and where disorder changes, then rarely."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FEWEST = 30
"""No promise before so many tuples, whatever the ratio."""

UNCOUNTED = 1000
"""The first tuples bring no budget, and take none."""

NARROWEST, WINDOW, WIDEST = 128, 1024, 4096
"""How many latenesses are looked at: right after a burst, at first, and after many tuples."""

EVERY, RAREST = 256, 32_768
"""After how many tuples the delay is chosen anew, at first and after many."""

SMALL = 0.005
"""A ratio below this one leaves no time to be wrong for long: the delay is chosen more often."""

HELD = 512
"""For so many tuples after an alarm, disorder counts as rising."""

QUIET, STIR = 256, 16
"""So many tuples in a row below what one in so many was not below show that disorder has fallen."""

CALM = 2
PART_SMALL, PART_FIRST, PART = 128, 64, 32
SOONEST = 32
WIDENS = 128
FARTHER_BY = 4
FAR = 2
LEARNING = 100_000
"""What was seen is trusted after so many tuples at most."""

ONE_IN = 8
"""After LEARNING tuples, one in so many is remembered, and counts for all of them."""


def width(seen: int) -> int:
    """How many latenesses are looked at."""
    return max(WINDOW, min(seen // WIDENS, WIDEST))


def calm_below(delay: Any, size: int, nth_largest: Callable[[int], Any], *, whole: bool) -> Any:
    """Latenesses below this are calm, given the last ones: a half of the delay would do for them. 0 if none is."""
    if not delay or size < QUIET:
        return 0
    return min(nth_largest(size // STIR), (delay + 1) // CALM if whole else delay / CALM)


def remembered(number: int) -> int:
    """How many tuples the one with this number counts for in the memory."""
    return 1 if number < LEARNING else ONE_IN if number % ONE_IN == 0 else 0


def until_next(seen: int, since: int, ratio: float, *, rising: bool) -> int:
    """How many tuples until the next choice: fewer at first, while disorder rises, since a burst, and for a small ratio."""
    part = PART_SMALL if ratio < SMALL else PART_FIRST if seen < LEARNING else PART
    usual = EVERY if rising else max(EVERY, min(seen // part, RAREST))
    return FEWEST if seen < UNCOUNTED else min(usual, max(SOONEST, since))
