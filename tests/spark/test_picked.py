"""Which select lists only name columns of the operator, so that results leave under their final names."""

from __future__ import annotations

import pytest

import transom as tr
from transom.planner import plan as planned
from transom.planner.stage import Stage
from transom.spark.frames.above import picked

STREAM = "CREATE STREAM s (k BIGINT, `true` DOUBLE, v DOUBLE, ts TIMESTAMP) ORDER BY ts;"
COLUMNS = ("k", "true", "window_end", "__y0")


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ("k, sum(v) AS total, window_end", (("k", "k"), ("total", "__y0"), ("window_end", "window_end"))),
        ("`true` AS key, max(v) AS m", (("key", "true"), ("m", "__y0"))),
        ("true AS yes, max(v) AS m", None),
        ("k, max(v) + 1 AS m", None),
        ("k AS `a.b`, max(v) AS m", None),
    ],
)
def test_columns_and_nothing_else(items: str, found: tuple[tuple[str, str], ...] | None) -> None:
    assert picked(_stage(f"SELECT {items} FROM s [TUMBLE 5 MINUTES] GROUP BY k, `true`;"), COLUMNS) == found


def test_not_with_a_condition_or_an_order() -> None:
    query = "SELECT k, max(v) AS m FROM s [TUMBLE 5 MINUTES] GROUP BY k"
    assert picked(_stage(query), COLUMNS) is not None
    assert picked(_stage(f"{query} HAVING max(v) > 1"), COLUMNS) is None
    assert picked(_stage(f"{query} ORDER BY m"), COLUMNS) is None


def _stage(query: str) -> Stage:
    (stage,) = planned(tr.sql(f"{STREAM} {query}").plan).stages
    assert isinstance(stage, Stage)
    return stage
