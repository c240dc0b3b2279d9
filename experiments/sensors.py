"""Data sets as seed 001 describes them: 16 to 20 sensors, a reading of each every second, latencies that are normal.

How long its data sets are and how large its latencies is not told. Both were set so that HEARTBEAT, which depends on nothing
else, shows about the buffer, the latency and the drop ratio that the paper shows for it: 3,000 tuples (HEARTBEAT
loses a tuple whenever it meets a new largest lateness, which is ever rarer), and a deviation of 0.4 to 1.6 seconds.
"""

from __future__ import annotations

import numpy as np

from experiments.waiting import SECOND, Stream, arrived
from transom.kernels.columns.arrays import Array

SETS = 20
READINGS = 3_000


def readings(number: int, tuples: int, early: float = 0.0, outliers: int = 20) -> Stream:
    """Data set `number`. The outliers, evenly among the first 200 tuples, are `early` seconds later than they would be."""
    r = np.random.default_rng(1000 + number)
    sensors = 16 + number % 5
    rounds = -(-tuples // sensors)
    phase = np.sort(r.uniform(0, 1, sensors))
    tau = (np.arange(rounds)[:, None] + phase).ravel()[:tuples]
    sigma = 0.4 + 1.2 * number / (SETS - 1)
    delay: Array = np.maximum(r.normal(4 * sigma, sigma, tuples), 0)
    delay[: min(200, tuples) : max(1, 200 // outliers)] += early
    return arrived((tau * SECOND).astype(np.int64), (delay * SECOND).astype(np.int64))
