"""Running a streaming query once: how long it takes, what it gives, and what state it leaves."""

from __future__ import annotations

import shutil
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from benchmarks.state import alive


@dataclass(frozen=True)
class Run:
    """One run, from the start of the query until it has ended by itself."""

    seconds: float
    rows: int
    output: int
    triggers: list[int]
    state: dict[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return self.rows / self.seconds


def run(frame: DataFrame, rows: int, folder: Path, *, look_at_state: bool = False) -> Run:
    """All there is, in micro-batches, with a checkpoint of its own, to nowhere."""
    checkpoint = folder / "checkpoints" / uuid.uuid4().hex
    writer = frame.writeStream.format("noop").option("checkpointLocation", str(checkpoint)).trigger(availableNow=True)
    try:
        start = time.perf_counter()
        query = writer.start()
        query.awaitTermination()
        seconds = time.perf_counter() - start
        progress = query.recentProgress
        seen = sum(each.numInputRows for each in progress)
        if seen != rows:
            raise RuntimeError(f"the query has read {seen:,} rows instead of {rows:,}")
        state = _state(progress[-1]) if progress else {}
        if look_at_state and state:
            state |= alive(frame.sparkSession, checkpoint)
    finally:
        shutil.rmtree(checkpoint, ignore_errors=True)
    output = sum(max(each.sink.numOutputRows, 0) for each in progress)
    return Run(seconds, rows, output, [each.durationMs["triggerExecution"] for each in progress], state)


def _state(progress: Any) -> dict[str, int]:
    """What Spark says of the state after the last micro-batch."""
    operators = progress.stateOperators
    if not operators:
        return {}
    return {
        "rows": sum(each.numRowsTotal for each in operators),
        "memory_bytes": sum(each.memoryUsedBytes for each in operators),
        "file_bytes": sum(each.customMetrics.get("rocksdbSstFileSize", 0) for each in operators),
        "commit_ms": sum(each.commitTimeMs for each in operators),
    }
