"""How many micro-batches after the tuple that makes it whole a result leaves."""

from __future__ import annotations

import shutil
import statistics
import uuid

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from benchmarks.bench import Bench
from benchmarks.data import START


def batches_later(bench: Bench, frame: DataFrame, seconds: int) -> float:
    """The median over micro-batches, each of which brings `seconds` of time.

    `end` of a result is the time of its tuple, or the end of its window, which the first tuple of the next micro-batch closes.
    """
    checkpoint = bench.conditions.folder / "checkpoints" / uuid.uuid4().hex
    found: list[int] = []

    def look(results: DataFrame, number: int) -> None:
        last = results.agg(sf.max(sf.unix_micros("end")).alias("end")).first()
        if last is not None and last["end"] is not None:
            found.append(number - (last["end"] - START) // (seconds * 1_000_000))

    writer = frame.writeStream.foreachBatch(look).option("checkpointLocation", str(checkpoint))
    try:
        writer.trigger(availableNow=True).start().awaitTermination()
    finally:
        shutil.rmtree(checkpoint, ignore_errors=True)
    return statistics.median(found)
