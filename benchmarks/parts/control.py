"""What it costs to let a controller choose the delay, on a stream in disorder: DRATIO against a SLACK that somebody knew."""

from __future__ import annotations

import math

from benchmarks.bench import Bench
from benchmarks.contest import Contender
from benchmarks.data import Dataset
from benchmarks.part import Floor, Part
from benchmarks.queries import tolerant
from transom import rows, seconds

KEYS, OVERLAP = 100, 6
DELAY = 2.0
"""Seconds, on average."""
RATIO = 0.01
AT_MOST = 1.1


def measure(bench: Bench) -> Part:
    part = Part("control", "Letting a controller choose the delay")
    data = Dataset(bench.conditions.rows, KEYS, bench.conditions.files, delay=DELAY)
    path, files = data.path(bench.conditions.folder), data.files
    slack = seconds(round(-DELAY * math.log(RATIO), 1))
    queries = {
        f"SLACK {slack}": tolerant(OVERLAP, slack=slack),
        "SLACK 4,000 rows": tolerant(OVERLAP, slack=rows(4_000)),
        "HEARTBEAT": tolerant(OVERLAP, heartbeat=True),
        "DRATIO 1%": tolerant(OVERLAP, drop_ratio=RATIO),
    }
    contest = bench.compete(
        *(
            Contender(name, lambda n, q=query: q(bench.stream(path, n)), files, data.rows, files, data.rows)
            for name, query in queries.items()
        )
    )
    part.take(contest)
    cost = contest.cost("DRATIO 1%", next(iter(queries)))
    part.floors.append(Floor("cost of DRATIO 1% to that of SLACK, 100 keys", cost, at_most=AT_MOST))
    part.notes.append(
        f"Rows arrive {DELAY:g} s after their time, on average (exponential); the SLACK leaves {RATIO:.0%} of them behind. "
        "With SLACK bucket adds up all tuples to partials, because it can tell what is late; with HEARTBEAT and DRATIO those of "
        "the newest panes, and every shard gets the whole sequence. HEARTBEAT has that in microseconds, but hardly chooses: "
        f"to its cost that of DRATIO is {contest.cost('DRATIO 1%', 'HEARTBEAT')}."
    )
    return part
