"""Seed 001, figure 8: how tuples with a large disorder at the beginning change the buffer and the waiting times of all."""

from __future__ import annotations

import statistics
from dataclasses import replace

from experiments.outcome import Curve, Outcome, Table
from experiments.parts.accuracy import MEASURES
from experiments.sensors import SETS, readings
from experiments.size import Size
from experiments.waiting import waiting

TUPLES = 20_000
EARLY = (0, 5, 10, 20, 40, 80)


def run(size: Size) -> Outcome:
    made = Outcome("Stability against early disorder (seed 001, figure 8)")
    tuples, sets = size.of(TUPLES), range(0, SETS, 4)
    buffers: dict[str, list[tuple[float, float]]] = {name: [] for name in MEASURES}
    waits: dict[str, list[tuple[float, float]]] = {name: [] for name in MEASURES}
    rows: list[list[object]] = []
    for early in size.some(EARLY):
        streams = [readings(number, tuples, early) for number in sets]
        for name, generator in MEASURES.items():
            found = [waiting(generator, stream) for stream in streams]
            later = statistics.mean(replace(one, first=tuples // 2).buffer for one in found)
            buffer, wait = statistics.mean(one.buffer for one in found), statistics.mean(one.wait for one in found)
            buffers[name].append((early, buffer))
            waits[name].append((early, wait))
            rows.append([early, name, buffer, later, wait, 100 * statistics.mean(one.share for one in found)])
    title = f"{len(sets)} data sets of {tuples:,} tuples; 20 of the first 200 are later by so much; the first 1,000 do not count"
    head = {
        "early disorder s": "",
        "measure": "",
        "buffer": ".1f",
        "in the second half": ".1f",
        "latency s": ".2f",
        "late %": ".2f",
    }
    made.tables.append(Table(title, head, rows))
    x = "disorder of the early tuples (s)"
    made.curves.append(Curve("stability_buffer", "Buffer size against early disorder", x, "tuples that wait", buffers))
    made.curves.append(Curve("stability_wait", "Waiting time against early disorder", x, "mean wait (s)", waits))
    return made
