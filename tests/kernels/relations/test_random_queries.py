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

CASES = int(os.environ.get("TRANSOM_RELATION_CASES", "6"))

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
]

QUERIES = [
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
]


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


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("seed", range(CASES))
def test_the_operators_answer_as_the_reference_does(query: str, seed: int) -> None:
    rng = random.Random(f"{query} {seed}")
    asked = query.format(w=rng.choice(WINDOWS), v=rng.choice(WINDOWS))
    plan = bind_script(STREAMS + asked + ";").queries[-1]
    items = arrivals(rng)
    cuts = sorted(rng.randint(0, len(items)) for _ in range(3))
    batches = [items[start:end] for start, end in zip([0, *cuts], [*cuts, len(items)], strict=True)]
    batches.append([("a", End()), ("b", End())])
    reference = ReferenceRelations().start(plan, {})
    operators = KernelRelations(shards=rng.randint(1, 3), seed=seed).start(plan, {})
    for batch in batches:
        assert_same_rows(operators.feed(batch), reference.feed(batch))
