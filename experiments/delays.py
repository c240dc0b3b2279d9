"""Streams whose delays are known: steady ones, and ones that change. A tuple every millisecond, delays of some tens of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from experiments.waiting import SECOND, Stream, arrived
from transom.kernels.columns.arrays import Array

MILLISECOND = 1_000
Delays = Callable[[np.random.Generator, Array], Array]
"""In milliseconds, given the places of all tuples from 0 to 1."""


def alternating(part: float) -> Delays:
    """Now ten times the disorder, now not, seven times over; worse for a part of the time."""
    return lambda r, at: r.exponential(np.where(at * 7 % 1 >= 1 - part, 100, 10))


STEADY: dict[str, Delays] = {
    "normal": lambda r, at: np.maximum(r.normal(100, 30, len(at)), 0),
    "exponential": lambda r, at: r.exponential(50, len(at)),
    "Pareto": lambda r, at: r.pareto(1.5, len(at)) * 10,
}

CHANGING: dict[str, Delays] = {
    "worse for a third": alternating(1 / 3),
    "worse for a half": alternating(1 / 2),
    "worse for good": lambda r, at: r.exponential(np.where(at < 0.6, 5, 100)),
    "better for good": lambda r, at: r.exponential(np.where(at < 0.4, 100, 5)),
    "up and down": lambda r, at: r.exponential(51 + 50 * np.sin(at * 12.5)),
}

SUDDEN: dict[str, Delays] = {
    "tenfold at the end": lambda r, at: r.exponential(np.where(at >= 0.95, 100, 10)),
    "hundredfold at the end": lambda r, at: r.exponential(np.where(at >= 0.95, 1000, 10)),
    "hundredfold, twice": lambda r, at: r.exponential(np.where(np.abs(at * 2 % 1 - 0.5) < 0.02, 1000, 10)),
}


def delayed(delays: Delays, tuples: int, seed: int) -> Stream:
    r = np.random.default_rng(seed)
    tau = np.cumsum(r.exponential(MILLISECOND, tuples)).astype(np.int64)
    return arrived(tau, (delays(r, np.arange(tuples) / tuples) * MILLISECOND).astype(np.int64))


HEAP, BETWEEN, OUTSTANDING = 200, 2_500, 90
"""How many tuples come together, after how many others, and how many seconds of them, about."""


def heaps(tuples: int, seed: int) -> Stream:
    """As a log of transactions that time out: some after 10 or 20 s, others in heaps, at random, which no tuple announces."""
    r = np.random.default_rng(seed)
    newest = np.cumsum(r.exponential(25 * MILLISECOND, tuples)).astype(np.int64)
    tau = newest - np.where(r.random(tuples) < 0.1, r.choice([10, 20], tuples), 0) * SECOND
    start = int(r.exponential(BETWEEN))
    while start + 4 * HEAP < tuples:
        size, longest = int(r.uniform(0.3, 1.7) * HEAP), OUTSTANDING * SECOND * np.exp(r.normal(0, 0.5))
        places = start + r.choice(2 * size, size, replace=False)
        tau[places] = newest[places] - r.uniform(0, longest, size).astype(np.int64)
        start += 2 * size + int(r.exponential(BETWEEN))
    return Stream(tau, newest)
