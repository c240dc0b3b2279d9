"""From the tuple that closes a window to its results: small micro-batches, each of which closes one window."""

from __future__ import annotations

import shutil
import statistics
import uuid

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from benchmarks.bench import Bench, Query
from benchmarks.contest import Contender
from benchmarks.data import SLIDE, START, Dataset
from benchmarks.part import Part
from benchmarks.peers import spark_window
from benchmarks.queries import sliding

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
        later = _batches_later(bench, queries[name](stream()))
        median, high = statistics.median(each), statistics.quantiles(each, n=20)[-1]
        part.notes.append(
            f"{name}: a micro-batch of {ROWS:,} rows takes {median:.0f} ms (95 % within {high:.0f} ms); "
            f"results leave {later} micro-batch(es) after the one with the closing tuple: {median * (1 + later):.0f} ms of work."
        )
    return part


def _batches_later(bench: Bench, frame: DataFrame) -> int:
    """How many micro-batches after the one that completes a window its results leave."""
    checkpoint = bench.conditions.folder / "checkpoints" / uuid.uuid4().hex
    found: list[int] = []

    def look(results: DataFrame, number: int) -> None:
        last = results.agg(sf.max(sf.unix_micros("end")).alias("end")).first()
        if last is not None and last["end"] is not None:
            found.append(number - (last["end"] - START) // (SLIDE * 1_000_000))

    writer = frame.writeStream.foreachBatch(look).option("checkpointLocation", str(checkpoint))
    try:
        writer.trigger(availableNow=True).start().awaitTermination()
    finally:
        shutil.rmtree(checkpoint, ignore_errors=True)
    return round(statistics.median(found))
