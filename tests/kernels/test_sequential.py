"""Users' aggregates on the kernels: what the reference says, with every window, spread over shards and cut anywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest

import transom as tr
from tests.engines.kernels import KernelEngine
from tests.uda.bodies import SPECIFICATION
from transom.reference.evaluate import evaluate
from transom.reference.history import Arrival, End, Item
from transom.reference.of_plan import lower
from transom.testing.compare import difference

STREAM = "CREATE STREAM s (k STRING, x DOUBLE, t INT) ORDER BY t SLACK 3;"

QUERIES = [
    "SELECT k, myavg(x) OVER (PARTITION BY k ROWS 2 PRECEDING) AS y FROM s",
    "SELECT k, myavg(x) OVER (PARTITION BY k RANGE 5 PRECEDING) AS y, sum(x) OVER (PARTITION BY k RANGE 5 PRECEDING) AS z FROM s",
    "SELECT k, mymax(x) OVER (PARTITION BY k RANGE 7 PRECEDING SLIDE 5) AS y FROM s",
    "SELECT k, t, myavg(x) OVER (PARTITION BY k RANGE 4 PRECEDING SLIDE 5) AS y FROM s",
    "SELECT k, myavg(x) OVER (PARTITION BY k ROWS 5 PRECEDING SLIDE 4 ROWS) AS y FROM s",
    "SELECT k, mymax(x) OVER (PARTITION BY k ROWS 5 PRECEDING SLIDE 4 ROWS) AS y FROM s WHERE x IS NOT NULL",
    "SELECT k, myavg(x) OVER (PARTITION BY k ROWS 2 PRECEDING SLIDE 4 ROWS) AS y FROM s",
    "SELECT k, myavg(x) OVER (PARTITION BY k RANGE 7 PRECEDING SLIDE 3 ROWS) AS y FROM s",
    "SELECT k, t, joined_text(k, '-') OVER (RANGE 4 PRECEDING SLIDE 5 ROWS) AS y FROM s WHERE t % 3 <> 0",
    "SELECT k, mymax(x) OVER (PARTITION BY k RANGE 2 PRECEDING SLIDE 4 ROWS) AS y, count(*) OVER (PARTITION BY k ROWS 3 "
    "PRECEDING SLIDE 4 ROWS) AS n FROM s WHERE x IS NOT NULL",
    "SELECT k, myavg(x) OVER (PARTITION BY k ROWS UNBOUNDED PRECEDING) AS y FROM s",
    "SELECT k, myavg(x) OVER (PARTITION BY k RANGE UNBOUNDED PRECEDING SLIDE 5) AS y FROM s",
    "SELECT k, decay_avg(x) AS y FROM s GROUP BY k",
    "SELECT k, t, silence(k) OVER (PARTITION BY k RANGE 3 PRECEDING ACTIVE EXPIRATION) AS y, event_ts AS e FROM s",
    "SELECT joined_text(k, '-') OVER (ROWS 3 PRECEDING) AS y FROM s WHERE t % 3 <> 0",
    "SELECT k, myavg(x) AS y, window_end AS e FROM s [RANGE 9 SLIDE 3] GROUP BY k",
    "SELECT k, decay_avg(x) AS y, window_end AS e FROM s [RANGE 9 SLIDE 3] GROUP BY k",
    "SELECT k, decay_avg(x) AS y, mymax(x) AS z, count(*) AS n, window_end AS e FROM s [TUMBLE 5] GROUP BY k HAVING mymax(x) > 3",
    "SELECT myavg(x) AS y, window_end AS e FROM s [RANGE 6 ROWS SLIDE 4 ROWS]",
    "SELECT k, decay_avg(x) AS y, window_end AS e FROM s [RANGE 6 ROWS SLIDE 4 ROWS PATTR k]",
    "SELECT k, decay_avg(x) AS y, window_end AS e FROM s [RANGE 6 RATTR t SLIDE 1 ROW] GROUP BY k",
    "SELECT k, mymax(x) AS y, window_end AS e FROM s [RANGE 6] GROUP BY k",
    "SELECT k, joined_text(k, ',') AS y, window_end AS e FROM s [SESSION GAP 2 PATTR k]",
    "SELECT decay_avg(x) AS y, window_end AS e FROM s [LANDMARK EVERY 10 SLIDE 5]",
    "SELECT k, running_variance(x) AS y, window_end AS e FROM s [BAND 0 TO 20 SLIDE 10] GROUP BY k",
    "SELECT decay_avg(x) AS y, window_end AS e FROM s [NOW]",
    "SELECT decay_avg(x) AS y, window_end AS e FROM s [RANGE 9 SLIDE 3 LATE CONSISTENT]",
]


def items(seed: int) -> list[Item]:
    rng = random.Random(seed)
    made: list[Item] = []
    for n in range(40):
        x = rng.choice([1.0, 2.0, 3.5, 8.0, None]) if seed % 2 else rng.choice([1.0, 2.0, 3.5, 8.0])
        made.append(Arrival({"k": rng.choice("ab"), "x": x, "t": max(0, n - rng.choice([0, 0, 1, 2, 5]))}))
    return [*made, End()]


@pytest.mark.parametrize("sql", QUERIES, ids=range(len(QUERIES)))
def test_the_kernels_agree_with_the_reference(sql: str) -> None:
    query, stream = lower(tr.sql(f"{SPECIFICATION} {STREAM} {sql};").plan)
    for seed in (0, 1):
        given = items(seed)
        expected = evaluate(query, stream, given).rows
        assert expected
        for engine in (KernelEngine(), KernelEngine(2, 2, seed=seed)):
            found = run(engine, query, stream, given, random.Random(seed))
            assert difference(found, expected, rel_tol=1e-9) == ([], [])


def run(engine: KernelEngine, query: Any, stream: Any, given: list[Item], rng: random.Random) -> list[dict[str, Any]]:
    execution, rows, place = engine.start(query, stream), [], 0
    while place < len(given):
        end = place + rng.randint(1, 15)
        rows += execution.feed(given[place:end])
        place = end
    return rows
