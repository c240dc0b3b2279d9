"""Seed 001, figure 7: buffer size, latency and drop ratio of each measure, at DRATIO 1 %, over 20 data sets."""

from __future__ import annotations

import statistics
from typing import Any

from experiments.outcome import Curve, Outcome, Table
from experiments.sensors import READINGS, SETS, readings
from experiments.size import Size
from experiments.waiting import Stream, waiting
from transom.disorder import DropRatio, Generator, Heartbeat

RATIO = 0.01
MEASURES: dict[str, Generator] = {
    "HEARTBEAT": Heartbeat(),
    "HEARTBEAT AVERAGE": Heartbeat(average=True),
    "DRATIO 1% NORMAL": DropRatio(RATIO, normal=True),
    "DRATIO 1%": DropRatio(RATIO),
}
PAPER: dict[str, list[Any]] = {
    "HEARTBEAT": [65.30, 4.22, 1.10, "13 of 20"],
    "HEARTBEAT AVERAGE": [None, None, "more than 3", None],
    "DRATIO 1% NORMAL": [68.75, 4.33, 0.51, None],
}
LONG = 20_000
HEAD = {"measure": "", "buffer": ".1f", "latency s": ".2f", "late %": ".2f", "worst set %": ".2f", "sets above 1 %": ""}
Found = dict[str, list[tuple[float, float, float]]]


def run(size: Size) -> Outcome:
    made = Outcome("Accuracy: buffer, latency and drop ratio (seed 001, figure 7)")
    short = [readings(number, READINGS) for number in range(SETS)]
    long = [readings(number, size.of(LONG)) for number in range(SETS)]
    head = {**HEAD, "paper: buffer": ".2f", "latency": ".2f", "late": "", "above 1 %": ""}
    found = measured(short)
    paper = [[*row, *PAPER.get(str(row[0]), [None] * 4)] for row in averages(found)]
    made.tables.append(Table(f"20 data sets of {READINGS} tuples, averages, beside the paper's", head, paper))
    title = f"20 data sets of {len(long[0].tau):,} tuples, averages, without the first 1,000 of each"
    made.tables.append(Table(title, HEAD, averages(measured(long, 1_000))))
    lines = {name: [(float(n + 1), round(each[2], 3)) for n, each in enumerate(sets)] for name, sets in found.items()}
    made.curves.append(Curve("accuracy", f"Late tuples at DRATIO 1 %, {READINGS} tuples", "data set", "late %", lines))
    return made


def measured(streams: list[Stream], first: int = 0) -> Found:
    """Buffer, latency and the percentage of late tuples of each measure on each stream."""
    found: Found = {name: [] for name in MEASURES}
    for stream in streams:
        for name, generator in MEASURES.items():
            one = waiting(generator, stream, first)
            found[name].append((one.buffer, one.wait, 100 * one.share))
    return found


def averages(found: Found) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for name, sets in found.items():
        buffer, wait, late = (statistics.mean(one[n] for one in sets) for n in range(3))
        above = sum(one[2] > 100 * RATIO for one in sets)
        rows.append([name, buffer, wait, late, max(one[2] for one in sets), f"{above} of {len(sets)}"])
    return rows
