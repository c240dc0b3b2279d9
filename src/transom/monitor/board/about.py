"""What a query is, for a page: its text, its explanation, its plan as a graph, and where its windows lie. All of it is JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from transom.errors import TransomError
from transom.explain import explain
from transom.monitor.board.geometry import Geometry
from transom.monitor.board.plan_graph import graph_of
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.windowed import Cut
from transom.plan.sql.stream_sql import render_disorder
from transom.plan.sql.window_sql import render_window
from transom.planner import PhysicalPlan
from transom.planner import plan as planned
from transom.planner.physical import chains_below, operators_of
from transom.planner.relations.inputs import StreamInput
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.classes.measured import base_of


def about(title: str, plan: Node, sql: Sequence[str] = (), started: datetime | None = None) -> dict[str, Any]:
    """What a query is.

    >>> from transom import minutes, stream
    >>> traffic = stream({"speed": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", slack=minutes(1), name="traffic")
    >>> found = about("speeds", traffic.window(range=minutes(5), slide=minutes(1)).agg(hi="max(speed)").plan)
    >>> found["window"], found["tolerance"], [node["label"] for node in found["graph"]][-1]
    ('RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts', 'SLACK 1 MINUTE', 'Scan traffic order by ts (external)')
    """
    physical = planned(plan)
    cut, several = _first_window(physical), len(physical.stages) > 1 or any(map(chains_below, physical.stages))
    below = physical.written if cut is None else cut
    scan = next((node for node in below.walk() if isinstance(node, Scan)), None)
    clauses = [] if cut is None else [render_disorder(cut.disorder)]
    clauses += [] if scan is None else [render_disorder(scan.stream.disorder)]
    geometry = None if cut is None else Geometry.of(base_of(cut.window))
    return {
        "title": title,
        "sql": list(sql),
        "explain": _explained(plan),
        "graph": graph_of(physical),
        "window": _windows(physical) if cut is None else render_window(cut.window).strip(),
        "reads": scan.stream.name if several and cut is not None and scan is not None else None,
        "tolerance": next((text.strip() for text in clauses if text.strip()), None),
        "geometry": None if geometry is None else geometry.to_json(),
        "keys": list(physical.optimized.keys),
        "columns": [[column.name, str(column.type)] for column in physical.written.schema.columns],
        "started": (started or datetime.now(UTC)).isoformat(),
    }


def _first_window(physical: PhysicalPlan) -> Cut | None:
    """The window of the operator that reads the stream: of several, that of the first, whose progress the page shows."""
    first = next(operators_of(physical.stages), None)
    return first.cut if isinstance(first, WindowStage) else None


def _windows(physical: PhysicalPlan) -> str | None:
    """The windows of a join or a set operation."""
    first = next(operators_of(physical.stages), None)
    if not isinstance(first, RelationalStage):
        return None
    windows = [render_window(one.stage.cut.window).strip() for one in first.inputs if isinstance(one, StreamInput)]
    return " and ".join(windows) or None


def _explained(plan: Node) -> str:
    try:
        return explain(plan)
    except TransomError as error:
        return str(error)
