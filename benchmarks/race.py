"""Loops without Spark, measured in turns as contenders are: a warm-up each, then rounds, every other one the other way around."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.contest import Contest
from benchmarks.running import Run


@dataclass(frozen=True)
class Loop:
    """Work by name: each call takes so many rows more, and tells how many rows it gave."""

    name: str
    rows: int
    work: Callable[[], int]
    state: Callable[[], int] | None = None
    """How many bytes are kept, if that is asked."""


def race(loops: Sequence[Loop], repeats: int) -> Contest:
    """In seconds of the processor. The fastest of three turns counts: whatever else the machine does only makes one slower."""
    contest = Contest()
    for loop in loops:
        loop.work()
    for turn in range(repeats):
        for loop in loops if turn % 2 == 0 else reversed(loops):
            seconds, given = min(_timed(loop) for _ in range(3))
            kept = {"rows": 1, "live_bytes": loop.state()} if loop.state is not None else {}
            contest.runs.setdefault(loop.name, []).append(Run(seconds, loop.rows, given, [], kept))
    for loop in loops:
        print(f"  {loop.name:42} {loop.rows:>10,} rows {contest.rate(loop.name):>12,.0f} rows/s", flush=True)
    return contest


def _timed(loop: Loop) -> tuple[float, int]:
    start = time.thread_time()
    given = loop.work()
    return time.thread_time() - start, given
