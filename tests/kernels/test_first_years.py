"""Times at the edge of what a timestamp of Spark's holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest

import transom as tr
from transom.kernels.bucket import Bucket
from transom.kernels.slices import Slice
from transom.kernels.state.store import Memory
from transom.planner.spec_of import spec_of
from transom.planner.stage import Stage
from transom.planner.stages import stages_of
from transom.spark.workers.operate import Plan, operated


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (datetime(1, 1, 1, 0, 0, 2, tzinfo=UTC), "0000-12-31 23:59:57.000000"),
        (datetime(2026, 1, 1, tzinfo=UTC), "2025-12-31 23:59:55+00:00"),
    ],
)
def test_slack_before_the_year_1(at: datetime, told: str) -> None:
    stream = tr.stream({"ts": "TIMESTAMP"}, order_by="ts")
    query = stream.window(tumble=tr.seconds(1)).tolerate(slack=tr.seconds(5)).agg("window_end", n="count(*)")
    (stage,) = stages_of(query.plan)
    assert isinstance(stage, Stage)
    kind = pa.timestamp("us", "UTC")
    spec = spec_of(stage, {"__value": kind})
    output = pa.schema([("__kind", pa.int8()), ("window_end", kind), ("__y0", pa.int64()), ("__about", pa.string())])
    plan, state = Plan(spec, (0,), (), output), Memory()

    def step(*times: datetime) -> list[dict[str, Any]]:
        table = pa.table({"__value": pa.array(times, kind)})
        slices: list[Slice] = [one for _, one in Bucket(spec).slices(table, ("", 0, 0))]
        return operated(plan, slices, state).to_pylist()

    first = step(at)
    assert json.loads(first[0]["__about"])["frontier"] == told
    later = step(at + timedelta(seconds=10))
    assert [(row["window_end"], row["__y0"]) for row in later if row["__kind"] == 0] == [(at + timedelta(seconds=1), 1)]
