"""Lateness, HEARTBEAT and SLACK worked out again from nothing but the order in which tuples came.

Plain Python on purpose: nothing here is shared with `transom.disorder`, so a mistake there is not repeated here. `x[n]` is the
event time of the n-th tuple and `frontiers[n]` the frontier before it, None where nothing has been promised; the last
frontier is the one after all tuples.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

Frontiers = list[int | None]
UNCOUNTED = 1_000
"""The contract counts from the 1,001st tuple on."""


def latenesses(x: list[int]) -> list[int]:
    """How far each tuple is below the largest before it."""
    found, largest = [], x[0]
    for a in x:
        largest = max(largest, a)
        found.append(largest - a)
    return found


def late(x: list[int], frontiers: Frontiers) -> list[bool]:
    """Whether each tuple is below the frontier before it."""
    return [f is not None and a < f for a, f in zip(x, frontiers, strict=False)]


def share(flags: list[bool]) -> float:
    """The share of late tuples, behind the first that do not count."""
    counted = flags[UNCOUNTED:]
    return sum(counted) / len(counted)


def delay(x: list[int], frontiers: Frontiers) -> float:
    """The median distance from the newest tuple down to the frontier after it, behind the first that do not count."""
    found, largest = [], x[0]
    for a, after in zip(x, frontiers[1:], strict=True):
        largest = max(largest, a)
        found.append(largest - (x[0] if after is None else after))
    return median(found[UNCOUNTED:])


def heartbeat(x: list[int]) -> Frontiers:
    """The frontiers of HEARTBEAT: the largest so far less the largest lateness so far, never moving back."""
    frontiers: Frontiers = [None]
    largest, latest, frontier = x[0], 0, None
    for a in x:
        largest, latest = max(largest, a), max(latest, largest - a)
        reached = largest - latest
        frontier = reached if frontier is None else max(frontier, reached)
        frontiers.append(frontier)
    return frontiers


def slack_in_hindsight(x: list[int], allowed: float) -> int:
    """The least fixed slack under which no more than this share is late, known only afterwards."""
    descending = sorted(latenesses(x)[UNCOUNTED:], reverse=True)
    return descending[int(allowed * len(descending))]


def broken(x: list[int], frontiers: Frontiers, ratio: float) -> list[str]:
    """The parts of DRATIO's contract that these frontiers break."""
    found = []
    known = [f for f in frontiers if f is not None]
    if any(later < earlier for earlier, later in pairwise(known)):
        found.append("moves back")
    if any(f is not None and f > max_so_far for f, max_so_far in zip(frontiers[1:], _maxima(x), strict=True)):
        found.append("ahead of the newest")
    first = next((n for n, f in enumerate(frontiers) if f is not None), len(x))
    if first < min(UNCOUNTED, max(30, 10 / ratio)):
        found.append("promises too early")
    own = share(late(x, frontiers))
    if own > ratio:
        found.append("share")
    of_heartbeat = heartbeat(x)
    if share(late(x, of_heartbeat)) <= ratio and delay(x, frontiers) >= delay(x, of_heartbeat):
        found.append("no shorter than HEARTBEAT")
    return found


def _maxima(x: list[int]) -> list[int]:
    found: list[int] = []
    for a in x:
        found.append(max(a, found[-1]) if found else a)
    return found


def as_frontiers(reached: Any, nothing: Any) -> Frontiers:
    """Frontiers from an array in which `nothing` stands for no promise."""
    return [None if f == nothing else f for f in reached.tolist()]
