"""From the tuple that closes a window to its results: small micro-batches, each of which closes one window."""

from __future__ import annotations

import statistics

from pyspark.sql import DataFrame

from benchmarks.bench import Bench, Query
from benchmarks.contest import Contender
from benchmarks.data import SLIDE, Dataset
from benchmarks.part import Part
from benchmarks.peers import spark_window
from benchmarks.queries import sliding
from benchmarks.releases import batches_later

KEYS, OVERLAP = 100, 60
ROWS = 10_000
"""In each micro-batch."""
SETTLING = 3
"""Micro-batches of a run that are left out."""


def measure(bench: Bench) -> Part:
    part = Part("latency", "Time from the closing of a window to its results")
    batches = 10 if bench.conditions.quick else 60
    data = Dataset(ROWS * batches, KEYS, batches, span=SLIDE * batches)
    path = data.path(bench.conditions.folder)

    def stream(files: int | None = None) -> DataFrame:
        return bench.stream(path, files, per_trigger=1)

    queries: dict[str, Query] = {"Transom": sliding(OVERLAP), "Spark window()": spark_window(OVERLAP)}
    contest = bench.compete(
        *(
            Contender(name, lambda n, q=query: q(stream(n)), batches, data.rows, SETTLING, ROWS * SETTLING)
            for name, query in queries.items()
        )
    )
    part.take(contest)
    for name in contest.runs:
        each = [ms for run in contest.runs[name] for ms in run.triggers[SETTLING:batches]]
        later = round(batches_later(bench, queries[name](stream()), SLIDE))
        median, high = statistics.median(each), statistics.quantiles(each, n=20)[-1]
        part.notes.append(
            f"{name}: a micro-batch of {ROWS:,} rows takes {median:.0f} ms (95 % within {high:.0f} ms); "
            f"results leave {later} micro-batch(es) after the one with the closing tuple: {median * (1 + later):.0f} ms of work."
        )
    return part
