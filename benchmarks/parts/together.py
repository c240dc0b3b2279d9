"""Part 3: eighty windows of different lengths over the same stream, in one query, against one."""

from __future__ import annotations

import transom
from benchmarks.bench import Bench, line
from benchmarks.part import Curve, Floor, Part
from benchmarks.queries import sliding, together

KEYS = 100
COUNTS = (1, 10, 40, 80)
AT_MOST = 3


def overlaps(count: int) -> tuple[int, ...]:
    """As many lengths, evenly up to 80 slides."""
    most = COUNTS[-1]
    return tuple(most * n // count for n in range(1, count + 1))


def measure(bench: Bench) -> Part:
    part = Part("3", "Windows of different lengths over the same stream, together in one query")
    if not hasattr(transom, "together"):
        part.notes.append("skipped: this version of Transom has no `together`")
        return part
    counts = bench.conditions.some(COUNTS)
    line_up = [
        bench.contender(f"{count} windows" if count > 1 else "1 window", _query(count), KEYS, at=count) for count in counts
    ]
    contest = bench.compete(*line_up)
    part.take(contest)
    cost = contest.cost(line_up[-1].name, line_up[0].name)
    part.floors.append(Floor("cost of 80 windows to that of one, 100 keys", cost, at_most=AT_MOST))
    lines = {"Transom": line(contest, line_up)}
    part.curves.append(Curve("windows", "Throughput by windows asked together, 100 keys", "windows", "rows/s", lines))
    part.notes.append("One window has 80 slides, eighty have 1 to 80: every one gives all its results.")
    return part


def _query(count: int):
    return sliding(COUNTS[-1]) if count == 1 else together(overlaps(count))
