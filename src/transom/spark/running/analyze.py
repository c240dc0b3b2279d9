"""EXPLAIN ANALYZE: a query run over what its source has now, to its end, and what Spark measured meanwhile."""

from __future__ import annotations

import tempfile
import time
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf

from transom.plan.nodes.node import Node
from transom.planner import plan as planned
from transom.quality.moment import from_metrics
from transom.spark.exchange.observing import metrics_of
from transom.spark.frames.query_frame import to_df
from transom.spark.running.checkpoint import next_end
from transom.spark.running.messages.progress_line import OUT, Tally

PARTS = {
    "finding input": ("latestOffset", "getBatch"),
    "planning": ("queryPlanning",),
    "execution": ("addBatch",),
    "logging and commit": ("walCommit", "commitOffsets"),
}


def analyze(plan: Node, spark: SparkSession) -> list[str]:
    """The lines that a run adds to EXPLAIN. Results are counted and thrown away."""
    start = time.monotonic()
    frame = to_df(plan, spark, end=0)
    if not frame.isStreaming:
        return _as_batch(plan, spark, start)
    tally = Tally("")
    with tempfile.TemporaryDirectory(prefix="transom-", ignore_cleanup_errors=True) as place:
        _run(frame, place, tally)
        kept = tally.moment.lines() if tally.moment is not None else []  # as long as something waits
        _run(to_df(plan, spark, end=next_end(place)), place, tally)
    found = [*_rows(tally), *kept, *_state(tally), f"time: {_ms(start)} ms", *_times(tally)]
    return ["measured: as a stream, drained", *aligned(found)]


def aligned(lines: list[str]) -> list[str]:
    """Lines of `title: value` with their values below each other.

    >>> aligned(["rows in: 5", "delay: 3 s"])
    ['  rows in:  5', '  delay:    3 s']
    """
    pairs = [line.split(": ", 1) for line in lines]
    width = max(len(title) for title, _ in pairs) + 1
    return [f"  {title + ':':<{width}}  {value}" for title, value in pairs]


def _as_batch(plan: Node, spark: SparkSession, start: float) -> list[str]:
    about = Observation() if planned(plan).stages else None
    seen = Observation()
    _counted(to_df(plan, spark, observation=about), seen).write.format("noop").mode("overwrite").save()
    moment = None if about is None else from_metrics(metrics_of(about))
    lines = [f"rows out: {seen.get['rows']:,}", *(moment.lines() if moment is not None else ()), f"time: {_ms(start)} ms"]
    return ["measured: as a batch", *aligned(lines)]


def _counted(frame: DataFrame, name: str | Observation) -> DataFrame:
    return frame.observe(name, sf.count(sf.lit(1)).alias("rows"))


def _run(frame: DataFrame, place: str, tally: Tally) -> None:
    writer = _counted(frame, OUT).writeStream.format("noop").option("checkpointLocation", place)
    query = writer.trigger(availableNow=True).start()
    query.awaitTermination()
    tally.take(list(query.recentProgress))


def _ms(start: float) -> str:
    return f"{(time.monotonic() - start) * 1000:,.0f}"


def _rows(tally: Tally) -> list[str]:
    lines = [f"rows in: {tally.rows_in:,}", f"rows out: {tally.rows_out:,}"]
    counted = {"late rows": "late", "dropped rows": "dropped", "outside rows": "outside"}
    return [*lines, *(f"{title}: {tally.since(name):,}" for title, name in counted.items())] if tally.windowed else lines


def _state(tally: Tally) -> list[str]:
    """The most that any micro-batch left behind."""
    totals = [
        sum(one["memoryUsedBytes"] for one in batch["stateOperators"]) for batch in tally.batches if batch["stateOperators"]
    ]
    return [f"state: {max(totals) / 1000:,.1f} kB at most, as the state store reports"] if totals else []


def _times(tally: Tally) -> list[str]:
    lines = [f"micro-batches: {len(tally.batches)}"]
    for title, names in PARTS.items():
        lines.append(f"time of {title}: {sum(_of(batch['durationMs'], name) for batch in tally.batches for name in names):,} ms")
    count = max((len(batch["stateOperators"] or ()) for batch in tally.batches), default=0)
    for n in range(count):
        held = [batch["stateOperators"][n] for batch in tally.batches if len(batch["stateOperators"] or ()) > n]
        updates, commits = (sum(_of(one, name) for one in held) for name in ("allUpdatesTimeMs", "commitTimeMs"))
        lines.append(
            f"time of operator {n + 1}: {updates:,} ms with its input, {commits:,} ms to commit its state, summed over tasks"
        )
    return lines


def _of(measures: dict[str, Any] | None, name: str) -> int:
    return int((measures or {}).get(name) or 0)
