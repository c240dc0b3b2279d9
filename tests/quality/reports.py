"""Progress reports as Spark gives them."""

from __future__ import annotations

import json
from typing import Any

SECOND = 1_000_000
START = 1_767_621_600 * SECOND
"""2026-01-05 14:00:00, in microseconds."""


def report(batch: int, late: int, **control: Any) -> dict[str, Any]:
    """After batch n, 1000 * (n + 1) tuples were seen."""
    seen = 1000 * (batch + 1)
    newest = START + seen * SECOND
    told = {
        "time": True,
        "target": 0.01,
        "seen": seen,
        "late": late,
        "waiting": 40 + batch,
        "newest": newest,
        "frontier": newest - 2_500_000,
        "delay": 2_500_000,
        "delay_50": 2 * SECOND,
        "delay_95": 4 * SECOND,
        **control,
    }
    counts = {"used": seen - 5, "dropped": 2, "outside": 3, "late": late, "ahead": 0, "above_max": 0, "held": 7}
    reached = {"frontier": "2026-01-05 14:03:00", "control": told}
    shards = [
        {**counts, **reached, "late_up_to": {"1000000.0": late}},
        {**dict.fromkeys(counts, 0), **reached, "late_up_to": {"5000000.0": 1, "1000000.0": 1}},
    ]
    return {
        "runId": "r",
        "batchId": batch,
        "timestamp": f"2026-01-05T15:{batch // 60:02}:{batch % 60:02}.500Z",
        "numInputRows": 1000,
        "sources": [{"numInputRows": 1000, "endOffset": {"files": batch}}],
        "observedMetrics": {"transom": told_by(*shards), "transom_out": {"rows": 2}},
    }


def told_by(*shards: dict[str, Any]) -> dict[str, Any]:
    """The metric, of what each shard tells."""
    return {"shards": [json.dumps(shard) for shard in shards]}


def without_control(batch: int) -> dict[str, Any]:
    """Of SLACK, whose delay is what the query says."""
    found = report(batch, 3)
    newest = START + 90 * SECOND
    told = {"time": True, "newest": newest, "frontier": newest - 30 * SECOND, "delay": 30 * SECOND}
    counts = {"used": 995, "dropped": 2, "outside": 3, "late": 3, "held": 7, "frontier": "2026-01-05 14:03:00"}
    found["observedMetrics"]["transom"] = told_by({**counts, "control": told})
    return found
