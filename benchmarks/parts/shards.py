"""What a controller costs in many shards: folded by each, or once in a frontier stage, against a SLACK that nobody folds."""

from __future__ import annotations

import math

from benchmarks.bench import Bench, line
from benchmarks.contest import Contender
from benchmarks.data import Dataset
from benchmarks.part import Curve, Part
from benchmarks.queries import tolerant
from transom import rows, seconds

KEYS, OVERLAP = 100, 6
DELAY = 2.0
"""Seconds, on average."""
RATIO = 0.01
SHARDS = (2, 4, 8, 16, 32, 64)
FOLDED = {"shards": "folded by each shard", "stage": "folded once"}
PARTITIONS, FRONTIER, STATE = "spark.sql.shuffle.partitions", "spark.transom.frontier", "spark.transom.state"


def measure(bench: Bench) -> Part:
    part = Part("shards", "A controller in many shards")
    data = Dataset(max(bench.conditions.rows // 2, bench.conditions.files), KEYS, bench.conditions.files, delay=DELAY)
    path, files = data.path(bench.conditions.folder), data.files
    slack = seconds(round(-DELAY * math.log(RATIO), 1))
    ways = {f"SLACK {slack}": ({}, {"slack": slack})}
    for name, tolerated in (("DRATIO 1%", {"drop_ratio": RATIO}), ("SLACK 16,000 rows", {"slack": rows(16_000)})):
        for where, folded in FOLDED.items():
            ways[f"{name}, {folded}"] = ({FRONTIER: where}, tolerated)

    def contender(name: str, shards: int) -> Contender:
        settings, tolerated = ways[name]

        def frame(n: int):
            for key in (FRONTIER, STATE):
                bench.spark.conf.unset(key)
            for key, value in {PARTITIONS: shards, **settings}.items():
                bench.spark.conf.set(key, value)
            return tolerant(OVERLAP, shards, **tolerated)(bench.stream(path, n))

        return Contender(f"{name}, {shards} shards", frame, files, data.rows, files, data.rows, shards)

    made = {name: [contender(name, shards) for shards in bench.conditions.some(SHARDS)] for name in ways}
    before = bench.spark.conf.get(PARTITIONS)
    try:
        contest = bench.compete(*(one for each in made.values() for one in each))
    finally:
        bench.spark.conf.set(PARTITIONS, before)
        bench.spark.conf.unset(FRONTIER)
    part.take(contest)
    part.curves.append(
        Curve("by-shards", "Throughput by shards", "shards", "rows/s", {name: line(contest, each) for name, each in made.items()})
    )
    known = next(iter(ways))
    for shards in bench.conditions.some(SHARDS):
        for by_each, once in zip(list(ways)[1::2], list(ways)[2::2], strict=True):
            cost = [contest.cost(f"{name}, {shards} shards", f"{known}, {shards} shards") for name in (by_each, once)]
            saved = contest.cost(f"{once}, {shards} shards", f"{by_each}, {shards} shards")
            part.notes.append(
                f"{by_each.rpartition(',')[0]}, {shards} shards: to the cost of SLACK, {cost[0]} folded by each shard "
                f"and {cost[1]} folded once; once to by each {saved}."
            )
    return part
