"""The rows on the edges of a plan's graph are those that really pass: of every kind of query, on Spark.

What passes is counted without the graph: tuples by the definition of the condition before an operator, results of operators in
between by a query of their own over the same rows, and the rows that leave by what arrives in the sink, batch by batch.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import transom as tr
from tests.spark.drained import run, stream_of, write
from tests.spark.test_relations import frame_of, tuples
from transom.fluent.relation import Relation
from transom.monitor.board.about import about
from transom.monitor.board.query_history import History
from transom.spark.frames.query_frame import to_df
from transom.windowing import Operator, Port, count, sliding

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

A = "SELECT k, max(x) AS m, event_ts FROM a [TUMBLE 4] GROUP BY k"
B = "SELECT k, min(y) AS n, event_ts FROM b [TUMBLE 4] GROUP BY k"
ROWS = tuples(3)
SOON = ("single window", "join of windows", "join in step", "applied operator")
"""Kinds that are tried whenever tests with Spark are run; the others are slow all together."""
TWICE = ("single window", "join of windows")
"""Kinds that are stopped after a micro-batch, and resumed."""
ALL_A, ALL_B = len(ROWS["a"]), len(ROWS["b"])
LARGE = sum(row["x"] > 1 for row in ROWS["a"])


def on_time(rows: list[dict[str, Any]], slack: int = 1) -> int:
    """Tuples at or above the frontier before them: a union in step takes its inputs in order, and late ones leave before it."""
    highs = accumulate((row["t"] for row in rows), max)
    return 1 + sum(row["t"] >= high - slack for row, high in zip(rows[1:], highs, strict=False))


class Largest(Operator):
    """The largest of each window."""

    takes = Port(kinds="any", partitioned=True, punctuation="window_bound")
    gives = "k STRING, largest BIGINT"

    def on_trigger(self, window: Any, partition: Any) -> None:
        self.emit(partition, max(t.x for t in window))


Streams = dict[str, Relation]
Asks = Callable[[Streams], Relation]


def asks(query: str) -> Asks:
    return lambda streams: tr.sql(query, **{name: one for name, one in streams.items() if f" {name} " in f"{query} "})


def applied(streams: Streams) -> Relation:
    read = tr.sql("SELECT k, x FROM a WHERE x > 1", a=tr.stream(streams["a"].plan.stream.frame, name="a"))  # type: ignore[attr-defined]
    return read.apply(Largest(), window=sliding(count(4), count(2)).partitioned_by("k"))


def together(streams: Streams) -> Relation:
    return tr.together(*(asks(f"SELECT k, count(*) AS n FROM a [TUMBLE {size}] GROUP BY k")(streams) for size in (4, 8)))


@dataclass(frozen=True)
class Kind:
    """A query; and by the beginning of a box's label what comes to it from each of its inputs: a number, a query that counts it,
    or None where it is not known."""

    asks: Asks
    edges: dict[str, list[int | Asks | None]] = field(default_factory=dict)


KINDS = {
    "no window": Kind(asks("SELECT k, x FROM a WHERE x > 1"), {"Filter x > 1": [ALL_A], "Project": [None]}),
    "single window": Kind(
        asks("SELECT k, max(x) AS m FROM a [RANGE 6 SLIDE 2] WHERE x > 1 GROUP BY k HAVING max(x) > 2"),
        {
            "Filter x > 1": [ALL_A],
            "Cut [RANGE 6": [LARGE],
            "Filter MAX": [asks("SELECT k, max(x) AS m FROM a [RANGE 6 SLIDE 2] WHERE x > 1 GROUP BY k")],
        },
    ),
    "frames": Kind(asks("SELECT k, sum(x) OVER (RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) AS s FROM a"), {"Frames": [ALL_A]}),
    "chained windows": Kind(
        asks("SELECT max(m) AS h FROM (SELECT k, max(x) AS m FROM a [TUMBLE 2] GROUP BY k) [TUMBLE 10]"),
        {"Cut [RANGE 2 ": [ALL_A], "Cut [RANGE 10": [asks("SELECT k, max(x) AS m FROM a [TUMBLE 2] GROUP BY k")]},
    ),
    "join of windows": Kind(
        asks("SELECT a.k, x, y FROM a [RANGE 6] JOIN b [TUMBLE 5] ON a.k = b.k AND x < y"), {"inner join": [ALL_A, ALL_B]}
    ),
    "groups of a join": Kind(
        asks("SELECT a.k, count(*) AS n FROM a [RANGE 8 SLIDE 4] JOIN b [RANGE 6] ON a.k = b.k WHERE x > 1 GROUP BY a.k"),
        {"inner join": [ALL_A, ALL_B]},
    ),
    "interval join": Kind(
        asks("SELECT a.k, x, y FROM a LEFT JOIN b ON a.k = b.k AND b.t BETWEEN a.t - 2 AND a.t + 5"),
        {"left join": [ALL_A, ALL_B]},
    ),
    "set operation": Kind(
        asks("SELECT k FROM a [RANGE 6] EXCEPT ALL SELECT k FROM b [TUMBLE 5]"), {"except all": [ALL_A, ALL_B]}
    ),
    "as-of join": Kind(
        asks("SELECT a.k, x, y FROM a ASOF LEFT JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k"),
        {"as-of join": [ALL_A, ALL_B]},
    ),
    "what disappears": Kind(
        asks("SELECT DSTREAM k, sum(x) AS s FROM a [RANGE 8 SLIDE 4] GROUP BY k"),
        {"Cut [RANGE 8": [ALL_A], "disappeared": [asks("SELECT k, sum(x) AS s FROM a [RANGE 8 SLIDE 4] GROUP BY k")]},
    ),
    "applied operator": Kind(applied, {"Applied Largest": [LARGE]}),
    "together": Kind(together, {"Cut [RANGE 4": [ALL_A]}),
    "late tuples": Kind(
        lambda streams: asks("SELECT k, max(x) AS m FROM a [TUMBLE 2] GROUP BY k")(streams).late(), {"Cut [RANGE 2": [ALL_A]}
    ),
    "late tuples of a join": Kind(
        lambda streams: asks("SELECT a.k, x, y FROM a [TUMBLE 2] JOIN b [TUMBLE 2] ON a.k = b.k")(streams).late(),
        {"inner join": [ALL_A, ALL_B]},
    ),
    "join in step": Kind(
        asks(f"SELECT p.k, m, n FROM ({A}) AS p JOIN ({B}) AS q ON p.event_ts = q.event_ts AND p.k = q.k"),
        {"Cut [RANGE 4 SLIDE 4 WATTR t]: PaneAggregate k, MAX": [ALL_A], "Join": [asks(A), asks(B)]},
    ),
    "union of windows": Kind(asks(f"SELECT k FROM ({A} UNION ALL {B}) AS u"), {"union all": [asks(A), asks(B)]}),
    "union in step": Kind(
        asks("SELECT k, x FROM a UNION ALL SELECT k, y FROM b"), {"Union": [on_time(ROWS["a"]), on_time(ROWS["b"])]}
    ),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in SOON else [pytest.mark.long]) for name in KINDS])
def test_edges_show_the_rows_that_pass(name: str, spark: SparkSession, tmp_path: Path) -> None:
    kind = KINDS[name]
    history: History | None = None
    frames, arrived = [], {}
    parts = (slice(0, 12), slice(12, None)) if name in TWICE else (slice(None),)
    for number, part in enumerate(parts, start=2 - len(parts)):
        for each, rows in ROWS.items():
            write(frame_of(spark, each, rows[part]), tmp_path / each)
        plan = kind.asks(streams_of({each: stream_of(spark, tmp_path / each) for each in ROWS})).plan
        history = history or History("q", about("q", plan))
        batches, query = run(to_df(plan, spark, end=number), tmp_path / "checkpoint")
        arrived |= dict(enumerate(batches, start=len(arrived)))
        reports = (json.loads(one if isinstance(one, str) else one.json) for one in query.recentProgress)
        frames += [json.loads(history.frame() or "") for one in reports if history.take(one)]
    assert history is not None
    graph = history.about["graph"]
    if frames[-1]["edges"][0][0]:
        shown = {frame["batch"]: frame["edges"][0][0]["rows"] for frame in frames}
        assert shown == {n: len(rows) for n, rows in arrived.items()}
        assert frames[-1]["edges"][0][0]["so_far"] == sum(map(len, arrived.values())) > 0
    else:  # nobody counts what HAVING leaves, but for transom run
        assert any(box["label"].startswith("Filter") for box in graph)
    whole = streams_of({each: frame_of(spark, each, rows) for each, rows in ROWS.items()})
    for label, expected in kind.edges.items():
        (n,) = [n for n, box in enumerate(graph) if box["label"].startswith(label)]
        wanted = [one(whole).to_df().count() if callable(one) else one for one in expected]
        assert [edge.get("so_far") for edge in frames[-1]["edges"][n]] == wanted, label


def streams_of(frames: dict[str, Any]) -> Streams:
    return {name: tr.stream(frame, order_by="t", slack=1, name=name) for name, frame in frames.items()}
