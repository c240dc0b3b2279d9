"""Part 2: mean and maximum of the last 100 rows of each key, one result per row, against pandas in Spark."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.part import Floor, Part
from benchmarks.peers import SETTINGS, pandas_rolling, set_to
from benchmarks.queries import over, row_window

LENGTH = 100
PANDAS_FILES = {100: 20, 20_000: 8}
FLOORS = {100: 3, 20_000: 10}


def measure(bench: Bench) -> Part:
    part = Part("2", "Last 100 rows per key, avg and max, one result per row, against applyInPandasWithState")
    for keys, files in PANDAS_FILES.items():
        ours = {"Transom OVER": over(LENGTH), "Transom row window": row_window(LENGTH)}
        theirs = {f"pandas rolling {how}": set_to(value, pandas_rolling(LENGTH)) for how, value in SETTINGS.items()}
        contest = bench.compete(
            *(bench.contender(f"{name}, {keys:,} keys", query, keys) for name, query in ours.items()),
            *(bench.contender(f"{name}, {keys:,} keys", query, keys, files=files) for name, query in theirs.items()),
        )
        part.take(contest)
        part.floors += [
            Floor(
                f"{one} to {other}, {keys:,} keys",
                contest.speed(f"{one}, {keys:,} keys", f"{other}, {keys:,} keys"),
                at_least=FLOORS[keys],
            )
            for other in theirs
            for one in ours
        ]
    part.notes.append(
        "The peer pays for each key and micro-batch: its rows/s, and so the ratio, depend on how many rows share a call. "
        f"Here a key has {_per_call(bench, 100):,.0f} rows in a micro-batch, or {_per_call(bench, 20_000):,.1f}."
    )
    return part


def _per_call(bench: Bench, keys: int) -> float:
    each = bench.conditions
    return each.rows * each.files_per_trigger / each.files / keys
