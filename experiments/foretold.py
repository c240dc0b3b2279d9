"""Whether disorder changes over time in a way that can be followed: what one stretch of a stream tells of the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.waiting import FIRST, Stream
from transom.kernels.columns.arrays import Array

STRETCHES = (512, 1_024, 2_048)
"""Tuples. The controller looks at the last 1,024."""
SHUFFLES = 2_000


@dataclass(frozen=True)
class Foretold:
    """The correlation of the ranks of neighbours, and how often it is as large in a random order of the stretches."""

    stretches: int
    correlation: float
    chance: float


def foretold(stream: Stream, length: int, ratio: float) -> Foretold:
    """Of the lateness that this share of the tuples of a stretch exceed."""
    whole = (len(stream.tau) - FIRST) // length
    cut = stream.lateness[FIRST : FIRST + whole * length].reshape(whole, length)
    ranks = np.argsort(np.argsort(np.quantile(cut, 1 - ratio, axis=1))).astype(float)
    r = np.random.default_rng(1)
    found = _neighbours(ranks)
    return Foretold(whole, found, float(np.mean([_neighbours(r.permutation(ranks)) >= found for _ in range(SHUFFLES)])))


def _neighbours(ranks: Array) -> float:
    apart = ranks - ranks.mean()
    return float((apart[:-1] * apart[1:]).sum() / (apart * apart).sum())
