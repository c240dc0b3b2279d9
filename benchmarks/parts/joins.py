"""Joins of two streams and streams of changes: against Spark's own join, pandas, and the query below."""

from __future__ import annotations

from benchmarks.bench import Bench, line
from benchmarks.pairs import (
    Pairs,
    as_of_join,
    counted_pairs,
    interval_join,
    pandas_as_of_join,
    spark_interval_join,
)
from benchmarks.part import Curve, Floor, Part
from benchmarks.peers import SETTINGS
from benchmarks.queries import changes_of_tumbling, tumbling

KEYS = (100, 10_000)
RANGES = (60, 600, 3_600)
"""Seconds. A state of the last is sixty times the first."""


def measure(bench: Bench) -> Part:
    part = Part("joins", "Joins of two streams, and streams of changes")
    rows = max(bench.conditions.rows // 8, bench.conditions.files)
    _intervals(bench, part, rows)
    _as_of(bench, part, rows)
    _changes(bench, part)
    _relations(bench, part, rows)
    part.notes.append(f"{rows:,} rows in each of the two streams; a tuple has one match within 60 seconds, on average.")
    return part


def _intervals(bench: Bench, part: Part, rows: int) -> None:
    for keys in KEYS:
        ours, theirs = f"interval join, {keys:,} keys", f"Spark's join, {keys:,} keys"
        pairs = Pairs(bench, keys, rows)
        contest = bench.compete(pairs.contender(ours, interval_join), pairs.contender(theirs, spark_interval_join))
        part.take(contest)
        part.floors.append(Floor(f"{ours} to Spark's with watermarks", contest.speed(ours, theirs), at_least=2))


def _as_of(bench: Bench, part: Part, rows: int) -> None:
    keys = KEYS[-1]
    ours = f"as-of join, {keys:,} keys"
    theirs = {f"merge_asof {how}, {keys:,} keys": pandas_as_of_join(value) for how, value in SETTINGS.items()}
    pairs = Pairs(bench, keys, rows)
    files = max(1, bench.conditions.files // 4)
    peers = [pairs.contender(name, join, files=files) for name, join in theirs.items()]
    contest = bench.compete(pairs.contender(ours, as_of_join), *peers)
    part.take(contest)
    part.floors += [Floor(f"{ours} to {name}", contest.speed(ours, name), at_least=5) for name in theirs]


def _changes(bench: Bench, part: Part) -> None:
    keys = KEYS[0]
    below, above = f"tumbling, {keys:,} keys", f"ISTREAM over it, {keys:,} keys"
    contest = bench.compete(bench.contender(below, tumbling, keys), bench.contender(above, changes_of_tumbling, keys))
    part.take(contest)
    part.floors.append(Floor("ISTREAM over a tumbling aggregate, in cost", contest.cost(above, below), at_most=1.3))


def _relations(bench: Bench, part: Part, rows: int) -> None:
    keys = KEYS[0]
    pairs = Pairs(bench, keys, max(rows // 4, bench.conditions.files))
    points = bench.conditions.some(RANGES)
    made = [
        pairs.contender(f"relation-form join, windows of {length:,} s", counted_pairs(length), at=length) for length in points
    ]
    contest = bench.compete(*made)
    part.take(contest)
    drawn = {"count of a join by key": line(contest, made)}
    part.curves.append(Curve("by-range-of-join", "Relation-form join by length of its windows", "seconds", "rows/s", drawn))
