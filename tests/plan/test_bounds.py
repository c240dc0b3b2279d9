"""Bounds, instants and frontiers have a type that holds them; plan and operators agree on it before anything runs."""

from __future__ import annotations

import pyarrow as pa
import pytest

from transom.language import bind_script
from transom.plan.nodes.node import Node
from transom.plan.types.bounds import bounds_type, common_bounds
from transom.planner import plan as planned
from transom.planner.spec_of import spec_of
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.length import digits_of

ARROW = {
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "DECIMAL(3, 1)": pa.decimal128(3, 1),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
}
WINDOW = "SELECT window_start AS a, window_end AS b, wid AS w, event_ts AS e, count(*) AS n FROM s"
MAX = """
CREATE WINDOW AGGREGATE hi(v BIGINT) RETURNS BIGINT {
  TABLE inwindow(v BIGINT);
  INITIALIZE: { INSERT INTO RETURN VALUES (v); }
  ITERATE: { INSERT INTO RETURN SELECT max(v) FROM inwindow; }
  EXPIRE: { INSERT INTO RETURN SELECT max(v) FROM inwindow; }
};
"""


def plan(kind: str, query: str, clauses: str = "") -> Node:
    return bind_script(f"{MAX} CREATE STREAM s (x {kind}, v BIGINT) ORDER BY x {clauses}; {query};").queries[-1]


def types(node: Node) -> list[str]:
    return [column.type for column in node.schema.columns]


def arrow_of(kind: str) -> pa.DataType:
    if kind.startswith("DECIMAL"):
        precision, scale = kind.removeprefix("DECIMAL(").rstrip(")").split(",")
        return pa.decimal128(int(precision), int(scale))
    return ARROW[kind]


CASES = [
    ("TINYINT", "RANGE 100 SLIDE 20", "BIGINT", "BIGINT", "BIGINT"),
    ("INT", "TUMBLE 10 OFFSET 3", "BIGINT", "BIGINT", "BIGINT"),
    ("BIGINT", "RANGE 2 SLIDE 0.5", "DECIMAL(38, 1)", "BIGINT", "DECIMAL(38, 1)"),
    ("SMALLINT", "TUMBLE 2 ORIGIN 0.25", "DECIMAL(38, 2)", "BIGINT", "DECIMAL(38, 2)"),
    ("INT", "TUMBLE 2 LAG 0.125", "DECIMAL(38, 3)", "BIGINT", "DECIMAL(38, 3)"),
    ("INT", "BAND 0 TO 150.5 SLIDE 50", "DECIMAL(38, 1)", "BIGINT", "DECIMAL(38, 1)"),
    ("INT", "RANGE 1.5", "DECIMAL(38, 1)", "DECIMAL(38, 1)", "DECIMAL(38, 1)"),
    ("INT", "SESSION GAP 5", "BIGINT", "BIGINT", "BIGINT"),
    ("INT", "NOW", "BIGINT", "BIGINT", "BIGINT"),
    ("INT", "TUMBLE 10 SLACK 0.5", "BIGINT", "BIGINT", "BIGINT"),
    ("INT", "TUMBLE 0.0000000000000000001", "INT", "BIGINT", "INT"),
    ("INT", "RANGE 2 ROWS SLIDE 1 ROW", "BIGINT", "BIGINT", "INT"),
    ("DECIMAL(3, 1)", "TUMBLE 50", "DECIMAL(38, 1)", "BIGINT", "DECIMAL(38, 1)"),
    ("DECIMAL(3, 1)", "TUMBLE 0.25", "DECIMAL(38, 2)", "BIGINT", "DECIMAL(38, 2)"),
    ("DOUBLE", "TUMBLE 0.25", "DOUBLE", "BIGINT", "DOUBLE"),
    ("FLOAT", "TUMBLE 0.25", "FLOAT", "BIGINT", "FLOAT"),
]


@pytest.mark.parametrize(("kind", "window", "bounds", "wid", "instant"), CASES)
def test_bounds_are_wider_than_the_attribute(kind: str, window: str, bounds: str, wid: str, instant: str) -> None:
    assert types(plan(kind, f"{WINDOW} [{window}]")) == [bounds, bounds, wid, instant, "BIGINT"]


@pytest.mark.parametrize("stamp", ["MIN", "MAX"])
@pytest.mark.parametrize(("kind", "window"), [("TINYINT", "TUMBLE 0.5"), ("DECIMAL(3, 1)", "TUMBLE 50")])
def test_the_timestamp_of_a_tuple_keeps_its_type(kind: str, window: str, stamp: str) -> None:
    assert types(plan(kind, f"{WINDOW} [{window}] TIMESTAMP {stamp}"))[3] == kind


@pytest.mark.parametrize("stamp", ["", "TIMESTAMP MIN"])
@pytest.mark.parametrize(("kind", "window"), [case[:2] for case in CASES])
def test_operators_have_the_types_of_the_plan(kind: str, window: str, stamp: str) -> None:
    node = plan(kind, f"{WINDOW} [{window}] {stamp}")
    (stage,) = planned(node).stages
    assert isinstance(stage, WindowStage)
    arrow = ARROW[kind]
    spec = spec_of(stage, {name: arrow for name in stage.columns() if name in ("__value", "__order")})
    own = stage.window_types(spec.axis_type, spec.bounds_type, arrow if stage.needs_order else None)
    assert list(own.values()) == [arrow_of(kind) for kind in types(node)[:4]]
    assert spec.frontier_type == arrow_of(node.frontier_type)


@pytest.mark.parametrize(
    ("kind", "clauses", "query", "frontier"),
    [
        ("TINYINT", "SLACK 100", "SELECT count(*) AS n FROM s [TUMBLE 10]", "BIGINT"),
        ("TINYINT", "SLACK 0.5", "SELECT count(*) AS n FROM s [TUMBLE 10]", "DECIMAL(38, 1)"),
        ("TINYINT", "SLACK 0.5", "SELECT count(*) AS n FROM s [TUMBLE 10 SLACK 2]", "BIGINT"),
        ("TINYINT", "SLACK 0.5", "SELECT count(*) AS n FROM s [TUMBLE 10 WATTR v]", "BIGINT"),
        ("BIGINT", "", "SELECT count(*) AS n FROM s [RANGE 5 SLIDE 1 SLACK 10%]", "DECIMAL(38, 1)"),
        ("DECIMAL(3, 1)", "", "SELECT count(*) AS n FROM s [TUMBLE 0.25]", "DECIMAL(38, 2)"),
        ("INT", "SLACK 0.25", "SELECT sum(v) OVER (RANGE 1.5 PRECEDING) AS t FROM s", "DECIMAL(38, 2)"),
        ("INT", "SLACK 0.25", "SELECT v FROM s", "DECIMAL(38, 2)"),
        ("DATE", "", "SELECT v FROM s", "TIMESTAMP"),
    ],
)
def test_the_frontier_of_late_tuples(kind: str, clauses: str, query: str, frontier: str) -> None:
    late = plan(kind, f"CREATE STREAM q AS {query}; CREATE STREAM late AS LATE OF q; SELECT frontier FROM late", clauses)
    assert types(late) == [frontier]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("SELECT event_ts FROM q JOIN p ON q.event_ts = p.event_ts", "DECIMAL(38, 2)"),
        ("SELECT event_ts FROM (SELECT n FROM q UNION ALL SELECT n FROM p) AS u", "DECIMAL(38, 2)"),
        ("SELECT event_ts FROM (SELECT v FROM s UNION ALL SELECT v FROM s) AS u", "BIGINT"),
        ("SELECT event_ts FROM (SELECT v FROM o UNION ALL SELECT v FROM o) AS u", "TINYINT"),
        ("SELECT event_ts FROM (SELECT v FROM o UNION ALL SELECT n FROM q) AS u", "DECIMAL(38, 1)"),
        ("SELECT b FROM (SELECT b FROM q UNION ALL SELECT b FROM p) AS u", "DECIMAL(38, 2)"),
        ("SELECT b FROM (SELECT b FROM q UNION ALL SELECT v FROM s) AS u", "DECIMAL(38, 1)"),
        ("SELECT window_end FROM q [TUMBLE 2]", "DECIMAL(38, 1)"),
        ("SELECT window_end FROM q [TUMBLE 0.25 WATTR b]", "DECIMAL(38, 2)"),
        (
            "SELECT event_ts FROM (SELECT hi(v) OVER (RANGE 1.5 PRECEDING ACTIVE EXPIRATION) AS h, event_ts FROM s) AS a",
            "DECIMAL(38, 1)",
        ),
    ],
)
def test_instants_of_different_types_meet_in_one_that_holds_both(query: str, kind: str) -> None:
    streams = """
        CREATE STREAM q AS SELECT window_end AS b, count(*) AS n FROM s [TUMBLE 0.5];
        CREATE STREAM p AS SELECT window_end AS b, count(*) AS n FROM s [TUMBLE 0.25];
        CREATE STREAM o AS SELECT v, x, sum(v) OVER (RANGE 1.5 PRECEDING) AS t FROM s;
    """
    assert types(plan("TINYINT", streams + query)) == [kind]


def test_what_is_no_exact_number_stays_as_it_is() -> None:
    assert bounds_type("DATE") == "TIMESTAMP"
    assert bounds_type("TIMESTAMP_NTZ") == "TIMESTAMP_NTZ"
    assert common_bounds("TIMESTAMP", "BIGINT") is None
    assert common_bounds("DOUBLE", "BIGINT") is None
    assert digits_of([2**-19]) is None
    assert digits_of([float("inf")]) is None
    assert digits_of([2**-18]) == 18
