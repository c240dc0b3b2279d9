"""The parts of the benchmark, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.bench import Bench
from benchmarks.part import Part
from benchmarks.parts import (
    agreement,
    bins,
    control,
    floor_of_python,
    growth,
    joins,
    last_rows,
    latency,
    per_key,
    record_store,
    shards,
    slides,
    sliding,
    together,
    watched,
    written,
)

PARTS: dict[str, Callable[[Bench], Part]] = {
    "agreement": agreement.measure,
    "1": sliding.measure,
    "2": last_rows.measure,
    "3": together.measure,
    "4": floor_of_python.measure,
    "growth": growth.measure,
    "latency": latency.measure,
    "control": control.measure,
    "shards": shards.measure,
    "bins": bins.measure,
    "record_store": record_store.measure,
    "written": written.measure,
    "slides": slides.measure,
    "per key": per_key.measure,
    "joins": joins.measure,
    "watched": watched.measure,
}
