"""Part 2: mean and maximum of the last 100 rows of each key, one result per row, against pandas in Spark."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.part import Floor, Part
from benchmarks.peers import pandas_rolling
from benchmarks.queries import over, row_window

LENGTH = 100
PANDAS_FILES = {100: 20, 20_000: 12}
FLOORS = {100: 3, 20_000: 10}


def measure(bench: Bench) -> Part:
    part = Part("2", "Last 100 rows per key, avg and max, one result per row, against applyInPandasWithState")
    for keys, files in PANDAS_FILES.items():
        frames, window, pandas = (f"{who}, {keys:,} keys" for who in ("Transom OVER", "Transom row window", "pandas rolling"))
        contest = bench.compete(
            bench.contender(frames, over(LENGTH), keys),
            bench.contender(window, row_window(LENGTH), keys),
            bench.contender(pandas, pandas_rolling(LENGTH), keys, files=files),
        )
        part.take(contest)
        part.floors += [
            Floor(f"{ours.split(',')[0]} to pandas rolling, {keys:,} keys", contest.speed(ours, pandas), at_least=FLOORS[keys])
            for ours in (frames, window)
        ]
    part.notes.append(
        "The peer pays for each key and micro-batch: its rows/s, and so the ratio, depend on how many rows share a call. "
        f"Here a key has {_per_call(bench, 100):,.0f} rows in a micro-batch, or {_per_call(bench, 20_000):,.1f}."
    )
    return part


def _per_call(bench: Bench, keys: int) -> float:
    each = bench.conditions
    return each.rows * each.files_per_trigger / each.files / keys
