"""The record store: what a tuple costs to insert while more and more are kept, and to let go; on arrays, without Spark."""

from __future__ import annotations

import statistics
import time

import numpy as np
import pyarrow as pa

import transom as tr
from benchmarks.bench import Bench
from benchmarks.part import Curve, Part
from transom import seconds
from transom.kernels.bucket import Bucket
from transom.kernels.spec import Spec
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.planner import plan as planned
from transom.planner.spec_of import spec_of

SIZES = (10_000, 100_000, 1_000_000)
BATCH, SLIDE, SECOND = 1_000, 10, 1_000_000
TYPES = {"__value": pa.timestamp("us", "UTC"), "x0": pa.float64()}


def measure(bench: Bench) -> Part:
    part = Part("record store", "Record store: cost of a tuple against the tuples kept")
    lines: dict[str, list[tuple[float, float]]] = {"insertion": [], "expiry": []}
    for size in bench.conditions.some(SIZES):
        for name, cost in zip(lines, costs(size), strict=True):
            lines[name].append((size, cost))
            part.notes.append(f"{name} with {size:,} tuples kept: {cost:.2f} microseconds a tuple")
    part.curves.append(Curve("record_store", part.title, "tuples kept", "microseconds a tuple", lines))
    part.notes.append(f"A median, a tuple a millisecond, {BATCH:,} in a micro-batch; state is packed and unpacked in each.")
    part.notes.append("Insertion: the last 50 micro-batches before any window closes. Expiry: whole p-nodes.")
    return part


def costs(size: int) -> tuple[float, float]:
    """Microseconds to insert a tuple when nearly all are there, and to drop one."""
    spec, blocks = _spec(size // 1_000), Memory()
    bucket = Bucket(spec)
    inserted = []
    for start in range(0, size, BATCH):
        began = time.perf_counter()
        _fed(spec, bucket, blocks, start)
        inserted.append(time.perf_counter() - began)
    operator = ShardOperator(spec, [])
    operator.load(blocks)
    began = time.perf_counter()
    operator.kind._drop(list(operator.kind.store), blocks)  # type: ignore[union-attr]
    expired = time.perf_counter() - began
    return statistics.median(inserted[-50:]) * 1e6 / BATCH, expired * 1e6 / size


def _spec(length: int) -> Spec:
    """A window as long as all tuples, which waits long enough that none closes while they come."""
    stream = tr.stream({"ts": "TIMESTAMP", "v": "DOUBLE"}, order_by="ts")
    query = stream.window(range=seconds(max(length, SLIDE)), slide=seconds(SLIDE)).tolerate(slack=seconds(10 * length + SLIDE))
    (stage,) = planned(query.agg(m="median(v)").plan).stages
    return spec_of(stage, TYPES)  # type: ignore[arg-type]


def _fed(spec: Spec, bucket: Bucket, blocks: Memory, start: int) -> None:
    at = np.arange(start, start + BATCH, dtype=np.int64)
    table = pa.table({"__value": pa.array(at * 1_000, TYPES["__value"]), "x0": pa.array(at * 1.0)})
    operator = ShardOperator(spec, [])
    operator.load(blocks)
    operator.step([piece for _, piece in bucket.slices(table, (start,))], blocks)
    operator.save(blocks)
