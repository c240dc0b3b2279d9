"""After an end of the input new tuples open new windows; for those that the end closed they are late."""

from __future__ import annotations

import random

import pytest

import transom as tr
from tests.engines.kernels import KernelEngine
from transom.reference.history import Arrival, End
from transom.reference.of_plan import lower
from transom.rules import RULES


@pytest.mark.parametrize("panes", [True, False])
@pytest.mark.parametrize("window", ["[TUMBLE 10]", "[RANGE 20 SLIDE 10]", "[SESSION GAP 5]"])
def test_windows_that_open_after_an_end_are_reported(window, panes):
    script = f"CREATE STREAM t (v INT, a INT) ORDER BY a; SELECT count(*) AS n, window_end FROM t {window}"
    execution = KernelEngine(rules=RULES if panes else ()).start(*lower(tr.sql(script).plan))
    first = execution.feed([Arrival({"v": 1, "a": 3}), End()])
    assert first
    assert execution.feed([Arrival({"v": 1, "a": 4}), Arrival({"v": 1, "a": 55})]) == []
    second = execution.feed([End()])
    assert second
    assert min(row["window_end"] for row in second) > max(row["window_end"] for row in first)
    assert all(row["n"] == 1 for row in (*first, *second))


WINDOWS = [
    "[TUMBLE 10 {}]",
    "[RANGE 20 SLIDE 10 {}]",
    "[RANGE 5 SLIDE 10 LAG 30 {}]",
    "[RANGE 20 SLIDE 7 ORIGIN 15 {}]",
    "[LANDMARK SLIDE 10 {}]",
    "[BAND 10 TO 65 SLIDE 20 {}]",
    "[SESSION GAP 5 {}]",
    "[RANGE 15 SLIDE 2 ROWS {}]",
    "[RANGE 15 {}]",
]


def seen(query, parts, shards):
    """What leaves and what misses a window, of tuples that go on coming after the input has ended, in so many shards."""
    execution = KernelEngine(shards=shards, slices=2).start(*lower(query.plan))
    rows = [execution.feed([Arrival({"k": k, "a": a}) for k, a in part] + [End()]) for part in parts]
    ordered = [sorted(map(repr, part)) for part in rows]
    return ordered, sorted(map(repr, execution.late())), execution.counts()


def parts_of(seed):
    """Groups that end at different places, which brings them into shards that have come differently far by themselves."""
    chance = random.Random(seed)
    return [[(chance.choice("uvwxyz"), chance.randint(15 * n, 15 * n + 40)) for _ in range(6)] for n in range(3)]


@pytest.mark.parametrize("tolerance", ["SLACK 0", "SLACK 12", "HEARTBEAT", "LATE CONSISTENT"])
@pytest.mark.parametrize("window", WINDOWS)
def test_what_an_end_closes_is_closed_in_every_shard(window, tolerance):
    bracket = window.format(tolerance)
    query = tr.sql(f"CREATE STREAM t (k STRING, a INT) ORDER BY a; SELECT k, count(*) AS n, event_ts FROM t {bracket} GROUP BY k")
    for seed in range(10):
        parts = parts_of(seed)
        alone = seen(query, parts, 1)
        assert all(seen(query, parts, shards) == alone for shards in (2, 5)), parts


def test_a_window_that_another_group_has_closed_is_closed():
    query = tr.sql(
        "CREATE STREAM t (k STRING, a INT) ORDER BY a; SELECT k, count(*) AS n, window_end FROM t [TUMBLE 10] GROUP BY k"
    )
    for shards in (1, 2, 5):
        _, late, counts = seen(query, [[("v", 3), ("u", 55)], [("v", 57)], [("v", 61)]], shards)
        assert len(late) == counts.late == counts.dropped == 1


@pytest.mark.parametrize("slack", [0, 100])
def test_slots_of_frames_are_cut_off_at_the_newest_tuple_of_any_shard(slack):
    over = "count(*) OVER (PARTITION BY k RANGE 10 PRECEDING SLIDE 5)"
    query = tr.sql(f"CREATE STREAM t (k STRING, a INT) ORDER BY a SLACK {slack}; SELECT k, a, {over} AS n FROM t")
    for seed in range(10):
        parts = parts_of(seed)
        alone = seen(query, parts, 1)
        assert all(seen(query, parts, shards) == alone for shards in (2, 5)), parts
