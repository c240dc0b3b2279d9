"""Aggregates that see rows one after the other, over joins and set operations: random queries, tuples, cuts and shards."""

from __future__ import annotations

import os
import random

import pytest

from tests.engines.relation_kernels import KernelRelations
from tests.kernels.relations.test_random_queries import STREAMS, WINDOWS, arrivals
from transom.language import bind_script
from transom.reference.history import End
from transom.testing.compare import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

CASES = int(os.environ.get("TRANSOM_RELATION_CASES", "4"))

AGGREGATES = """
CREATE AGGREGATE spelled(x BIGINT) RETURNS STRING {
  TABLE state(s STRING);
  INITIALIZE: { INSERT INTO state VALUES (CAST(x AS STRING)); }
  ITERATE: { UPDATE state SET s = s || ' ' || CAST(x AS STRING); }
  TERMINATE: { INSERT INTO RETURN SELECT s FROM state; }
};
CREATE AGGREGATE total(x BIGINT) RETURNS BIGINT {
  TABLE state(s BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x); }
  ITERATE: { UPDATE state SET s = s + x; }
  TERMINATE: { INSERT INTO RETURN SELECT s FROM state; }
  COMBINE: { UPDATE state SET s = s + other.s; }
};
CREATE AGGREGATE each_one(x BIGINT) RETURNS BIGINT {
  INITIALIZE: { INSERT INTO RETURN VALUES (x); }
  ITERATE: { INSERT INTO RETURN VALUES (x); }
};
"""

QUERIES = [
    "SELECT a.k, spelled(y) AS s, window_end FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT ISTREAM a.k, total(x + y) AS s FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k HAVING total(x + y) > 3",
    "SELECT DSTREAM a.k, spelled(x) AS s FROM a {w} LEFT JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT a.k, each_one(y) AS e FROM a {w} JOIN b {v} ON a.k = b.k TIMESTAMP MAX GROUP BY a.k",
    "SELECT ISTREAM x, spelled(y) AS s FROM a {w} JOIN b {v} ON a.k = b.k TIMESTAMP NOW GROUP BY x",
    "SELECT ISTREAM q.k, spelled(q.y) AS s FROM (SELECT p.k, x, y FROM a {w} AS p FULL JOIN b {v} AS r ON p.k = r.k) q "
    "GROUP BY q.k",
    "SELECT k, spelled(x) AS s FROM (SELECT k, x FROM a {w} UNION ALL SELECT k, y FROM b {v}) q GROUP BY k",
    "SELECT ISTREAM spelled(n) AS s FROM (SELECT k, count(*) AS n FROM a [RANGE 8 SLIDE 4] GROUP BY k) q",
    "SELECT ISTREAM k, spelled(x) AS s FROM a {w} GROUP BY k",
    "SELECT ISTREAM a.k, collect_list(y) AS c, first(x) AS f, last(y) AS l FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT a.k, listagg(CAST(y AS STRING), ',') AS g, CAST(median(x) * 2 AS BIGINT) AS m, "
    "CAST(percentile(y, 0.5) * 2 AS BIGINT) AS p FROM a {w} JOIN b {v} ON a.k = b.k GROUP BY a.k",
    "SELECT DSTREAM a.k, count(DISTINCT y) AS d, max_by(x, y) AS b, min_by(y, x) AS c FROM a {w} JOIN b {v} "
    "ON a.k = b.k GROUP BY a.k",
    "SELECT ISTREAM p.k, spelled(r.x) AS s FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k JOIN a [RANGE 3] AS r ON r.k = p.k "
    "GROUP BY p.k",
    "SELECT a.k, spelled(m) AS s FROM a {w} JOIN (SELECT k, max(y) AS m FROM b [TUMBLE 5] GROUP BY k) q ON a.k = q.k "
    "GROUP BY a.k",
    "SELECT k, listagg(CAST(x AS STRING), '') AS c FROM (SELECT k, x FROM a {w} UNION ALL SELECT k, y FROM b {v}) q GROUP BY k",
]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("seed", range(CASES))
def test_they_see_the_rows_of_an_instant_in_the_order_of_the_reference(query: str, seed: int) -> None:
    rng = random.Random(f"{query} {seed}")
    asked = query.format(w=rng.choice(WINDOWS), v=rng.choice(WINDOWS))
    plan = bind_script(STREAMS + AGGREGATES + asked + ";").queries[-1]
    items = arrivals(rng)
    cuts = sorted(rng.randint(0, len(items)) for _ in range(3))
    batches = [items[start:end] for start, end in zip([0, *cuts], [*cuts, len(items)], strict=True)]
    batches.append([("a", End()), ("b", End())])
    reference = ReferenceRelations().start(plan, {})
    operators = KernelRelations(shards=rng.randint(1, 3), seed=seed).start(plan, {})
    for batch in batches:
        assert_same_rows(operators.feed(batch), reference.feed(batch))
