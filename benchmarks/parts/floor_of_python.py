"""Part 4: the window against nothing at all in its place, but the way to Python and back."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.part import Floor, Part
from benchmarks.peers import identity
from benchmarks.queries import sliding

KEYS = 100
AT_LEAST = 0.7
OVERLAPS = (1, 60)


def measure(bench: Bench) -> Part:
    part = Part("4", "The same pipeline with mapInArrow of the identity in place of the window")
    nothing = "mapInArrow of the identity"
    ours = [bench.contender(f"Transom, overlap {n}", sliding(n), KEYS) for n in OVERLAPS]
    contest = bench.compete(bench.contender(nothing, identity, KEYS), *ours)
    part.take(contest)
    part.floors += [
        Floor(f"to mapInArrow of the identity, 100 keys, overlap {n}", contest.speed(one.name, nothing), at_least=AT_LEAST)
        for n, one in zip(OVERLAPS, ours, strict=True)
    ]
    return part
