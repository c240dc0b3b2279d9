"""Partitioned windows among relations: groups and ranks are those of each partition, wherever a stream is cut."""

from __future__ import annotations

import random

import pytest

from tests.engines.relation_kernels import KernelRelations
from tests.reference.relations.test_laws import plan_of, timeline
from transom.errors import BadFrame, NotSupported
from transom.explain import explain
from transom.reference.relations.relation_answer import answer
from transom.testing import assert_same_rows

GROUPS = [
    "SELECT ISTREAM k, x, count(*) AS n FROM a [RANGE 3 ROWS PATTR k] GROUP BY x",
    "SELECT ISTREAM k, count(*) AS n FROM a [RANGE 3 ROWS PATTR k]",
    "SELECT DSTREAM count(*) AS n, max(x) AS m FROM a [RANGE 3 ROWS SLIDE 2 ROWS PATTR k] WHERE x > 0",
    "SELECT ISTREAM count(*) AS n FROM a [RANGE 6 PATTR k]",
    "SELECT ISTREAM k, count(*) AS n FROM a [RANGE 6 RATTR t SLIDE 2 ROWS PATTR k]",
    "SELECT ISTREAM x, count(*) AS n FROM (SELECT k AS g, x FROM a [RANGE 6 PATTR k]) AS q GROUP BY x",
    "SELECT p.k, n, y FROM (SELECT k, x, count(*) AS n FROM a [RANGE 3 ROWS PATTR k] GROUP BY x) AS p"
    " JOIN b [RANGE 6] AS q ON p.k = q.k",
    "SELECT count(*) AS n FROM a [RANGE 6 PATTR k] UNION ALL SELECT y FROM b [RANGE 3]",
    "SELECT m, count(*) AS n FROM (SELECT k, count(*) AS m FROM a [RANGE 6 PATTR k]) AS q GROUP BY m",
    "SELECT x, count(*) AS n FROM (SELECT DISTINCT k, x FROM a [RANGE 2 ROWS SLIDE 1 ROW PATTR k]) AS q GROUP BY x",
    "SELECT x, count(*) AS n FROM (SELECT DISTINCT k, x FROM a [LANDMARK EVERY 20 SLIDE 5 PATTR k]) AS q GROUP BY x",
]
RANKS = [
    "SELECT k, x, rank() OVER (PARTITION BY k, window_end ORDER BY x) AS r FROM a [RANGE 6 PATTR k]",
    "SELECT k, x, dense_rank() OVER (PARTITION BY k, window_end ORDER BY x) AS r FROM a [RANGE 6 RATTR t SLIDE 1 ROW PATTR k]",
    "SELECT k, x, row_number() OVER (PARTITION BY k, window_end ORDER BY x) AS r FROM a [RANGE 2 ROWS SLIDE 1 ROW PATTR k]",
    "SELECT k, x, rank() OVER (PARTITION BY window_end, k ORDER BY x DESC) AS r, event_ts"
    " FROM a [RANGE 3 ROWS SLIDE 2 ROWS PATTR k]",
    "SELECT k, x, rank() OVER (PARTITION BY k, event_ts ORDER BY x) AS r FROM a [RANGE 2 ROWS WATTR rank(t) PATTR k] WHERE x > 0",
    "SELECT k, x, rank() OVER (PARTITION BY k, event_ts ORDER BY x) AS r,"
    " row_number() OVER (PARTITION BY k, x, event_ts ORDER BY t) AS d FROM a [RANGE 4 ROWS SLIDE 2 ROWS PATTR k] WHERE x > 0",
    "SELECT g, x, r FROM (SELECT g, x, rank() OVER (PARTITION BY g, event_ts ORDER BY x DESC, t) AS r"
    " FROM (SELECT k AS g, x, t, event_ts FROM a [RANGE 3 ROWS SLIDE 1 ROW PATTR k]) AS q) AS z WHERE r < 3",
    "SELECT ISTREAM k, x, row_number() OVER (PARTITION BY k, event_ts ORDER BY x) AS r FROM a [RANGE 2 ROWS SLIDE 1 ROW PATTR k]",
    "SELECT DSTREAM k, n, rank() OVER (PARTITION BY k, event_ts ORDER BY n) AS r"
    " FROM (SELECT k, x, count(*) AS n, event_ts FROM a [RANGE 3 ROWS PATTR k] GROUP BY x) AS q",
    "SELECT count(*) AS n FROM (SELECT k, x, rank() OVER (PARTITION BY k, window_end ORDER BY x) AS r"
    " FROM a [RANGE 3 ROWS PATTR k]) AS q WHERE r = 1",
    "SELECT ISTREAM x FROM a [RANGE 2 ROWS SLIDE 1 ROW PATTR k] ORDER BY x LIMIT 2",
    "SELECT k, x, r, rank() OVER (PARTITION BY k, event_ts ORDER BY r DESC) AS s FROM (SELECT k, x, event_ts,"
    " row_number() OVER (PARTITION BY k, event_ts ORDER BY x) AS r FROM a [RANGE 3 ROWS SLIDE 2 ROWS PATTR k]) AS q WHERE r > 1",
]


@pytest.mark.parametrize("query", GROUPS + RANKS)
def test_the_engine_answers_what_the_definition_says(query: str) -> None:
    plan, known = plan_of(query + ";"), 0
    for seed in range(4):
        items = timeline(seed)
        wanted = [one.row for one in answer(plan, items).results]
        known += len(wanted)
        running, cut = KernelRelations(3).start(plan, {}), random.Random(seed).randint(3, 20)
        assert_same_rows([*running.feed(items[:cut]), *running.feed(items[cut:])], wanted)
    assert known


def test_ranks_within_a_partition_are_spread_by_it() -> None:
    shown = explain(plan_of(RANKS[2] + ";"))
    assert "shards: by k" in shown


BY_WINDOW = "row_number() OVER (PARTITION BY window_end ORDER BY x) AS r"


@pytest.mark.parametrize("kind", ["", "ISTREAM "])
def test_rows_that_are_counted_in_partitions_are_not_ranked_across_them(kind: str) -> None:
    with pytest.raises(BadFrame, match="rows are counted in each partition") as refused:
        plan_of(f"SELECT {kind}x, {BY_WINDOW} FROM a [RANGE 2 ROWS SLIDE 1 ROW PATTR k];")
    assert "PARTITION BY k, window_end" in str(refused.value)
    assert "^^^" in str(refused.value)


@pytest.mark.parametrize(
    ("query", "remedy"),
    [
        (f"SELECT x, {BY_WINDOW} FROM a [RANGE 6 PATTR k]", "or rank within each: PARTITION BY k, window_end"),
        ("SELECT x FROM a [RANGE 2 ROWS SLIDE 1 ROW PATTR k] ORDER BY x LIMIT 2", "ask for ISTREAM or RSTREAM"),
        ("SELECT count(*) AS n FROM a [RANGE 6 PATTR k] ORDER BY n LIMIT 2", "GROUP BY k instead of PATTR k"),
        (
            "SELECT k, rank() OVER (PARTITION BY k, wid ORDER BY x) AS r FROM a [RANGE 3 ROWS PATTR k] ORDER BY k LIMIT 2",
            "ask for ISTREAM or RSTREAM",
        ),
        (
            "SELECT k, n, rank() OVER (PARTITION BY k, event_ts ORDER BY n) AS r"
            " FROM (SELECT k, x, count(*) AS n, event_ts FROM a [RANGE 3 ROWS PATTR k] GROUP BY x) AS q",
            "ask for ISTREAM or RSTREAM",
        ),
    ],
)
def test_partitions_that_are_reported_one_by_one_are_not_compared(query: str, remedy: str) -> None:
    with pytest.raises(NotSupported, match="each partition is reported at instants of its own") as refused:
        explain(plan_of(query + ";"))
    assert remedy in str(refused.value)
