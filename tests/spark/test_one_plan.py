"""What EXPLAIN prints is the plan that Spark executes: the same object, with the rules applied."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import transom as tr
from transom.explain import explain
from transom.explain.explain_lines import report
from transom.planner import PhysicalPlan
from transom.spark.frames import query_frame
from transom.spark.running import execution

pytestmark = pytest.mark.spark

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
ROWS = [("uv"[n % 2], n % 10, START + timedelta(seconds=n)) for n in range(120)]
QUERIES = {
    "selection_past_window": "SELECT median(x) AS m, window_end FROM s [TUMBLE 1 MINUTE] WHERE x > 5",
    "panes_by_gcd": "SELECT g, sum(x) AS t, window_end FROM s [RANGE 1 MINUTE SLIDE 20 SECONDS] GROUP BY g",
    "partition_to_group": "SELECT g, count(*) AS n, window_end FROM s [TUMBLE 1 MINUTE PATTR g]",
}
"""A query for each rule that is to fire."""


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[PhysicalPlan]:
    """The physical plans that are executed."""
    found: list[PhysicalPlan] = []
    execute = query_frame.execute

    def noting(physical: PhysicalPlan, *given: Any, **options: Any) -> Any:
        found.append(physical)
        return execute(physical, *given, **options)

    monkeypatch.setattr(query_frame, "execute", noting)
    monkeypatch.setattr(execution, "execute", noting)
    return found


@pytest.mark.parametrize("rule", QUERIES)
def test_explain_prints_what_runs(spark: Any, seen: list[PhysicalPlan], rule: str) -> None:
    rows = spark.createDataFrame(ROWS, "g STRING, x BIGINT, ts TIMESTAMP")
    query = tr.sql(QUERIES[rule], s=tr.stream(rows, order_by="ts", name="s"))
    assert query.to_df().count()
    (physical,) = seen
    assert rule in [one.rule for one in physical.fired]
    assert explain(query.plan) == report(physical)
