"""A concrete view holds the relation at the last instant: after each micro-batch, on the operators as on the reference."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from tests.engines.relation_kernels import KernelRelations
from tests.kernels.relations.test_random_queries import STREAMS, WINDOWS, arrivals
from transom.language import bind_script
from transom.plan.nodes.sink import Insert
from transom.plan.relations.changes import INSTANT, THERE
from transom.plan.relations.concrete_view import written
from transom.reference.history import End
from transom.testing.compare import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

Rows = list[dict[str, Any]]

QUERIES = [
    "SELECT k, count(*) AS n, max(x) AS m FROM a {w} GROUP BY k",
    "SELECT k, sum(x) AS s, window_start, window_end FROM a [RANGE 8 SLIDE 4] GROUP BY k",
    "SELECT k, sum(x) AS s FROM a [RANGE 6 SLIDE 2] GROUP BY k HAVING sum(x) > 6",
    "SELECT k, x FROM a {w} WHERE x > 2",
    "SELECT DISTINCT k FROM a {w}",
    "SELECT k, n FROM (SELECT k, count(*) AS n FROM a {w} GROUP BY k) q WHERE n > 1",
    "SELECT p.k, x, y FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k",
    "SELECT p.k, x FROM a {w} AS p LEFT ANTI JOIN b {v} AS q ON p.k = q.k",
    "SELECT k FROM a {w} EXCEPT SELECT k FROM b {v}",
    "SELECT k FROM a [NOW] EXCEPT SELECT k FROM b [NOW]",
    "SELECT p.k, count(*) AS n FROM a {w} AS p JOIN b {v} AS q ON p.k = q.k GROUP BY p.k",
    "SELECT k, count(*) AS n FROM a [RANGE 8 SLIDE 4] GROUP BY k ORDER BY n DESC, k LIMIT 1",
]


def held(rows: Rows, before: Rows, *, ended: bool) -> Rows:
    """What a view holds after a micro-batch: at an end, the last state that has rows."""
    seen = [row for row in rows if row[THERE]] if ended else rows
    if not seen:
        return before
    last = max(row[INSTANT] for row in seen)
    return [row for row in seen if row[INSTANT] == last and row[THERE]]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("seed", range(3))
def test_a_view_holds_the_last_complete_relation(query: str, seed: int) -> None:
    rng = random.Random(f"view {query} {seed}")
    asked = query.format(w=rng.choice(WINDOWS), v=rng.choice(WINDOWS))
    insert = bind_script(f"{STREAMS}CREATE VIEW latest AS {asked};").queries[-1]
    assert isinstance(insert, Insert)
    plan, items = written(insert), arrivals(rng)
    reference = ReferenceRelations().start(plan, {})
    operators = KernelRelations(shards=rng.randint(1, 3), seed=seed).start(plan, {})
    wanted: Rows = []
    found: Rows = []
    for batch in (*cut(items, rng), [("a", End()), ("b", End())]):
        ended = any(isinstance(item, End) for _, item in batch)
        wanted = held(reference.feed(batch), wanted, ended=ended)
        found = held(operators.feed(batch), found, ended=ended)
        assert_same_rows(found, wanted)


def cut(items: Sequence[Any], rng: random.Random) -> list[Sequence[Any]]:
    places = sorted(rng.randint(0, len(items)) for _ in range(4))
    return [items[start:end] for start, end in zip([0, *places], [*places, len(items)], strict=True)]
