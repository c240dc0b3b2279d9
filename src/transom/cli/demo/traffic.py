"""A stream of traffic speeds with disorder, after the running example of seed 000."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from transom.semantics.time import parse_timestamp

SEGMENTS = {"s1": 95.0, "s2": 60.0, "s3": 110.0}
START = parse_timestamp("2026-01-05T14:00:00")


Reading = dict[str, Any]
"""One reading: its segment, speed and timestamp."""


def readings(count: int, *, seed: int = 7) -> list[Reading]:
    """Speed readings in the order they arrive: one a few seconds after the other, each after a delay of its own."""
    rng = random.Random(seed)
    sent: list[tuple[datetime, Reading]] = []
    at = START
    for _ in range(count):
        at += timedelta(seconds=rng.randint(2, 6))
        segment = rng.choice(list(SEGMENTS))
        slow = 0.45 if segment == "s1" and at > START + timedelta(minutes=4) else 1.0
        speed = round(SEGMENTS[segment] * slow + rng.gauss(0, 6), 1)
        delay = rng.expovariate(1 / 6) if rng.random() < 0.93 else rng.uniform(30, 120)
        sent.append((at + timedelta(seconds=delay), {"seg_id": segment, "speed": speed, "ts": at}))
    sent.sort(key=lambda pair: pair[0])
    return [values for _, values in sent]
