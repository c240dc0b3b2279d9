"""How long the delay of a controller is at least, as far as a slice tells by itself, whatever came before it.

Behind what came before, the tuples of a slice are later than by themselves, or as late. So is the n-th latest of any of them,
and from such latenesses delays are chosen.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from transom.kernels.arrays import Array
from transom.semantics.budget import DARING, may_come_late
from transom.semantics.drop_ratio import DropRatio
from transom.semantics.generator import Generator
from transom.semantics.heartbeat import Heartbeat
from transom.semantics.pacing import NARROWEST, QUIET, RAREST, WIDEST

BLOCK = NARROWEST // 2
"""Tuples from the first on, so many together: wherever a run begins from which a delay is chosen, a whole block is in it."""

FIRST = 4096
"""HEARTBEAT is asked for the largest lateness of so many."""


def at_least(control: Generator, lateness: Array) -> tuple[int, Any]:
    """From which tuple of a slice on the delay is at least how long, given how late each is in the slice."""
    if isinstance(control, Heartbeat) and not control.average:
        return FIRST, lateness[:FIRST].max(initial=0).item()
    if isinstance(control, DropRatio) and not control.normal:  # by then the last choice has looked at tuples of the slice alone
        return RAREST + WIDEST, _chosen_at_least(control.ratio, lateness)
    return 0, 0


def _chosen_at_least(ratio: float, lateness: Array) -> Any:
    """What enough tuples of each block are late by. Of a run from which a delay is chosen, no more are later than may come late;
    of one shorter than QUIET, none: it is looked at so soon after an alarm that disorder counts as rising (HELD)."""
    if len(lateness) <= RAREST + WIDEST or (n := _in_each_block(ratio)) > BLOCK:
        return 0
    blocks = lateness[: len(lateness) - len(lateness) % BLOCK].reshape(-1, BLOCK)
    return np.partition(blocks, BLOCK - n, axis=1)[:, BLOCK - n].min().item()


@cache
def _in_each_block(ratio: float) -> int:
    return max(-(-may_come_late(DARING * ratio, size) // ((size - BLOCK + 1) // BLOCK)) for size in range(QUIET, WIDEST + 1))
