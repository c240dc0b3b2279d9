"""DRATIO's schedule: how many tuples to look at, when to choose the delay anew, and what counts as a fall of disorder.

Everything is counted in tuples, not in time, and depends on the sequence of tuples alone: so the answer is the same however
the input is cut into micro-batches. `docs/dratio.md` has the reason for each constant, and what happens without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FEWEST = 30
"""Tuples before the first choice, and from one choice to the next among the first UNCOUNTED."""

UNCOUNTED = 1000
"""Tuples at the start that the contract leaves out: they earn no budget and cost none."""

WINDOW, WIDEST = 1024, 4096
"""Tuples whose lateness the delay is chosen from: at first, and after many tuples."""

WIDENS = 128
"""The window grows to this fraction of all tuples seen (1/128), from WINDOW to WIDEST."""

EVERY, RAREST = 256, 32_768
"""Tuples from one choice to the next: the fewest behind the first UNCOUNTED, and the most."""

SMALL = 0.005
"""Below this ratio there is no time to be wrong for long, and the delay is chosen more often."""

PART_SMALL, PART_FIRST, PART = 128, 64, 32
"""The delay is chosen again after this part of all tuples seen: a 128th for small ratios; for others a 64th, and a 32nd behind
LEARNING."""

RISING_FOR = 512
"""Tuples after an alarm for which disorder counts as rising."""

QUIET = 256
"""Calm tuples in a row that show a fall of disorder; the delay is then chosen from these alone."""

STIR = 16
"""A lateness is calm if it is below the one that one tuple in 16 reached before."""

CALM = 2
"""And below this part of the delay, a half: a fall that would hardly shorten it is none."""

LEARNING = 100_000
"""Tuples after which the largest lateness is trusted, however often it was exceeded before."""

ONE_IN = 8
"""Behind LEARNING tuples, one in 8 is remembered and counts for all of them: this saves time and costs no precision."""

BEYOND = 4
"""A lateness above the limit raises the delay to itself and a part of it more: a fourth."""

FAR = 2
"""Factor: where the delay does not follow each lateness, only one this far above the largest of the window raises it."""


def width(seen: int) -> int:
    """How many latenesses the delay is chosen from."""
    return max(WINDOW, min(seen // WIDENS, WIDEST))


def until_next(seen: int, relevant: int, ratio: float, *, rising: bool) -> int:
    """How many tuples to the next choice: no more than there were to choose from, which are few after a fall."""
    if seen < UNCOUNTED:
        return FEWEST
    part = PART_SMALL if ratio < SMALL else PART_FIRST if seen < LEARNING else PART
    return min(relevant, EVERY if rising else max(EVERY, min(seen // part, RAREST)))


def calm_below(delay: Any, size: int, nth_largest: Callable[[int], Any], *, whole: bool) -> Any:
    """The lateness below which a tuple is calm, given those of the window; 0 if none is."""
    if not delay or size < QUIET:
        return 0
    return min(nth_largest(size // STIR), -(-delay // CALM) if whole else delay / CALM)


def remembered(number: int) -> int:
    """How many tuples the one with this number counts for in the memory of all latenesses."""
    return 1 if number < LEARNING else ONE_IN if number % ONE_IN == 0 else 0


def beyond(lateness: Any, *, whole: bool) -> Any:
    """The delay after a lateness that was not expected."""
    return lateness + (lateness // BEYOND if whole else lateness / BEYOND)
