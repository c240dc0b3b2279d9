"""Load that grows and goes: what one shard keeps and takes, on the kernels, without Spark.

`python -m tests.torture.load` prints a table: state at its peak and at the end, memory of the process before and after, and CPU
seconds for a million rows.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np
import pyarrow as pa

from transom.kernels.bucket import Bucket
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.spec_of import operator_of
from transom.planner.stage import Stage

STREAM = "CREATE STREAM s (k BIGINT, v BIGINT, t STRING, ts TIMESTAMP) ORDER BY ts SLACK 2 SECONDS;"
SECOND = 1_000_000


@dataclass(frozen=True)
class Load:
    """A query, and its micro-batches: keys, seconds, and what else a row has."""

    name: str
    query: str
    batches: Iterator[tuple[np.ndarray, np.ndarray]]  # type: ignore[type-arg]
    text: int = 0


@dataclass(frozen=True)
class Found:
    """What a load has come to. Memory in megabytes."""

    name: str
    rows: int
    results: int
    peak: float
    last: float
    before: float
    after: float
    seconds: float

    def __str__(self) -> str:
        per = self.seconds / max(self.rows, 1) * 1e6
        return (
            f"| {self.name} | {self.rows:,} | {self.results:,} | {self.peak:.2f} | {self.last:.2f} "
            f"| {self.before:.0f} | {self.after:.0f} | {per:.1f} |"
        )


def resident() -> float:
    """What the process holds, once nothing is left to collect."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def run(load: Load) -> Found:
    """All micro-batches of a load; state is stored and read again in each."""
    (stage,) = planned(bind_script(f"{STREAM}\n{load.query};").queries[-1]).stages
    assert isinstance(stage, Stage)
    columns = {name: text.replace("`", "") for name, text in stage.columns().items()}
    kinds = {"k": pa.int64(), "v": pa.int64(), "t": pa.string(), "ts": pa.timestamp("us", "UTC")}
    types = {name: kinds.get(text, pa.int64()) for name, text in columns.items()}
    spec, parts = operator_of(stage, types)
    bucket, blocks = Bucket(spec, 1, parts), Memory()
    rows = results = 0
    peak = 0.0
    before, started = resident(), time.process_time()
    for number, (keys, seconds) in enumerate(load.batches):
        own = {
            "k": pa.array(keys),
            "v": pa.array(np.arange(len(keys)) % 100),
            "t": pa.array(["x" * load.text] * len(keys)),
            "ts": pa.array((seconds * SECOND).astype(np.int64)).cast(kinds["ts"]),
        }
        table = pa.table({name: own.get(text, own["v"]) for name, text in columns.items()})
        operator = ShardOperator(spec, list(parts))
        operator.load(blocks)
        out = operator.step([piece for _, piece in bucket.slices(table, ("", 0, number))], blocks)
        operator.save(blocks)
        rows, results = rows + len(keys), results + (0 if out.rows is None else out.rows.num_rows)
        peak = max(peak, _size(blocks))
        del table, own, operator, out
    spent = time.process_time() - started
    return Found(load.name, rows, results, peak, _size(blocks), before, resident(), spent)


def _size(blocks: Memory) -> float:
    return sum(map(len, blocks.blocks.values())) / 1e6


SUMS = "SELECT k, sum(v) AS s, max(v) AS m, count(*) AS n FROM s"


def _batches(number: int, rows: int, keys: int, every: float = 5.0) -> Iterator[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    """Micro-batches of as many rows and keys, each so many seconds after the last."""
    rng = np.random.default_rng(number)
    for n in range(number):
        yield rng.integers(0, keys, rows), np.sort(n * every + rng.random(rows) * every)


def _quiet(batches: Iterator[tuple[np.ndarray, np.ndarray]], seconds: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    """And then a row now and then, which lets time go on."""
    last = 0.0
    for keys, at in batches:
        last = float(at[-1])
        yield keys, at
    for n in range(1, 4):
        yield np.zeros(1, np.int64), np.array([last + n * seconds])


def _coming_and_going(batches: int, each: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    for n in range(batches):
        yield np.arange(n * each, (n + 1) * each), np.sort(n * 5 + np.arange(each) / each * 5)


def _bursts() -> Iterator[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    rng = np.random.default_rng(1)
    clock = count()
    for rows in [2_000] * 40 + [2_000, 100_000, 2_000, 2_000, 200_000] * 8 + [2_000] * 40:
        start = next(clock) * 5
        yield rng.integers(0, 1_000, rows), np.sort(start + rng.random(rows) * 5)


def _hot() -> Iterator[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    for keys, at in _batches(40, 50_000, 10_000):
        yield np.where(np.arange(len(keys)) % 2 == 0, 0, keys), at


def loads() -> list[Load]:
    """The loads of the page."""
    sliding = f"{SUMS} [RANGE 20 SECONDS SLIDE 5 SECONDS] GROUP BY k"
    many = ", ".join(f"sum(v + {n}) AS s{n}" for n in range(500))
    return [
        Load("constant rate, then bursts of 50 and 100 times", sliding, _quiet(_bursts(), 60)),
        Load("1,000,000 keys that come and go", sliding, _quiet(_coming_and_going(40, 25_000), 60)),
        Load("one key with half of all rows", sliding, _quiet(_hot(), 60)),
        Load("one key with half of all rows, median", "SELECT k, median(v) AS m FROM s [TUMBLE 10 SECONDS] GROUP BY k", _hot()),
        Load("rows of 1 MB", "SELECT k, t FROM s [TUMBLE 10 SECONDS]", _quiet(_batches(20, 10, 5), 60), 1_000_000),
        Load("500 columns", f"SELECT k, {many} FROM s [TUMBLE 10 SECONDS] GROUP BY k", _quiet(_batches(20, 5_000, 100), 60)),
        Load(
            "10,000 open windows for each of 10 keys",
            f"{SUMS} [RANGE 10000 SECONDS SLIDE 1 SECOND] GROUP BY k",
            _quiet(_batches(30, 10_000, 10, 500.0), 30_000),
        ),
    ]


def main() -> int:
    print("| load | rows | results | state at its peak, MB | at the end | process before, MB | after | CPU s per million rows |")
    print("|---|---|---|---|---|---|---|---|")
    for load in loads():
        print(run(load), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
