"""Part 4: the window against nothing at all in its place, but the way to Python and back."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.part import Floor, Part
from benchmarks.peers import SETTINGS, identity, set_to
from benchmarks.queries import sliding

KEYS = 100
AT_LEAST = 0.7
OVERLAPS = (1, 60)


def measure(bench: Bench) -> Part:
    part = Part("4", "The same pipeline with mapInArrow of the identity in place of the window")
    ours = [bench.contender(f"Transom, overlap {n}", sliding(n), KEYS) for n in OVERLAPS]
    theirs = [bench.contender(f"identity {how}", set_to(value, identity), KEYS) for how, value in SETTINGS.items()]
    contest = bench.compete(*theirs, *ours)
    part.take(contest)
    part.floors += [
        Floor(f"to the {other.name}, 100 keys, overlap {n}", contest.speed(one.name, other.name), at_least=AT_LEAST)
        for other in theirs
        for n, one in zip(OVERLAPS, ours, strict=True)
    ]
    return part
