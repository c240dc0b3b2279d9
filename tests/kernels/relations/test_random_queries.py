"""Queries over relations, random disordered tuples, random cuts and shards: the operators answer what the reference does."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.engines.relation_kernels import KernelRelations
from transom.language import bind_script
from transom.reference.history import Arrival, End
from transom.testing.compare import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

CASES = int(os.environ.get("TRANSOM_RELATION_CASES", "3"))

STREAMS = """
CREATE STREAM a (k STRING, x BIGINT, t BIGINT) ORDER BY t SLACK 3;
CREATE STREAM b (k STRING, y BIGINT, t BIGINT) ORDER BY t SLACK 2;
"""

WINDOWS = [
    "[RANGE 6]",
    "[RANGE 8 SLIDE 4]",
    "[TUMBLE 5]",
    "[NOW]",
    "[RANGE 2 ROWS]",
    "[RANGE 1 ROW PATTR k]",
    "[RANGE 3 SLIDE 5]",
    "[RANGE 6 SLIDE 2 LAG 3]",
    "[RANGE 5 LAG 2]",
    "[RANGE 6 RATTR t SLIDE 1 ROW]",
    "[RANGE 3 ROWS SLIDE 2 ROWS]",
    "[RANGE 2 ROWS PATTR k]",
    "[RANGE 2 ROWS WATTR rank(t)]",
    "[RANGE CASE WHEN window_end % 4 = 0 THEN 6 ELSE 2 END MAX 6 SLIDE 2]",
    "[RANGE 6 RATTR t SLIDE 2 ROWS]",
    "[RANGE 5 RATTR t SLIDE 2 ROWS PATTR k]",
    "[RANGE 6 RATTR t SLIDE 2 ROWS SATTR rank(t)]",
    "[SESSION GAP 3]",
    "[SESSION GAP 2 PATTR k]",
    "[LANDMARK FROM 2 SLIDE 4 UNBOUNDED STATE]",
    "[LANDMARK EVERY 8 SLIDE 2]",
    "[LANDMARK UNTIL 11 SLIDE 4]",
    "[BAND 3 TO 10 SLIDE 2]",
]

AS_OF = [
    "SELECT p.k, p.x, q.y, r.y AS z FROM {p_as_of} ASOF JOIN b AS r MATCH_CONDITION (p.t > r.t) ON p.x = r.y",
    "SELECT p.k, p.x, q.y, r.x AS z FROM {p_as_of} ASOF LEFT JOIN a AS r MATCH_CONDITION (p.t > r.t) ON q.y = r.x WITHIN 4",
    "SELECT p.x, q.y, r.y AS z FROM {p_as_of} JOIN b {w} AS r ON r.k = p.k TIMESTAMP MAX",
    "SELECT p.x, q.y, r.y AS z FROM {p_as_of} LEFT JOIN b {w} AS r ON r.k = p.k AND q.y < r.y",
    "SELECT p.x, q.y FROM {p_as_of} JOIN b {w} AS r ON r.k = p.k WHERE q.y > 0 AND p.x < 4",
    "SELECT ISTREAM p.k, count(*) AS n, sum(q.y) AS s FROM {p_as_of} JOIN b {w} AS r ON r.k = p.k GROUP BY p.k",
    "SELECT r.x, p.x AS z, q.y FROM a {w} AS r JOIN a AS p ON p.k = r.k"
    " ASOF JOIN b AS q MATCH_CONDITION (p.t >= q.t) ON p.k = q.k TIMESTAMP NOW",
    "SELECT p.x, q.y, r.y AS z, event_ts FROM a AS p JOIN b AS r ON p.k = r.k AND r.t BETWEEN p.t - 2 AND p.t + 4"
    " ASOF LEFT JOIN b AS q MATCH_CONDITION (p.t >= q.t) ON p.x = q.y",
]

DECIDED_LATER = [
    "SELECT p.x, q.y, r.x AS z, event_ts FROM a {w} AS p LEFT JOIN b {v} AS q ON p.k = q.k JOIN a {w} AS r ON r.k = p.k",
    "SELECT p.x, q.y, r.x AS z FROM a {w} AS p LEFT JOIN b {v} AS q ON p.k = q.k LEFT JOIN a {v} AS r ON r.k = p.k AND r.x > p.x",
    "SELECT p.x, q.y, r.x AS z, event_ts FROM a {w} AS p FULL JOIN b {v} AS q ON p.k = q.k AND p.x < q.y"
    " FULL JOIN a {v} AS r ON r.k = p.k TIMESTAMP MAX",
    "SELECT p.x, q.y, r.y AS z FROM a {w} AS p FULL JOIN b {v} AS q ON p.k = q.k FULL JOIN b {w} AS r ON r.y = p.x TIMESTAMP NOW",
    "SELECT p.x, q.y, r.x AS z, event_ts FROM a {w} AS p RIGHT JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = q.k",
    "SELECT p.x, r.x AS z, event_ts FROM a {w} AS p LEFT ANTI JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = p.k"
    " TIMESTAMP MAX",
    "SELECT p.x, r.x AS z FROM a {w} AS p LEFT ANTI JOIN b {v} AS q ON p.k = q.k RIGHT JOIN a {v} AS r ON r.k = p.k",
    "SELECT p.x, r.x AS z, event_ts FROM a {w} AS p LEFT SEMI JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = p.k",
    "SELECT p.x, r.x AS z, event_ts FROM a {w} AS p LEFT SEMI JOIN b {v} AS q ON p.k = q.k FULL JOIN a {v} AS r ON r.k = p.k"
    " TIMESTAMP MAX",
    "SELECT p.x FROM a {w} AS p LEFT SEMI JOIN b {v} AS q ON p.k = q.k LEFT ANTI JOIN a {v} AS r ON r.x > p.x",
    "SELECT p.x, q.y FROM a {w} AS p LEFT JOIN b {v} AS q ON p.k = q.k LEFT SEMI JOIN a {v} AS r ON r.x = p.x TIMESTAMP NOW",
    "SELECT p.x, q.y, r.x AS z, s.y AS u FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k LEFT JOIN a {v} AS r ON r.x = q.y"
    " JOIN b {w} AS s ON s.k = p.k",
    "SELECT p.x, q.y, r.x AS z, s.y AS u FROM a {w} AS p LEFT JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = p.k"
    " FULL JOIN b {w} AS s ON s.y = r.x WHERE p.x > 1 OR s.y IS NULL",
    "SELECT p.x, q.y, m FROM a {w} AS p LEFT JOIN (SELECT k, max(y) AS m FROM b [TUMBLE 5] GROUP BY k) AS r ON p.k = r.k"
    " LEFT JOIN b {v} AS q ON p.k = q.k",
    "SELECT p.x, q.y, r.x AS z FROM a AS p LEFT JOIN b AS q ON p.k = q.k AND q.t BETWEEN p.t AND p.t + 4"
    " JOIN a AS r ON r.k = p.k AND r.t BETWEEN p.t - 2 AND p.t + 2",
]

QUERIES = [
    *DECIDED_LATER,
    "SELECT a.k, x, y FROM a {w} JOIN b {v} ON a.k = b.k",
    "SELECT x, y FROM a {w} JOIN b {v} ON a.k = b.k AND x < y",
    "SELECT a.k, x, y FROM a {w} LEFT JOIN b {v} ON a.k = b.k TIMESTAMP NOW",
    "SELECT a.k, x, y FROM a {w} FULL JOIN b {v} ON a.k = b.k TIMESTAMP NOW",
    "SELECT a.k, x FROM a {w} LEFT SEMI JOIN b {v} ON a.k = b.k",
    "SELECT a.k, x FROM a {w} LEFT ANTI JOIN b {v} ON a.k = b.k",
    "SELECT ISTREAM a.k, x, y FROM a {w} JOIN b {v} ON a.k = b.k",
    "SELECT DSTREAM a.k, x, y FROM a {w} LEFT JOIN b {v} ON a.k = b.k",
    "SELECT a.k, count(*) AS n, max(y) AS m, window_end FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT ISTREAM a.k, sum(y) AS m FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k HAVING sum(y) > 4",
    "SELECT k FROM a {w} UNION SELECT k FROM b {v}",
    "SELECT k FROM a {w} EXCEPT ALL SELECT k FROM b {v}",
    "SELECT ISTREAM k FROM (SELECT k FROM a {w} INTERSECT SELECT k FROM b {v}) q",
    "SELECT ISTREAM k, x FROM a [RANGE 6]",
    "SELECT DSTREAM k, x FROM a [RANGE 6 SLIDE 2]",
    "SELECT ISTREAM x FROM a [RANGE 2 ROWS PATTR k] WHERE x > 1",
    "SELECT DSTREAM k, count(*) AS n FROM a [RANGE 8 SLIDE 4] GROUP BY k",
    "SELECT a.k, x, y FROM a JOIN b ON a.k = b.k AND b.t BETWEEN a.t - 2 AND a.t + 5",
    "SELECT a.k, x, y FROM a LEFT JOIN b ON a.k = b.k AND b.t > a.t AND b.t <= a.t + 5",
    "SELECT a.k, x, y FROM a ASOF LEFT JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k",
    "SELECT k, x, t FROM a {w} ORDER BY x DESC, t LIMIT 2",
    "SELECT k, count(*) AS n FROM a [RANGE 8 SLIDE 4] GROUP BY k ORDER BY n DESC LIMIT 1",
    "SELECT a.k, count(*) AS n, window_end FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k ORDER BY n LIMIT 1",
    "SELECT ISTREAM k, x FROM (SELECT k, x, t FROM a {w} ORDER BY x, t DESC LIMIT 2) q",
    "SELECT k, x, window_end, row_number() OVER (PARTITION BY window_end, k ORDER BY x, t) AS n,"
    " rank() OVER (PARTITION BY window_end ORDER BY x DESC NULLS LAST) AS r FROM a {w}",
    "SELECT DSTREAM k, x, n FROM (SELECT k, x, dense_rank() OVER (PARTITION BY window_end, k ORDER BY x) AS n FROM a {w}) q"
    " WHERE n <= 2",
    "SELECT k, x, y, n FROM (SELECT a.k, x, y, row_number() OVER (PARTITION BY window_end, a.k ORDER BY y DESC, x) AS n"
    " FROM a {w} JOIN b {v} ON a.k = b.k) q WHERE n = 1",
    "SELECT p.x, q.y, p.window_end, q.window_start FROM a [TUMBLE 5] AS p JOIN b [RANGE 3 SLIDE 5] AS q"
    " ON p.k = q.k AND p.window_end = q.window_end",
    "SELECT p.x, q.y, p.window_end FROM a [NOW] AS p JOIN b {v} AS q ON p.k = q.k",
    "SELECT ISTREAM p.window_end AS until, count(*) AS n FROM a [TUMBLE 5] AS p JOIN b {v} AS q ON p.k = q.k"
    " GROUP BY p.window_end",
    "SELECT a.k, x, m FROM a {w} JOIN (SELECT k, max(y) AS m FROM b [TUMBLE 5] GROUP BY k) q ON a.k = q.k",
    "SELECT k, count(*) AS n FROM b [RANGE 8 SLIDE 4] GROUP BY k EXCEPT SELECT k, x FROM a {w}",
    "SELECT p.k, n, y FROM (SELECT k, count(*) AS n FROM a [SESSION GAP 3 PATTR k] GROUP BY k) p JOIN b {w} ON p.k = b.k",
    "SELECT k FROM a {w} WHERE x > 1 UNION ALL SELECT k FROM b {v} WHERE y < 3",
    "SELECT a.k, count(*) AS n FROM (SELECT k FROM a {w} WHERE x > 1) a JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT RSTREAM k, x FROM a {w} WHERE x > 1",
    "SELECT RSTREAM k, x FROM a [LANDMARK FROM 2 SLIDE 4 UNBOUNDED STATE] WHERE x > 2",
    "SELECT count(*) AS c FROM (SELECT DISTINCT k FROM a [RANGE 8 SLIDE 4]) q",
    "SELECT DSTREAM c FROM (SELECT count(*) AS c FROM (SELECT k, count(*) AS n FROM b [RANGE 8 SLIDE 4] GROUP BY k) q) r",
    "SELECT ISTREAM k FROM (SELECT DISTINCT KEEP FIRST k FROM a {w}) q",
    "SELECT DSTREAM k, count(*) AS n FROM a [LANDMARK EVERY 8 SLIDE 2] GROUP BY k",
    "SELECT ISTREAM k, x FROM a [LANDMARK UNTIL 11 SLIDE 4]",
    "SELECT DSTREAM k, x FROM a [BAND 3 TO 10 SLIDE 2]",
    "SELECT a.k, x, y FROM a [LANDMARK EVERY 8 SLIDE 2] JOIN b {w} ON a.k = b.k",
    "SELECT RSTREAM p.x, q.y, r.x AS z FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = q.k",
    "SELECT p.x, q.y, r.x AS z FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = q.k AND r.x <= q.y"
    " TIMESTAMP MAX",
    "SELECT p.x, q.y, r.x AS z FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k LEFT JOIN a {v} AS r ON r.k = p.k TIMESTAMP NOW",
    "SELECT p.x, r.x AS z FROM a {w} AS p JOIN a {v} AS r ON r.k = p.k LEFT SEMI JOIN b {v} AS q ON p.k = q.k",
    "SELECT DSTREAM p.x, r.x AS z FROM a {w} AS p LEFT ANTI JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = p.k",
    "SELECT ISTREAM p.x, q.y, r.x AS z FROM a {w} AS p FULL JOIN b {v} AS q ON p.k = q.k JOIN a {v} AS r ON r.k = p.k",
    "SELECT x, y FROM a {w} JOIN b {v} ON x < y TIMESTAMP MAX",
    "SELECT ISTREAM DISTINCT a.k FROM a {w} JOIN b {v} ON a.k = b.k",
    "SELECT DSTREAM k FROM (SELECT k FROM a {w} UNION ALL SELECT k FROM b {v}) q",
    "SELECT ISTREAM k FROM (SELECT k FROM a {w} EXCEPT SELECT k FROM b {v}) q",
    "SELECT RSTREAM k FROM (SELECT k FROM a {w} INTERSECT ALL SELECT k FROM b {v}) q",
    "SELECT k FROM a {w} UNION SELECT k FROM b {v} EXCEPT SELECT k FROM a [NOW]",
    "SELECT RSTREAM a.k, x FROM a {w} LEFT SEMI JOIN b {v} ON a.k = b.k",
    "SELECT ISTREAM a.k, x FROM a {w} LEFT ANTI JOIN b {v} ON a.k = b.k",
    "SELECT DSTREAM a.k, x, y FROM a {w} FULL JOIN b {v} ON a.k = b.k",
    "SELECT ISTREAM a.k, avg(y) AS m, min(x) AS l, count(DISTINCT y) AS d, sum(CAST(y AS DOUBLE)) AS s"
    " FROM a {w} LEFT JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT k, n FROM (SELECT k, count(*) AS n FROM a {w} GROUP BY k) q WHERE n > 1 UNION ALL SELECT k, y FROM b {v}",
    "SELECT a.k, x, y FROM a FULL JOIN b ON a.k = b.k AND b.t BETWEEN a.t - 1 AND a.t + 3 TIMESTAMP NOW",
    "SELECT p.x, q.y, r.x AS z FROM a AS p JOIN b AS q ON p.k = q.k AND q.t BETWEEN p.t AND p.t + 4"
    " JOIN a AS r ON r.k = q.k AND r.t BETWEEN q.t - 2 AND q.t + 2",
    "SELECT a.k, x, y FROM a ASOF JOIN b MATCH_CONDITION (a.t > b.t) ON a.k = b.k WITHIN 4",
    "SELECT a.k, x, y FROM a {w} LEFT JOIN b {v} ON a.k = b.k AND x < y TIMESTAMP NOW",
    "SELECT x, y FROM a {w} FULL JOIN b {v} ON x + 1 >= y AND (a.k = b.k OR x > 3 OR y = 0) TIMESTAMP NOW",
    "SELECT x FROM a {w} LEFT SEMI JOIN b {v} ON NOT (x BETWEEN y - 1 AND y) AND a.k <=> b.k",
    "SELECT ISTREAM x FROM a {w} LEFT ANTI JOIN b {v} ON a.k = b.k AND x <> y",
    "SELECT DSTREAM x, y FROM a {w} RIGHT JOIN b {v} ON a.k = b.k AND x <= y AND y > 1",
    "SELECT a.k, x, y FROM a LEFT JOIN b ON a.k = b.k AND b.t BETWEEN a.t AND a.t + 5 AND x > y",
    *(query.replace("{p_as_of}", "a AS p ASOF LEFT JOIN b AS q MATCH_CONDITION (p.t >= q.t) ON p.k = q.k") for query in AS_OF),
]


def windows_of(query: str) -> list[str]:
    """The windows that a query takes."""
    counted = ("ORDER BY x DESC, t LIMIT", "window_end, row_number", "q.k AND p.window_end", "p.window_end FROM")
    windows = [one for one in WINDOWS if "ROW" not in one] if any(text in query for text in counted) else WINDOWS
    return [one for one in windows if "CASE" not in one] if " AS r" in query else windows


def arrivals(rng: random.Random) -> list[tuple[str, Any]]:
    made = []
    clock = 0
    for _ in range(rng.randint(8, 22)):
        clock += rng.randint(0, 3)
        name = rng.choice("ab")
        row = {
            "k": rng.choice(["p", "q", None]),
            "x" if name == "a" else "y": rng.randint(0, 4),
            "t": clock - rng.choice([0, 0, 1, 2, 5]),
        }
        made.append((name, Arrival(row)))
    return made


MADE = """
CREATE STREAM left_ones AS SELECT DSTREAM k, x FROM a [RANGE 6];
CREATE STREAM pairs AS SELECT p.k, x, y FROM a [RANGE 6] AS p JOIN b [RANGE 4 SLIDE 2] AS q ON p.k = q.k TIMESTAMP MAX;
CREATE STREAM counted AS SELECT p.k, count(*) AS n FROM a [RANGE 6] AS p JOIN b [RANGE 4] AS q ON p.k = q.k GROUP BY p.k;
"""

OVER_MADE = [
    "SELECT c.k, c.x, b.y FROM left_ones [NOW] AS c JOIN b {v} ON c.k = b.k",
    "SELECT k, count(*) AS n, window_end FROM left_ones [RANGE 6] GROUP BY k ORDER BY n, k LIMIT 1",
    "SELECT ISTREAM k, sum(y) AS s FROM pairs [RANGE 5] GROUP BY k",
    "SELECT c.k, c.n, a.x FROM counted [RANGE 3] AS c LEFT JOIN a {w} ON c.k = a.k TIMESTAMP NOW",
    "SELECT k FROM counted {w} UNION SELECT k FROM b {v}",
]


@pytest.mark.parametrize("query", OVER_MADE)
@pytest.mark.parametrize("seed", range(CASES))
def test_windows_over_streams_that_operators_make(query: str, seed: int) -> None:
    """What operators below pass on is finer than the smallest frontier of all: results may leave earlier than by definition."""
    rng = random.Random(f"{query} {seed}")
    windows = [
        one for one in WINDOWS if "ROW" not in one and "BAND" not in one and "UNTIL" not in one
    ]  # rows of one instant have no order
    asked = query.format(w=rng.choice(windows), v=rng.choice(windows))
    plan = bind_script(STREAMS + MADE + asked + ";").queries[-1]
    items = arrivals(rng)
    cut = rng.randint(0, len(items))
    operators = KernelRelations(shards=rng.randint(1, 3), seed=seed).start(plan, {})
    end = [("a", End()), ("b", End())]
    found = operators.feed(items[:cut]) + operators.feed(items[cut:]) + operators.feed(end)
    assert_same_rows(found, ReferenceRelations().start(plan, {}).feed([*items, *end]))


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("seed", range(CASES))
def test_the_operators_answer_as_the_reference_does(query: str, seed: int) -> None:
    rng = random.Random(f"{query} {seed}")
    windows = windows_of(query)
    asked = query.format(w=rng.choice(windows), v=rng.choice(windows))
    plan = bind_script(STREAMS + asked + ";").queries[-1]
    items = arrivals(rng)
    cuts = sorted(rng.randint(0, len(items)) for _ in range(3))
    batches = [items[start:end] for start, end in zip([0, *cuts], [*cuts, len(items)], strict=True)]
    batches.append([("a", End()), ("b", End())])
    reference = ReferenceRelations().start(plan, {})
    operators = KernelRelations(shards=rng.randint(1, 3), seed=seed).start(plan, {})
    found, known = [], []
    for batch in batches:
        found, known = found + operators.feed(batch), known + reference.feed(batch)
        if not any(text in asked for text in (") q", "GROUP BY k EXCEPT")):  # subqueries may know more
            assert_same_rows(found, known)
    assert_same_rows(found, known)
