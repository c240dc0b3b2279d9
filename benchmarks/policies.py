"""`python -m benchmarks.policies`: windows with policies on the kernels, against windows of rows of the same size. No Spark.

What is measured is what an executor does with a micro-batch: bucket, the operator of one shard, its state in blocks. Times are of
the processor; of several turns the fastest counts. As Markdown, for BENCHMARKS.md.
"""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
import numpy as np
import pyarrow as pa

from benchmarks.windowing import table
from transom.kernels.applied.applied_operator import container_operator
from transom.kernels.applied.applied_spec import AppliedSpec, InputSpec
from transom.kernels.applied.port_slices import slices_of_chunk
from transom.kernels.bucket import Bucket
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.applied.policy_stage import PolicyStage
from transom.planner.spec_of import operator_of
from transom.planner.windowed.window_stage import WindowStage
from transom.windowing import count, sliding, tumbling
from transom.windowing.operators import Vwap

KEYS = 100
STREAM = "CREATE STREAM s (k BIGINT, x DOUBLE, id BIGINT);"
TYPES = {"k": pa.int64(), "x": pa.float64(), "id": pa.int64()}
SUMS = {"k": pa.int64(), "__y0": pa.int64(), "__y1": pa.float64(), "__y2": pa.float64()}


def rows(number: int, first: int) -> pa.Table:
    ids = np.arange(first, first + number)
    now = np.full(number, first * 10)  # a tuple for each 10 microseconds
    x = (ids * 7919 % 1009).astype(float)
    return pa.table({"k": ids % KEYS, "x": x, "id": ids, "__keep": np.ones(number, bool), "__now": now})


def run_of(window: str) -> Callable[[list[pa.Table]], None]:
    """What runs count, sum and maximum over a window, micro-batch by micro-batch."""
    (plan,) = bind_script(f"{STREAM} SELECT k, count(*) AS n, sum(x) AS total, max(x) AS hi FROM s {window}").queries
    (stage,) = planned(plan).stages
    inner = stage.window if isinstance(stage, PolicyStage) else stage
    assert isinstance(inner, WindowStage)
    sources = {name: text.strip("`") for name, text in inner.columns().items() if text.strip("`") in TYPES}
    types = {name: TYPES[source] for name, source in sources.items()}
    spec, parts = operator_of(inner, types)
    spec = replace(spec, reported=())

    def columns(batch: pa.Table) -> pa.Table:
        return pa.table({**{name: batch[source] for name, source in sources.items()}, "__keep": batch["__keep"]})

    def in_containers(batches: list[pa.Table]) -> None:
        assert isinstance(stage, PolicyStage)
        schema = pa.schema(list(SUMS.items()))
        own = stage.spec(spec, tuple(types), schema, types, shards=1, parts=parts)  # type: ignore[arg-type]
        blocks = Memory()
        for batch in batches:
            came = columns(batch)
            if stage.reads_clock:
                came = came.append_column("__now", batch["__now"])
            slices = [piece for _, piece in slices_of_chunk(came, own.inputs[0], 0, 1, 0, 0)]
            container_operator(own).step(slices, blocks)

    def of_rows(batches: list[pa.Table]) -> None:
        blocks, bucket = Memory(), Bucket(spec, 1, parts)
        for batch in batches:
            operator = ShardOperator(spec, list(parts))
            operator.load(blocks)
            operator.step([piece for _, piece in bucket.slices(columns(batch), ("", 0, 0))], blocks)
            operator.save(blocks)

    return in_containers if isinstance(stage, PolicyStage) else of_rows


def vwap_of(window: Any) -> Callable[[list[pa.Table]], None]:
    """The VWAP operator, whose handlers are Python."""
    schema = pa.schema([("ticker", pa.string()), ("vwap", pa.float64())])
    names = ("ticker", "price", "volume")
    spec = AppliedSpec((InputSpec("in", window.partitioned_by("ticker"), names),), operator=Vwap(), output="out", schema=schema)

    def run(batches: list[pa.Table]) -> None:
        blocks = Memory()
        for batch in batches:
            renamed = pa.table(
                {"ticker": batch["k"].cast(pa.string()), "price": batch["x"], "volume": batch["id"], "__keep": batch["__keep"]}
            )
            slices = [piece for _, piece in slices_of_chunk(renamed, spec.inputs[0], 0, 1, 0, 0)]
            container_operator(spec).step(slices, blocks)

    return run


def rate(run: Callable[[list[pa.Table]], None], batches: list[pa.Table], turns: int) -> float:
    """Millions of tuples for a second of the processor."""
    best = float("inf")
    for _ in range(turns):
        start = clocks.process_time()
        run(batches)
        best = min(best, clocks.process_time() - start)
    return sum(batch.num_rows for batch in batches) / best / 1e6


@click.command()
@click.option("--batches", default=5, show_default=True, help="Micro-batches.")
@click.option("--size", default=100_000, show_default=True, help="Tuples of a micro-batch.")
@click.option("--turns", default=3, show_default=True, help="Turns, of which the fastest counts.")
def main(batches: int, size: int, turns: int) -> None:
    """Measure windows with policies against windows of rows."""
    given = [rows(size, n * size) for n in range(batches)]
    by_key = "PARTITIONED BY (k)"
    pairs = [
        ("[TUMBLING count(100)]", f"[TUMBLING count(100) {by_key}]", 100, 100),
        ("[SLIDING count(100), count(10)]", f"[SLIDING count(100), count(10) {by_key}]", 100, 10),
        ("[TUMBLING delta(id, ...)] of 100", f"[TUMBLING delta(id, {100 * KEYS - 1}) {by_key}]", 100, 100),
        ("[SLIDING delta(id, ...), count(10)] of 100", f"[SLIDING delta(id, {100 * KEYS - 1}), count(10) {by_key}]", 100, 10),
        ("[SLIDING count(100), delta(id, ...)] every 10", f"[SLIDING count(100), delta(id, {10 * KEYS - 1}) {by_key}]", 100, 10),
        (
            "[SLIDING count(100), count(10)] with partition_count(1000)",
            f"[SLIDING count(100), count(10) {by_key} partition_count(1000)]",
            100,
            10,
        ),
        ("[TUMBLING time(1 SECOND)] of 1,000", f"[TUMBLING time(1 SECOND) {by_key}]", 1_000, 1_000),
        (
            "[SLIDING time(3 SECONDS), time(1 SECOND)] of 3,000",
            f"[SLIDING time(3 SECONDS), time(1 SECOND) {by_key}]",
            3_000,
            1_000,
        ),
    ]
    found = []
    for title, window, long, step in pairs:
        of_rows = rate(run_of(f"[RANGE {long} ROWS SLIDE {step} ROWS PATTR k]"), given, turns)
        ours = rate(run_of(window), given, turns)
        found.append((title, f"{of_rows:.2f}", f"{ours:.2f}", f"{ours / of_rows:.0%}"))
    head = ("window, count, sum and max, 100 partitions", "window of rows, M tuples/s", "with policies, M tuples/s", "share")
    print(table(head, found), "\n")
    operators = [(str(window), f"{rate(vwap_of(window), given, turns):.2f}") for window in
                 (tumbling(count(100)), sliding(count(100), count(10)), sliding(count(100), count(100)))]  # fmt: skip
    print(table(("Vwap, 100 partitions", "M tuples/s"), operators))


if __name__ == "__main__":
    main()
