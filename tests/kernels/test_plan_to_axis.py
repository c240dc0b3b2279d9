"""Lengths of a plan, as the axis of its window measures them."""

from __future__ import annotations

import pytest

import transom as tr
from tests.engines.kernels import Fed, KernelEngine
from transom.errors import WindowIdOutOfRange
from transom.planner import plan as planned
from transom.reference.history import Arrival, End
from transom.reference.of_plan import lower
from transom.testing.engine import ReferenceEngine


def both(script, items):
    """What the stage of a plan gives, and what the definitions do."""
    plan = tr.sql(script).plan
    (stage,) = planned(plan).stages
    query, stream = lower(plan)
    return Fed(stage, stream, KernelEngine()).feed(items), ReferenceEngine().start(query, stream).feed(items)


@pytest.mark.parametrize("length", ["0.1", "0.2", "0.3", "0.7"])
def test_decimals_are_doubles_where_the_attribute_is(length):
    items = [Arrival({"x": n / 10}) for n in range(60)] + [End()]
    bounds = f"SELECT count(*) AS n, window_end, event_ts FROM t [TUMBLE {length}]"
    found, wanted = both(f"CREATE STREAM t (x DOUBLE) ORDER BY x; {bounds}", items)
    assert [(row["n"], row["window_end"]) for row in found] == [(row["n"], row["window_end"]) for row in wanted]
    frames = f"SELECT x, count(*) OVER (RANGE {length} PRECEDING SLIDE {length}) AS n, x AS event_ts FROM t"
    found, wanted = both(f"CREATE STREAM t (x DOUBLE) ORDER BY x; {frames}", items)
    assert [(row["x"], row["n"]) for row in found] == [(row["x"], row["n"]) for row in wanted]


@pytest.mark.parametrize("clauses", ["[TUMBLE 4611686018427387904]", "[TUMBLE 5 SLACK 4611686018427387904]"])
def test_a_length_that_has_no_room_is_refused(clauses):
    with pytest.raises(WindowIdOutOfRange, match="a length is too far from 0"):
        both(f"CREATE STREAM t (x BIGINT) ORDER BY x; SELECT count(*) AS n FROM t {clauses}", [])


@pytest.mark.timeout(60)
def test_a_range_that_varies_looks_only_at_windows_that_tuples_are_in():
    length = "CASE WHEN window_end < 0 THEN 1 ELSE 2 END"
    script = f"CREATE STREAM t (x BIGINT) ORDER BY x; SELECT count(*) AS n FROM t [RANGE {length} MAX 2 SLIDE 1]"
    items = [Arrival({"x": 10**17}), Arrival({"x": None}), Arrival({"x": 2 * 10**17}), End()]
    found, wanted = both(script, items)
    assert [row["n"] for row in found] == [row["n"] for row in wanted] == [1, 1, 1, 1]
