"""Part 4: the window against nothing at all in its place, but the way to Python and back."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.part import Floor, Part
from benchmarks.peers import SETTINGS, UNLIMITED, identity, idle, set_to
from benchmarks.queries import sliding
from transom.spark.settings import BYTES

KEYS = 100
AT_LEAST = 0.7
OVERLAPS = (1, 60)
BARE = "a plan of two stages that only counts"


def measure(bench: Bench) -> Part:
    part = Part("4", "The same pipeline with mapInArrow of the identity in place of the window")
    bench.spark.conf.unset(BYTES)  # a part before this one may have lifted it
    limit = bench.spark.conf.get(BYTES)
    ours = [bench.contender(f"Transom, overlap {n}", set_to(None, sliding(n)), KEYS) for n in OVERLAPS]
    limited = [bench.contender(f"Transom as Spark ships, overlap {n}", set_to(limit, sliding(n)), KEYS) for n in OVERLAPS]
    theirs = [bench.contender(f"identity {how}", set_to(value, identity), KEYS) for how, value in SETTINGS.items()]
    bare = bench.contender(BARE, set_to(UNLIMITED, idle), KEYS)
    contest = bench.compete(*theirs, bare, *limited, *ours)
    bench.spark.conf.unset(BYTES)
    part.take(contest)
    shipped, lifted = theirs
    part.floors += [
        Floor(f"{one.name}, to the {other.name}, 100 keys", contest.speed(one.name, other.name), at_least=AT_LEAST)
        for which, other in ((ours, shipped), (limited, shipped), (ours, lifted))
        for one in which
    ]
    bound = contest.speed(BARE, theirs[-1].name)
    part.notes.append(
        f"{BARE.capitalize()}: the first counts rows, the second adds the counts up in a stateful function. It shows what a "
        f"second stage with Python in it costs by itself: to the {theirs[-1].name} it is {bound}."
    )
    return part
