"""Listings 1 to 6 of seed 004, translated, with results worked out by hand; and the checks of their graphs."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

import pytest

from transom import seconds
from transom.errors import BadOperator, NotPunctuated, WindowNotTaken
from transom.testing import FakeClock
from transom.windowing import (
    PUNCTUATION,
    Graph,
    Inlet,
    Node,
    OperatorRun,
    Port,
    Stream,
    count,
    delta,
    node_of,
    partition_age,
    preserving,
    punct,
    sliding,
    time,
    tumbling,
)
from transom.windowing.toolkit import Aggregate, Join, Min, Sum

NEAR = {"left": sliding(time("10 seconds"), count(1)), "right": sliding(count(0), count(1))}


def distance(sensor: Any, query: Any) -> float:
    return math.dist(sensor["loc"], query["loc"])


def sensor_query() -> Join:
    return Join(
        "sid BIGINT, qid BIGINT, distance DOUBLE",
        match=lambda sensor, query: distance(sensor, query) <= query["radius"],
        pair=lambda sensor, query: (sensor["sid"], query["qid"], distance(sensor, query)),
    )


def run_listing_1() -> list[Any]:
    """Sensors 1, 2, 3 at 0, 6 and 12 seconds, and three queries."""
    clock = FakeClock()
    run = OperatorRun(sensor_query(), NEAR, clock=clock)
    run.insert({"sid": 1, "loc": (0.0, 0.0)}, "left")
    clock.advance(seconds(6))
    run.insert({"sid": 2, "loc": (3.0, 4.0)}, "left")
    run.insert({"qid": 7, "loc": (0.0, 0.0), "radius": 5.0}, "right")  # both
    clock.advance(seconds(6))
    run.insert({"sid": 3, "loc": (0.0, 1.0)}, "left")
    run.insert({"qid": 8, "loc": (0.0, 0.0), "radius": 5.0}, "right")  # the first is older than 10 seconds
    run.insert({"qid": 9, "loc": (9.0, 9.0), "radius": 1.0}, "right")  # none
    return run.take("matched")


def test_listing_1_a_one_sided_join() -> None:
    given = [item for item in run_listing_1() if item is not PUNCTUATION]
    assert given == [(1, 7, 0.0), (2, 7, 5.0), (2, 8, 5.0), (3, 8, 1.0)]


def test_listing_5_the_smallest_distance_of_each_query() -> None:
    nearest = OperatorRun(Aggregate("qid BIGINT, min_distance DOUBLE", min_distance=Min("distance")), tumbling(punct()))
    nearest.feed(run_listing_1())
    assert nearest.rows() == [(7, 0.0), (8, 1.0)]


def totals(columns: str = "tid STRING, total BIGINT") -> Aggregate:
    return Aggregate(columns, total=Sum("value"))


def test_listing_2_tumbling() -> None:
    run = OperatorRun(totals(), tumbling(count(100)))
    run.extend({"tid": "even" if n % 2 == 0 else "odd", "value": n} for n in range(250))
    # 0 + 2 + ... + 98 = 2450, 1 + 3 + ... + 99 = 2500; the second hundred has 50 x 100 more in each group; 50 wait
    assert run.rows() == [("even", 2450), ("odd", 2500), ("even", 7450), ("odd", 7500)]


def test_listing_3_sliding() -> None:
    run = OperatorRun(totals(), sliding(count(100), count(10)))
    run.extend({"tid": "t", "value": n} for n in range(120))
    # after 10 k tuples: the sum of the last 100 of 0 .. 10 k - 1
    assert [row.total for row in run.rows()] == [45, 190, 435, 780, 1225, 1770, 2415, 3160, 4005, 4950, 5950, 6950]


def test_listing_3_without_partial_windows() -> None:
    run = OperatorRun(totals(), sliding(count(100), count(10), partial=False))
    run.extend({"tid": "t", "value": n} for n in range(120))
    assert [row.total for row in run.rows()] == [4950, 5950, 6950]


def test_listing_4_partitioned() -> None:
    run = OperatorRun(totals("state STRING, tid STRING, total BIGINT"), sliding(count(100), count(10)).partitioned_by("state"))
    run.extend({"state": "NY" if n % 3 else "CA", "tid": "t", "value": n} for n in range(30))
    # the 10 of CA: 0 + 3 + ... + 27 = 135; of NY after 10: 1 2 4 5 7 8 10 11 13 14 = 75, after 20 all: 435 - 135 = 300
    assert run.rows() == [("NY", "t", 75), ("CA", "t", 135), ("NY", "t", 300)]


def test_listing_6_partition_age() -> None:
    clock, start = FakeClock(), datetime(2026, 1, 1)
    window = sliding(delta("ts", "100 seconds"), delta("ts", "10 seconds")).partitioned_by("src", "dst")
    run = OperatorRun(
        Aggregate("src STRING, dst STRING, total BIGINT", total=Sum("traffic")),
        window.limited_to(partition_age("1 hour")),
        clock=clock,
    )

    def packet(after: int, src: str, traffic: int) -> None:
        run.insert({"ts": start + timedelta(seconds=after), "src": src, "dst": "z", "traffic": traffic})

    packet(0, "a", 1)
    packet(5, "a", 2)
    packet(11, "a", 4)  # more than 10 seconds past the first: 1 + 2
    packet(120, "a", 8)  # 1 + 2 + 4 are processed, then evicted
    assert run.rows() == [("a", "z", 3), ("a", "z", 7)]
    packet(120, "b", 1)
    clock.advance(seconds(3600))
    packet(140, "b", 1)  # exactly an hour: a is still there
    assert len(run.container().partitions) == 2
    clock.advance(seconds(1))
    packet(141, "b", 1)
    assert run.container().partitions == [("b", "z")]
    packet(200, "a", 5)  # a new partition: its first tuple sets the mark
    assert run.rows() == [("b", "z", 1)]


# Graphs


def listing_5_graph(between: Node | None = None, window: Any = None) -> Graph:
    results = Stream("results", "matched")
    fed = Stream(between.name) if between else results
    nearest = node_of("min_distances", totals(), window or tumbling(punct()), fed)
    sources = [Node("sensors"), Node("queries")]
    join = node_of("results", sensor_query(), NEAR, {"left": Stream("sensors"), "right": Stream("queries")})
    return Graph([*sources, join, *([between] if between else []), nearest])


def test_punctuation_comes_from_the_join() -> None:
    graph = listing_5_graph()
    graph.check()
    assert graph.explain() == [
        "sensors.out: free",
        "queries.out: free",
        "results.left: oblivious; not punctuated: results.left <- sensors.out (free)",
        "results.right: oblivious; not punctuated: results.right <- queries.out (free)",
        "results.matched: generating",
        "min_distances.in: expecting; punctuated: min_distances.in <- results.matched (generating)",
        "min_distances.out: generating",
    ]


def test_a_filter_preserves_it_and_a_map_without_does_not() -> None:
    inlet = {"in": Inlet(Port(punctuation="oblivious"), (Stream("results", "matched"),))}
    listing_5_graph(Node("where", inlet, {"out": preserving("in")})).check()
    with pytest.raises(NotPunctuated, match=r"min_distances\.in <- map\.out \(free\)"):
        listing_5_graph(Node("map", inlet)).check()


def test_a_union_of_punctuated_streams_is_not_punctuated() -> None:
    twice = {"in": Inlet(Port(punctuation="oblivious"), (Stream("results", "matched"), Stream("results", "matched")))}
    graph = listing_5_graph(Node("both", twice, {"out": preserving("in")}))
    with pytest.raises(NotPunctuated, match=r"both\.in <- 2 streams together"):
        graph.check()


def test_other_windows_need_no_punctuation() -> None:
    between = Node("map", {"in": Inlet(Port(punctuation="oblivious"), (Stream("results", "matched"),))})
    listing_5_graph(between, tumbling(count(3))).check()


def test_a_port_that_expects_and_a_window_that_is_not_taken() -> None:
    expecting = Node("last", {"in": Inlet(Port(punctuation="expecting"), (Stream("source"),), tumbling(count(3)))})
    with pytest.raises(NotPunctuated, match="input 'in' of last"):
        Graph([Node("source"), expecting]).check()
    refusing = Node("last", {"in": Inlet(Port(kinds="sliding"), (Stream("source"),), tumbling(count(3)))})
    with pytest.raises(WindowNotTaken, match=r"last\.in <- source\.out \(free\).*a tumbling window"):
        Graph([Node("source"), refusing]).check()


def test_a_graph_that_is_none() -> None:
    with pytest.raises(BadOperator, match="same name"):
        Graph([Node("a"), Node("a")])
    with pytest.raises(BadOperator, match="fed by nothing"):
        Graph([Node("a", {"in": Inlet(Port(), (Stream("b"),))})])
