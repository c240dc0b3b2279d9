"""Joins of two streams and streams of changes: against Spark's own join, pandas, and the query below."""

from __future__ import annotations

from benchmarks.bench import Bench, line
from benchmarks.contest import Ratio
from benchmarks.data import Dataset
from benchmarks.pairs import (
    WITHIN,
    Pairs,
    as_of_join,
    counted_pairs,
    interval_join,
    left_interval_join,
    near_join,
    pandas_as_of_join,
    spark_interval_join,
    spark_left_interval_join,
)
from benchmarks.part import Curve, Floor, Part
from benchmarks.part import measure as measured
from benchmarks.peers import SETTINGS
from benchmarks.queries import changes_of_tumbling, tumbling
from benchmarks.releases import batches_later

KEYS = (100, 10_000)
ROWS = 2_000
"""In each micro-batch of either stream, where it is counted how much later rows leave."""
TUPLE_BYTES = 24
"""Of a tuple as it comes: a key, a timestamp and a value, eight bytes each."""
RANGES = (60, 600, 3_600)
"""Seconds. A state of the last is sixty times the first."""


def measure(bench: Bench) -> Part:
    part = Part("joins", "Joins of two streams, and streams of changes")
    rows = max(bench.conditions.rows // 8, bench.conditions.files)
    _intervals(bench, part, rows)
    _released(bench, part)
    _kept(bench, part)
    _as_of(bench, part, rows)
    _changes(bench, part)
    _relations(bench, part, rows)
    part.notes.append(f"{rows:,} rows in each of the two streams; a tuple has one match within 60 seconds, on average.")
    return part


def _intervals(bench: Bench, part: Part, rows: int) -> None:
    for keys in KEYS:
        ours, theirs = f"interval join, {keys:,} keys", f"Spark's join, {keys:,} keys"
        pairs = Pairs(bench, keys, rows)
        few = max(1, bench.conditions.files // 20) if keys == KEYS[0] else None
        contest = bench.compete(pairs.contender(ours, interval_join), pairs.contender(theirs, spark_interval_join, files=few))
        part.take(contest)
        part.floors.append(Floor(f"{ours} to Spark's with watermarks", contest.speed(ours, theirs), at_least=2))


def _released(bench: Bench, part: Part) -> None:
    """How many micro-batches after the tuple the rows without a match leave, where each micro-batch is ten of the bound long."""
    files, keys = 12, KEYS[0]
    sides = [Dataset(ROWS * files, keys, files, 10 * WITHIN * files, draw=draw) for draw in (0, 1)]
    paths = [side.path(bench.conditions.folder) for side in sides]
    joins = {"Transom": left_interval_join, "Spark's join": spark_left_interval_join}
    later = {}
    for name, join in joins.items():
        frame = join(*(bench.stream(path, per_trigger=1) for path in paths)).where("y IS NULL")
        later[name] = batches_later(bench, frame, 10 * WITHIN)
        part.notes.append(f"{name}, left join: rows without a match leave {later[name]:.2f} micro-batches after their tuple.")
    earlier = later["Spark's join"] - later["Transom"]
    part.floors.append(Floor("left join: micro-batches earlier than Spark's", Ratio(earlier, earlier, earlier), at_least=1))


def _kept(bench: Bench, part: Part) -> None:
    """The state of an interval join that has to keep all tuples of both sides; each has one for each key, on average."""
    keys = 50_000 if bench.conditions.quick else 1_000_000
    sides = [Dataset(keys, keys, bench.conditions.files, WITHIN, draw=draw) for draw in (0, 1)]
    frame = near_join(*(bench.stream(side.path(bench.conditions.folder)) for side in sides))
    found = bench.run(frame, 2 * keys, look_at_state=True)
    part.measures.append(measured(f"state of an interval join, {keys:,} keys", [found]))
    kept = found.state["live_bytes"] / (2 * keys * TUPLE_BYTES)
    part.floors.append(Floor("state of an interval join to the bytes of its tuples", Ratio(kept, kept, kept), at_most=2))


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
