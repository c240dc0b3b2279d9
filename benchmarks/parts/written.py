"""Aggregates written in SQL, by hand, with a window of their own and naively, by window size (seed 003, figures 4 and 5)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from benchmarks.bench import Bench
from benchmarks.bodies.by_hand import Average, Frequency
from benchmarks.bodies.driven import Driven, ready
from benchmarks.contest import Contest
from benchmarks.part import Curve, Floor, Part
from benchmarks.race import Loop, race

SIZES = (100, 1_000, 10_000, 100_000)
TUPLES = 100_000
FEWER = 20_000
"""Tuples of a turn that keeps its own window."""
NAIVE = 1_000_000
"""Tuples that a naive turn looks at, all in all."""
WAYS = {"A": "SQL, EXPIRE", "B": "Python by hand", "C": "SQL, own window", "D": "SQL, naive"}
HANDS: dict[str, Callable[[int], Any]] = {"average": Average, "frequency": Frequency}
TITLES = {"average": "Average", "frequency": "Frequent items"}


def measure(bench: Bench) -> Part:
    part = Part("written", "Aggregates written in SQL and by hand, by window size")
    sizes = bench.conditions.some(SIZES)
    for what in HANDS:
        contests = {size: race(loops(what, size), bench.conditions.repeats) for size in sizes}
        for contest in contests.values():
            part.take(contest)
        part.floors += _floors(what, contests)
        lines = {
            f"{way}: {told}": [(size, round(contest.rate(named(what, way, size)))) for size, contest in contests.items()]
            for way, told in WAYS.items()
        }
        part.curves.append(
            Curve(f"written-{what}", f"{TITLES[what]} over the last rows", "rows of the window", "tuples/s", lines)
        )
    part.notes.append(
        "A: SQL with EXPIRE. B: the same by hand in Python, with a deque and local variables. C: SQL that keeps the window in a "
        "table of its own. D: SQL over all of inwindow for each tuple. One key, without Spark, the window full from the start, "
        "10,000 tuples at a time; of three turns in a round the fastest counts."
    )
    return part


def named(what: str, way: str, size: int) -> str:
    return f"{what} {way}, window {size:,}"


def loops(what: str, size: int, tuples: int = TUPLES) -> list[Loop]:
    """The four ways over one window, all full, all giving the same."""
    rng = random.Random(size)
    values = [rng.random() * 100 if what == "average" else int(rng.paretovariate(0.5)) for _ in range(tuples)]
    before = (values * math.ceil(size / tuples))[:size]
    ours, hand = Driven(ready(what, f"{what}_a"), size), HANDS[what](size)
    own, naive = Driven(ready(what, f"{what}_c"), None), Driven(ready(what, f"{what}_d"), size)
    ours.run(before)
    hand.run(before)
    own.run(before, [size] * size)
    naive.fill(before)
    few = values[: max(20, NAIVE // size)]
    _agree(ours.run(values), hand.run(values), own.run(values, [size] * tuples))
    return [
        Loop(named(what, "A", size), tuples, lambda: len(ours.run(values))),
        Loop(named(what, "B", size), tuples, lambda: len(hand.run(values))),
        Loop(named(what, "C", size), FEWER, lambda: len(own.run(values[:FEWER], [size] * FEWER))),
        Loop(named(what, "D", size), len(few), lambda: len(naive.run(few))),
    ]


def _agree(*found: list[Any]) -> None:
    first, *others = found
    for other in others:
        if len(first) != len(other) or not all(map(math.isclose, first, other)):
            raise RuntimeError("the ways do not agree")


def _floors(what: str, contests: dict[int, Contest]) -> list[Floor]:
    floors = [
        Floor(
            f"{what}: cost of A to B, window {size:,}", contest.cost(named(what, "A", size), named(what, "B", size)), at_most=1.2
        )
        for size, contest in contests.items()
    ]
    small, large = min(contests), max(contests)
    both = Contest({**contests[small].runs, **contests[large].runs})
    text = f"{what}: cost of A, window {large:,} to window {small:,}"
    return [*floors, Floor(text, both.cost(named(what, "A", large), named(what, "A", small)), at_most=1.5)]
