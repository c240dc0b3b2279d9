"""What a plan says of itself, derived and never typed in."""

from __future__ import annotations

import pytest

from transom.errors import UnboundedState
from transom.language import bind_script
from transom.plan.nodes.node import Node

STREAMS = """
CREATE STREAM s (g STRING, x DOUBLE, n INT, day DATE, ts TIMESTAMP) ORDER BY ts;
CREATE TABLE t (k STRING, v DOUBLE);
"""


def plan(query: str) -> Node:
    return bind_script(STREAMS + query).queries[-1]


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("SELECT x, n, ts FROM s", "x DOUBLE, n INT, ts TIMESTAMP"),
        ("SELECT count(*) AS c, avg(n) AS m, sum(x) AS t FROM s [NOW]", "c BIGINT, m DOUBLE, t DOUBLE"),
        (
            "SELECT window_start AS a, window_end AS b, wid AS w, event_ts AS e FROM s [TUMBLE 5 MINUTES]",
            "a TIMESTAMP, b TIMESTAMP, w BIGINT, e TIMESTAMP",
        ),
        ("SELECT window_end AS b, wid AS w, event_ts AS e FROM s [RANGE 5 ROWS]", "b BIGINT, w BIGINT, e TIMESTAMP"),
        ("SELECT wid AS w, event_ts AS e FROM s [RANGE 5 SLIDE 1 WATTR x]", "w BIGINT, e DOUBLE"),
        ("SELECT wid AS w FROM s [RANGE 5 MINUTES]", "w TIMESTAMP"),
        ("SELECT window_end AS b FROM s [TUMBLE 7 DAYS WATTR day]", "b TIMESTAMP"),
        ("SELECT x > 1 AND n = 2 AS p, cast(n AS STRING) AS q FROM s", "p BOOLEAN, q STRING"),
        ("SELECT g, v FROM s JOIN t ON g = k", "g STRING, v DOUBLE"),
    ],
)
def test_columns_and_types(query: str, columns: str) -> None:
    assert ", ".join(f"{column.name} {column.type}" for column in plan(query).schema.columns) == columns


@pytest.mark.parametrize(
    ("query", "time", "windowed", "blocking", "boundaries", "keys"),
    [
        ("SELECT x FROM s WHERE x > 1", "ts", False, False, False, ()),
        ("SELECT x FROM s [TUMBLE 5 MINUTES]", "event_ts", True, False, True, ()),
        ("SELECT g, count(*) AS c FROM s [TUMBLE 5 MINUTES] GROUP BY g", "event_ts", True, True, True, ("g",)),
        ("SELECT count(*) AS c FROM s [RANGE 5 ROWS PATTR g, n]", "event_ts", True, True, True, ("g", "n")),
        ("SELECT sum(x) OVER (PARTITION BY g ROWS 5 PRECEDING) AS t FROM s", "ts", False, True, False, ("g",)),
        ("SELECT DISTINCT g FROM s [TUMBLE 5 MINUTES]", "event_ts", True, True, True, ()),
    ],
)
def test_properties(query: str, time: str, windowed: bool, blocking: bool, boundaries: bool, keys: tuple[str, ...]) -> None:
    node = plan(query)
    assert (node.time_attribute, node.is_windowed, node.is_blocking) == (time, windowed, blocking)
    assert (node.makes_boundaries, node.keys, node.carries_progress) == (boundaries, keys, True)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM s [LANDMARK SLIDE 1 HOUR]",
        "SELECT count(DISTINCT g) AS c FROM s [LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 HOUR]",
        "SELECT collect_list(x) OVER (PARTITION BY g ROWS UNBOUNDED PRECEDING) AS all_of_them FROM s",
    ],
)
def test_state_without_bound_is_refused_with_what_would_grow(query: str) -> None:
    with pytest.raises(UnboundedState) as caught:
        plan(query)
    assert "keep" in caught.value.problem
    assert caught.value.remedy


@pytest.mark.parametrize(
    "query",
    [
        "SELECT sum(x) AS t FROM s [LANDMARK SLIDE 1 HOUR]",
        "SELECT * FROM s [LANDMARK EVERY 1 DAY SLIDE 1 HOUR]",
        "SELECT * FROM s [BAND TIMESTAMP '2026-01-01' TO TIMESTAMP '2026-01-02' SLIDE 1 HOUR]",
        "SELECT max(x) OVER (PARTITION BY g ROWS UNBOUNDED PRECEDING) AS m FROM s",
    ],
)
def test_state_with_a_bound_is_not(query: str) -> None:
    assert plan(query)
