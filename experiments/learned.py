"""What it costs to learn one delay, without knowing what is still to come: a quantile of all latenesses so far."""

from __future__ import annotations

import numpy as np

from experiments.waiting import FIRST, Stream, Waiting

PARTS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Of the ratio, that may come late by what was seen."""
EVERY = 256


def learned(stream: Stream, ratio: float, part: float) -> Waiting:
    """As a controller would that only learns: behind the first 1,000, the delay that a part of the ratio exceeded so far."""
    high = np.maximum.accumulate(stream.tau)
    reached = np.full(len(high) + 1, stream.tau.min())
    for start in range(FIRST, len(high), EVERY):
        end = min(start + EVERY, len(high))
        rank = int(part * ratio * start)
        delay = np.partition(stream.lateness[:start], start - 1 - rank)[start - 1 - rank]
        reached[start + 1 : end + 1] = high[start:end] - delay
    return Waiting(stream, np.maximum.accumulate(reached))
