"""Slide by tuple: seed 000's start and end bins, which keep no tuples, against the sorted buffer; on arrays, without Spark."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa

import transom as tr
from benchmarks.bench import Bench
from benchmarks.part import Curve, Part
from transom import rows, seconds
from transom.kernels.aggregates import Call, algebra_of
from transom.kernels.bucket import Bucket
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.planner import plan as planned
from transom.planner.spec_of import spec_of

RANGES = (10, 100, 1_000, 10_000)
TUPLES, BATCH = 20_000, 1_000
SECOND = 1_000_000
TYPES = {"__value": pa.timestamp("us", "UTC"), "x0": pa.float64()}


def measure(bench: Bench) -> Part:
    part = Part("bins", "Slide by tuple: start and end bins against the sorted buffer")
    tuples = BATCH * 2 if bench.conditions.quick else TUPLES
    lines: dict[str, list[tuple[float, float]]] = {}
    for length in bench.conditions.some(RANGES):
        for name, work in (("sorted buffer", by_buffer), ("start and end bins", by_bins)):
            rate = _rate(work, length, tuples, bench.conditions.repeats)
            lines.setdefault(name, []).append((length, rate))
            part.notes.append(f"{name}, {length:,} tuples in a range: {rate:,.0f} tuples/s")
    part.curves.append(Curve("bins", part.title, "tuples in a range", "tuples/s", lines))
    part.notes.append(f"Sum over one key, a tuple a second, {BATCH:,} tuples in a micro-batch; bins take tuples one by one.")
    return part


def _rate(work: Callable[[int, int], int], length: int, tuples: int, repeats: int) -> float:
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        given = work(length, tuples)
        times.append(time.perf_counter() - start)
        if given != tuples - 1:  # the last tuple may still get company
            raise RuntimeError(f"{work.__name__} gives {given} windows instead of {tuples - 1}")
    return round(tuples / statistics.median(times[1:]))


def by_buffer(length: int, tuples: int) -> int:
    """The operator that runs on Spark, with its state packed and unpacked for every micro-batch."""
    stream = tr.stream({"ts": "TIMESTAMP", "v": "DOUBLE"}, order_by="ts")
    (stage,) = planned(stream.window(range=seconds(length), slide=rows(1)).agg(s=tr.sum("v"), end="window_end").plan).stages
    spec = spec_of(stage, TYPES)
    bucket, blocks, given = Bucket(spec), Memory(), 0
    for start in range(0, tuples, BATCH):
        at = np.arange(start, min(start + BATCH, tuples), dtype=np.int64)
        table = pa.table({"__value": pa.array(at * SECOND, TYPES["__value"]), "x0": pa.array(at * 1.0)})
        operator = ShardOperator(spec, [])
        operator.load(blocks)
        out = operator.step([piece for _, piece in bucket.slices(table, (start,))], blocks)
        operator.save(blocks)
        given += 0 if out.rows is None else out.rows.num_rows
    return given


def by_bins(length: int, tuples: int) -> int:
    from benchmarks.start_and_end_bins import Bins

    algebra = algebra_of(Call("sum"), [pa.float64()])
    if algebra is None:
        raise RuntimeError("a sum has an algebra")
    bins, given = Bins(algebra, length * SECOND), 0
    for start in range(0, tuples, BATCH):
        at = np.arange(start, min(start + BATCH, tuples), dtype=np.int64)
        lifted = algebra.lift([pa.array(at * 1.0)])
        for n, place in enumerate(at * SECOND):
            bins.take(place, tuple(each[n : n + 1] for each in lifted))
        windows, partials = bins.close(at[-1] * SECOND)
        algebra.lower(partials)
        given += len(windows)
    return given
