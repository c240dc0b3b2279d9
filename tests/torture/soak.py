"""A soak on Spark: a constant rate, bursts of 20 times that rate with new keys, and the constant rate again.

`python -m tests.torture.soak --minutes 60` prints, for each phase, memory of the JVM and of the Python workers and what state
holds, and fails if these do not return, or if a row is lost or counted twice.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn
from pyspark.sql.streaming.query import StreamingQuery

import transom as tr
from tests.torture.victim import session
from tests.torture.watching import cpu_seconds, memory

SCHEMA = "id BIGINT, k BIGINT, v BIGINT, ts TIMESTAMP"
EVERY = 2.0
"""Seconds between files."""
TRIGGER = 15
"""Seconds between micro-batches."""
KEPT = 600.0
"""Seconds that a file stays, for queries to read it."""
BURST, BURST_SECONDS, BURST_EVERY = 20, 20.0, 120.0

QUERIES = {
    "sums": "SELECT count(*) AS n, sum(v) AS total FROM s [TUMBLE 10 SECONDS] GROUP BY k",
    "medians": "SELECT count(*) AS n, median(v) AS m FROM s [TUMBLE 30 SECONDS] GROUP BY k",
    "sessions": "SELECT count(*) AS n FROM s [SESSION GAP 5 SECONDS PATTR k] GROUP BY k",
    "join": "SELECT 1 AS n FROM s [TUMBLE 10 SECONDS] a JOIN s [TUMBLE 10 SECONDS] b ON a.id = b.id",
}
"""Each gives every row to exactly one result, so the sum of n is the number of rows."""
PHASES = (("warming up", 0.15), ("constant rate", 0.35), ("bursts", 0.3), ("constant rate again", 0.2))
"""And the part of the time that each takes."""


@dataclass
class Feed:
    """Writes rows as they would come, with keys that come and go."""

    folder: Path
    rate: int
    started: float = field(default_factory=time.time)
    phase: str = PHASES[0][0]
    rows: int = 0
    number: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        rng = np.random.default_rng(1)
        until = self.started
        while not self.stopped.wait(max(0.0, until + EVERY - time.time())):
            since, until = until, time.time()
            bursting = self.phase == "bursts" and (until - self.started) % BURST_EVERY < BURST_SECONDS
            count = int(self.rate * (until - since) * (BURST if bursting else 1))
            first = int(until - self.started) * self.rate // 100
            keys = first + rng.integers(0, self.rate, count) + (rng.integers(1, 50, count) * 10**6 if bursting else 0)
            self.write(keys, np.sort(rng.uniform(since, until, count)))
            self.sweep()

    def write(self, keys: np.ndarray, seconds: np.ndarray) -> None:  # type: ignore[type-arg]
        ids = np.arange(self.rows, self.rows + len(keys))
        at = pa.array((seconds * 1e6).astype(np.int64)).cast(pa.timestamp("us", "UTC"))
        table = pa.table({"id": ids, "k": keys.astype(np.int64), "v": ids % 100, "ts": at})
        hidden = self.folder / f".{self.number:06}.parquet"
        pq.write_table(table, hidden)
        hidden.rename(self.folder / f"{self.number:06}.parquet")
        self.rows, self.number = self.rows + len(keys), self.number + 1

    def sweep(self) -> None:
        gone = self.number - 1 - int(KEPT / EVERY)
        with contextlib.suppress(FileNotFoundError):
            (self.folder / f"{gone:06}.parquet").unlink()


@dataclass(frozen=True)
class Sample:
    """One look. Memory in megabytes."""

    minute: float
    phase: str
    rows: int
    jvm: float
    heap: float
    workers: float
    state: float
    state_rows: int
    cpu: float


def start(spark: SparkSession, name: str, folder: Path, counted: Counter[str]) -> StreamingQuery:
    read = spark.readStream.schema(SCHEMA).parquet(str(folder / "in"))
    rows = tr.sql(QUERIES[name], s=tr.stream(read, order_by="ts", name="s", slack=tr.seconds(30))).to_df()

    def count(frame: DataFrame, _: int) -> None:
        counted[name] += frame.agg(fn.sum("n")).collect()[0][0] or 0

    writer = rows.writeStream.option("checkpointLocation", str(folder / name)).queryName(name)
    return writer.trigger(processingTime=f"{TRIGGER} seconds").foreachBatch(count).start()


def look(spark: SparkSession, folder: Path, feed: Feed) -> Sample:
    spark.sparkContext._jvm.java.lang.System.gc()
    runtime = spark.sparkContext._jvm.java.lang.Runtime.getRuntime()
    heap = (runtime.totalMemory() - runtime.freeMemory()) / 2**20
    held = memory(os.getpid())
    size = rows = 0
    for name in QUERIES:
        found = tr.state(folder / name, spark).agg(fn.sum("bytes"), fn.sum("rows")).collect()[0]
        size, rows = size + (found[0] or 0), rows + (found[1] or 0)
    minute = (time.time() - feed.started) / 60
    return Sample(minute, feed.phase, feed.rows, held.jvm, heap, held.workers, size / 1e6, rows, cpu_seconds(os.getpid()))


def phases(minutes: float) -> Iterator[tuple[str, float]]:
    """Each phase, and when it ends in seconds."""
    end = 0.0
    for name, part in PHASES:
        end += 60 * minutes * part
        yield name, end


def soak(folder: Path, *, minutes: float, rate: int, tell: Callable[[Sample], None]) -> tuple[list[Sample], dict[str, int], int]:
    """All looks, what each query has counted, and what there was to count."""
    (folder / "in").mkdir()
    spark = session("local[2]")
    feed, counted = Feed(folder / "in", rate), Counter[str]()
    feed.write(np.zeros(1), np.array([feed.started]))  # a query wants a file to begin with
    running = [start(spark, name, folder, counted) for name in QUERIES]
    thread = threading.Thread(target=feed.run, daemon=True)
    thread.start()
    samples = []
    for name, end in phases(minutes):
        feed.phase = name
        while (left := feed.started + end - time.time()) > 0:
            time.sleep(min(minutes, left))
            broken = next((one.exception() for one in running if not one.isActive), None)
            if broken is not None:
                raise broken
            if all(one.lastProgress for one in running):
                samples.append(look(spark, folder, feed))
                tell(samples[-1])
    feed.stopped.set()
    thread.join()
    sent = feed.rows
    feed.write(np.zeros(1), np.array([time.time() + 3600]))  # which completes every window that holds one of the others
    for one in running:
        one.processAllAvailable()
        one.stop()
    spark.stop()
    return samples, dict(counted), sent


def median(samples: list[Sample], phase: str, name: str) -> float:
    """Over the second half of a phase."""
    chosen = [getattr(one, name) for one in samples if one.phase == phase]
    return statistics.median(chosen[len(chosen) // 2 :]) if chosen else float("nan")


def highest(samples: list[Sample], phase: str, name: str) -> float:
    return max((getattr(one, name) for one in samples if one.phase == phase), default=float("nan"))


FIGURES = {
    "workers": "Python workers, MB",
    "heap": "heap of the JVM after a collection, MB",
    "jvm": "process of the JVM, MB",
    "state": "state, MB",
    "state_rows": "rows in state",
}
ALLOWED = {"workers": (1.2, 20.0), "heap": (1.2, 40.0), "state": (1.3, 0.5), "state_rows": (1.3, 500.0)}
"""How much more a figure may be in the end than before the bursts: times, and plus. (A JVM keeps the memory of its process.)"""


def report(samples: list[Sample]) -> str:
    _, before, burst, after = (name for name, _ in PHASES)
    lines = ["| | constant rate | highest in bursts | constant rate again |", "|---|---|---|---|"]
    for name, title in FIGURES.items():
        values = median(samples, before, name), highest(samples, burst, name), median(samples, after, name)
        lines.append(f"| {title} | " + " | ".join(f"{value:,.1f}" for value in values) + " |")
    return "\n".join(lines)


def complaints(samples: list[Sample], counted: dict[str, int], sent: int) -> list[str]:
    _, before, _, after = (name for name, _ in PHASES)
    found = [f"{name}: {counted.get(name, 0):,} rows of {sent:,}" for name in QUERIES if counted.get(name, 0) != sent]
    for name, (times, plus) in ALLOWED.items():
        first, last = median(samples, before, name), median(samples, after, name)
        if not last <= first * times + plus:
            found.append(f"{FIGURES[name]}: {first:.1f} before the bursts, {last:.1f} after them")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description="Load that goes on, on Spark.")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=int, default=300, help="rows a second")
    parser.add_argument("--figures", metavar="FILE", help="write every look as a line of JSON")
    given = parser.parse_args()

    def tell(sample: Sample) -> None:
        values = ((name, f"{value:,.1f}" if isinstance(value, float) else str(value)) for name, value in asdict(sample).items())
        print(" ".join("=".join(one) for one in values), flush=True)
        if given.figures:
            with Path(given.figures).open("a", encoding="utf-8") as out:
                out.write(json.dumps(asdict(sample)) + "\n")

    with tempfile.TemporaryDirectory(prefix="transom-soak-", ignore_cleanup_errors=True) as folder:
        samples, counted, sent = soak(Path(folder), minutes=given.minutes, rate=given.rate, tell=tell)
    print(
        f"{given.minutes:g} minutes, {sent:,} rows, {samples[-1].cpu / given.minutes / 60:.2f} of a core\n\n{report(samples)}\n"
    )
    wrong = complaints(samples, counted, sent)
    print("\n".join(f"WRONG: {one}" for one in wrong) or f"{', '.join(QUERIES)}: every row once")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
