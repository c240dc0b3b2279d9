"""What an operator promises to those above it holds: no result comes below it any more."""

from __future__ import annotations

import random

import pytest

import transom as tr
from tests.engines.kernels import Fed, KernelEngine
from transom.planner import plan as planned
from transom.reference.history import Arrival
from transom.reference.of_plan import lower

BELOW = [
    "SELECT count(*) AS n FROM t [TUMBLE 10] {}",
    "SELECT k, count(*) AS n FROM t [RANGE 20 SLIDE 5] {} GROUP BY k",
    "SELECT count(*) AS n FROM t [RANGE 20 SLIDE 5 LAG 10] {}",
    "SELECT count(*) AS n FROM t [RANGE 3 SLIDE 10] {}",
    "SELECT count(*) AS n FROM t [LANDMARK EVERY 20 SLIDE 5] {}",
    "SELECT count(*) AS n FROM t [LANDMARK SLIDE 10] {}",
    "SELECT count(*) AS n FROM t [BAND 10 TO 45 SLIDE 10] {}",
    "SELECT count(*) AS n FROM t [RANGE CASE WHEN window_end < 30 THEN 5 ELSE 25 END MAX 25 SLIDE 10] {}",
    "SELECT count(*) AS n FROM t [SESSION GAP 6] {}",
    "SELECT count(*) AS n FROM t [RANGE 15 SLIDE 2 ROWS] {}",
    "SELECT count(*) AS n FROM t [RANGE 15] {}",
    "SELECT v FROM t [TUMBLE 10] {}",
    "SELECT count(*) AS n FROM t [RANGE 4 ROWS SLIDE 2 ROWS] {}",
    "SELECT count(*) AS n FROM t [RANGE 4 ROWS SLIDE 2 ROWS WATTR rank(a)] {}",
    "SELECT count(*) AS n FROM t [RANGE 4 ROWS SLIDE 2 ROWS WATTR rank(v)] {}",
    "SELECT count(*) AS n FROM t [TUMBLE 3 WATTR v SLACK 2] {}",
]
FRAMES = [
    "SELECT k, a, sum(v) OVER (PARTITION BY k RANGE 4 PRECEDING) AS n FROM t",
    "SELECT k, a, sum(v) OVER (PARTITION BY k RANGE 4 PRECEDING SLIDE 7) AS n FROM t",
    "SELECT k, a, sum(v) OVER (PARTITION BY k ROWS 2 PRECEDING SLIDE 2 ROWS) AS n FROM t",
]
STAMPED = [one.format(stamp) for one in BELOW for stamp in ("", "TIMESTAMP MIN", "TIMESTAMP MAX")]


def broken(query, seed, shards):
    """Results below what had been promised before them, of tuples that come one by one; and whether anything was promised."""
    stream = "CREATE STREAM t (k STRING, v INT, a INT) ORDER BY a SLACK 3"
    script = f"{stream}; CREATE STREAM d AS {query}; SELECT count(*) AS m FROM d [TUMBLE 5]"
    first, _ = planned(tr.sql(script).plan).stages
    fed, chance, found, told = Fed(first, lower(first.top)[1], KernelEngine(shards)), random.Random(seed), [], None
    for step in range(60):
        place = step - 20 + chance.randint(0, 8)
        rows = fed.feed([Arrival({"k": chance.choice("uvw"), "v": chance.randint(0, 20), "a": place})])
        found += [row for row in rows if told is not None and row["event_ts"] is not None and row["event_ts"] < told]
        promises = [x for x, _ in fed.promised]
        told = told if None in promises else min(promises)
    return found, told


@pytest.mark.parametrize("query", [*STAMPED, *FRAMES])
def test_no_result_comes_below_what_was_promised(query):
    for seed in range(4):
        for shards in (1, 3):
            found, _ = broken(query, seed, shards)
            assert not found, (seed, shards)


@pytest.mark.parametrize("query", [one.format(stamp) for one in BELOW[:5] for stamp in ("", "TIMESTAMP MIN")] + FRAMES)
def test_promises_are_made(query):
    _, told = broken(query, 0, 1)
    assert told is not None
    assert told > 0
