"""How long the delay of a controller is at least, as far as a slice tells by itself, whatever came before it.

Behind what came before, the tuples of a slice are later than by themselves, or as late. So is the n-th latest of any of them,
and from such latenesses delays are chosen.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from transom.disorder.dratio.budget import DARING, may_come_late
from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.dratio.schedule import NARROWEST, QUIET, RAREST, WIDEST
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat
from transom.kernels.columns.arrays import Array

BLOCK = 32
"""Tuples from the first on, so many together, are counted at once."""

TRIES = 6
"""A delay is looked for in so many halvings."""

SAMPLED = 13
"""One lateness in so many tells where to look; of what comes in turns, all are looked at in turn."""

FIRST = 4096
"""HEARTBEAT is asked for the largest lateness of so many."""


def at_least(control: Generator, lateness: Array) -> tuple[int, Any]:
    """From which tuple of a slice on the delay is at least how long, given how late each is in the slice."""
    if isinstance(control, Heartbeat) and not control.average:
        return FIRST, lateness[:FIRST].max(initial=0).item()
    if isinstance(control, DropRatio) and not control.normal:  # by then the last choice has looked at tuples of the slice alone
        return RAREST + WIDEST, _chosen_at_least(control.ratio, lateness)
    return 0, 0


def _chosen_at_least(ratio: float, lateness: Array) -> int:
    """A lateness that enough tuples have, of every run from which a delay may be chosen."""
    share = DARING * ratio
    if len(lateness) <= RAREST + WIDEST or share >= 1:
        return 0
    some = lateness[::SAMPLED]
    low, high = 0, int(np.partition(some, kth := int((1 - share) * (len(some) - 1)))[kth])
    blocks, needed = lateness[: len(lateness) - len(lateness) % BLOCK], _needed(ratio)
    for _ in range(TRIES):
        middle = (low + high + 1) // 2
        if _are_late(blocks, middle, needed):
            low = middle
        else:
            high = middle - 1
    return low


def _are_late(blocks: Array, delay: int, needed: tuple[tuple[int, int], ...]) -> bool:
    """Whether, of so many blocks in a row, wherever they begin, so many tuples are as late as that."""
    late = np.bitwise_count(np.packbits(blocks >= delay).view(np.uint32))
    sofar = np.concatenate([[0], np.cumsum(late, dtype=np.int32)])
    return all((sofar[count:] - sofar[:-count]).min() >= tuples for count, tuples in needed)


@cache
def _needed(ratio: float) -> tuple[tuple[int, int], ...]:
    """How many blocks in a row lie in any run of some lengths, and how many of a run may come late at most. Of one shorter than
    QUIET none may: it is looked at so soon after an alarm that disorder counts as rising (HELD)."""
    found, size = [(_whole(NARROWEST), 1)], QUIET
    while size <= WIDEST:
        longest = min(size + size // 8, WIDEST)
        found.append((_whole(size), may_come_late(DARING * ratio, longest)))
        size = longest + 1
    return tuple(found)


def _whole(size: int) -> int:
    """How many whole blocks lie in a run, wherever it begins."""
    return (size - BLOCK + 1) // BLOCK
