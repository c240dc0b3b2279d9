"""Part 1: sliding windows against Spark's `window()`, the slide fixed and the range grown."""

from __future__ import annotations

from benchmarks.bench import Bench, line
from benchmarks.contest import Contender, Contest
from benchmarks.part import Curve, Floor, Part
from benchmarks.peers import spark_window
from benchmarks.queries import sliding

FEW, MANY = 100, 10_000
SPARK_FILES = {FEW: {1: 20, 10: 20, 60: 8, 300: 4, 600: 4}, MANY: {1: 8, 60: 8}}
"""How many of the files Spark is given: as many as it does in a few minutes."""
FLOORS = {FEW: {1: 0.9, 60: 5, 600: 30}, MANY: {1: 2, 60: 10}}
OWN_COST = 1.3


def measure(bench: Bench) -> Part:
    part = Part("1", "Sliding sum, max and count per key, slide 10 s, against Spark's window()")
    for keys in (FEW, MANY):
        overlaps = bench.conditions.some(tuple(SPARK_FILES[keys]))
        ours = [bench.contender(f"Transom, {_at(keys, n)}", sliding(n), keys, at=n) for n in overlaps]
        theirs = [
            bench.contender(f"Spark window(), {_at(keys, n)}", spark_window(n), keys, files=SPARK_FILES[keys][n], at=n)
            for n in overlaps
        ]
        contest = bench.compete(*(one for pair in zip(ours, theirs, strict=True) for one in pair))
        part.take(contest)
        part.floors += _floors(contest, keys, ours, theirs)
        if keys == FEW:
            part.floors.append(
                Floor("own cost, overlap 600 to 1, 100 keys", contest.cost(ours[-1].name, ours[0].name), at_most=OWN_COST)
            )
        lines = {"Transom": line(contest, ours), "Spark window()": line(contest, theirs)}
        part.curves.append(Curve(f"overlap-{keys}-keys", f"Throughput by overlap, {keys:,} keys", "overlap", "rows/s", lines))
        lines = {"Transom": _state(contest, ours), "Spark window()": _state(contest, theirs)}
        part.curves.append(
            Curve(f"state-{keys}-keys", f"State by overlap, {keys:,} keys", "overlap", "state, bytes alive", lines)
        )
    part.notes.append("Where Spark has fewer rows, they are those of the first files; rows/s are compared.")
    part.notes.append("A range of 6000 s is longer than the 4000 s of data: windows close, but nothing leaves the state.")
    return part


def _at(keys: int, overlap: int) -> str:
    return f"{keys:,} keys, overlap {overlap}"


def _floors(contest: Contest, keys: int, ours: list[Contender], theirs: list[Contender]) -> list[Floor]:
    wanted = FLOORS[keys]
    return [
        Floor(f"to Spark's window(), {_at(keys, int(one.at))}", contest.speed(one.name, other.name), at_least=wanted[int(one.at)])
        for one, other in zip(ours, theirs, strict=True)
        if int(one.at) in wanted
    ]


def _state(contest: Contest, contenders: list[Contender]) -> list[tuple[float, float]]:
    return [
        (one.at, contest.runs[one.name][-1].state.get("live_bytes", 0)) for one in contenders if one.name not in contest.failed
    ]
