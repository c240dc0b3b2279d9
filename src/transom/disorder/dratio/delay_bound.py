"""A lower bound for the delay, from the tuples of one slice alone, whatever came before it.

After other tuples, those of a slice are as late as by themselves, or later. So is the n-th latest of any of them, and delays are
chosen from such latenesses. Bucket uses the bound to add up the tuples that cannot be late before they cross the exchange.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from transom.disorder.dratio.budget import DARING, may_come_late
from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.dratio.schedule import QUIET, RAREST, WIDEST
from transom.disorder.generator import Generator
from transom.disorder.heartbeat import Heartbeat
from transom.kernels.columns.arrays import Array

BLOCK = 32
"""Tuples that are counted together."""

TRIES = 6
"""Halvings of the interval in which the bound is searched."""

SAMPLED = 13
"""The search begins from one lateness in 13: a prime, so that a pattern of period 2, 4, 10, .. is sampled evenly."""

FIRST = 4096
"""Tuples of the slice whose largest lateness bounds the delay of HEARTBEAT."""


def at_least(control: Generator, lateness: Array) -> tuple[int, Any]:
    """A lower bound for the delay, and the row of the slice from which it holds; given the lateness of each row."""
    if isinstance(control, Heartbeat) and not control.average:
        return FIRST, lateness[:FIRST].max(initial=0).item()
    if isinstance(control, DropRatio) and not control.normal:  # by then the last choice has looked at tuples of the slice alone
        return RAREST + WIDEST, _chosen_at_least(control.ratio, lateness)
    return 0, 0


def _chosen_at_least(ratio: float, lateness: Array) -> int:
    """A lateness that enough tuples have in every run of tuples from which a delay may be chosen."""
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
    """Whether enough tuples of any blocks in a row are as late as that."""
    late = np.bitwise_count(np.packbits(blocks >= delay).view(np.uint32))
    sofar = np.concatenate([[0], np.cumsum(late, dtype=np.int32)])
    return all((sofar[count:] - sofar[:-count]).min() >= tuples for count, tuples in needed)


@cache
def _needed(ratio: float) -> tuple[tuple[int, int], ...]:
    """How many blocks in a row lie in any run of some lengths, and how many of a run may come late at most."""
    found, size = list[tuple[int, int]](), QUIET
    while size <= WIDEST:
        longest = min(size + size // 8, WIDEST)
        found.append((_whole(size), may_come_late(DARING * ratio, longest)))
        size = longest + 1
    return tuple(found)


def _whole(size: int) -> int:
    """How many whole blocks lie in a run, wherever it begins."""
    return (size - BLOCK + 1) // BLOCK
