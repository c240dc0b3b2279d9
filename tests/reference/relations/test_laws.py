"""Laws of relations, and definitions written a second time as plain conditions on timestamps."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from tests.engines.merged_reference import evaluate_plan
from transom.language import bind_script
from transom.plan.nodes.node import Node
from transom.reference.history import Arrival, End
from transom.reference.relations.heard import Timeline
from transom.reference.relations.relation_answer import answer

STREAMS = """
CREATE STREAM a (k BIGINT, x BIGINT, t BIGINT) ORDER BY t SLACK 5;
CREATE STREAM b (k BIGINT, y BIGINT, t BIGINT) ORDER BY t SLACK 3;
"""

WINDOWS = (
    "RANGE 10 SLIDE 5",
    "RANGE 3 SLIDE 5",
    "RANGE 6",
    "RANGE 6 RATTR t SLIDE 1 ROW",
    "RANGE 3 ROWS",
    "RANGE 2 ROWS SLIDE 1 ROW PATTR k",
    "RANGE 2 ROWS WATTR rank(t)",
    "LANDMARK EVERY 20 SLIDE 5",
    "NOW",
    "SESSION GAP 4",
)

of_windows = pytest.mark.parametrize("window", WINDOWS)
of_seeds = pytest.mark.parametrize("seed", range(4))


def plan_of(sql: str) -> Node:
    return bind_script(STREAMS + sql).queries[-1]


def timeline(seed: int, size: int = 24) -> Timeline:
    """Tuples of both streams, in disorder, some of them late; then the end of both."""
    chance = random.Random(seed)
    items: list[tuple[str, Any]] = []
    for n in range(size):
        stream, value = ("a", "x") if chance.random() < 0.5 else ("b", "y")
        t = max(0, n * 2 + chance.randint(-9, 2))
        items.append((stream, Arrival({"k": chance.randint(0, 2), value: chance.randint(0, 3), "t": t})))
    return [*items, ("a", End()), ("b", End())]


def on_time(stream: str, slack: int, items: Timeline) -> list[dict[str, Any]]:
    """The tuples that came before the largest of those before them, less SLACK, was beyond them."""
    kept, largest = [], -(10**9)
    for name, item in items:
        if name == stream and isinstance(item, Arrival):
            if item.values["t"] >= largest - slack:
                kept.append(dict(item.values))
            largest = max(largest, item.values["t"])
    return kept


def bag(rows: Iterable[Any]) -> Counter[Any]:
    return Counter(tuple(row.values()) if isinstance(row, dict) else tuple(row) for row in rows)


def rows(sql: str, items: Timeline) -> list[dict[str, Any]]:
    return [dict(one.row) for one in answer(plan_of(sql), items).results]


@of_seeds
@of_windows
def test_what_appears_less_what_disappears_is_what_is_there(window: str, seed: int) -> None:
    items = timeline(seed)
    asked = f"k, x, event_ts FROM a [{window}]"
    state: Counter[Any] = Counter()
    new, gone, there = (rows(f"SELECT {kind} {asked};", items) for kind in ("ISTREAM", "DSTREAM", "RSTREAM"))
    for at in sorted({row["event_ts"] for row in (*new, *gone, *there)}):
        state += bag((row["k"], row["x"]) for row in new if row["event_ts"] == at)
        here = bag((row["k"], row["x"]) for row in there if row["event_ts"] == at)
        if window in ("NOW", "SESSION GAP 4"):  # empty right after the instant: what disappears does so behind it
            assert state == here
        lost = bag((row["k"], row["x"]) for row in gone if row["event_ts"] == at)
        assert not lost - state
        state -= lost
        if window not in ("NOW", "SESSION GAP 4"):
            assert state == here, at


@of_seeds
def test_an_interval_join_is_a_condition_on_timestamps(seed: int) -> None:
    items = timeline(seed)
    got = rows("SELECT a.x, a.t AS ta, y, b.t AS tb FROM a JOIN b ON a.k = b.k AND b.t BETWEEN a.t - 4 AND a.t + 7;", items)
    want = [
        (one["x"], one["t"], other["y"], other["t"])
        for one in on_time("a", 5, items)
        for other in on_time("b", 3, items)
        if one["k"] == other["k"] and one["t"] - 4 <= other["t"] <= one["t"] + 7
    ]
    assert bag(got) == bag(want)
    assert want


@of_seeds
def test_a_left_interval_join_has_each_tuple(seed: int) -> None:
    items = timeline(seed)
    got = rows("SELECT a.x, a.t AS ta, y FROM a LEFT JOIN b ON a.k = b.k AND b.t BETWEEN a.t AND a.t + 3;", items)
    right = on_time("b", 3, items)
    want = []
    for one in on_time("a", 5, items):
        matches = [other for other in right if one["k"] == other["k"] and one["t"] <= other["t"] <= one["t"] + 3]
        want += [(one["x"], one["t"], other["y"]) for other in matches] or [(one["x"], one["t"], None)]
    assert bag(got) == bag(want)


@of_seeds
def test_semi_and_anti_joins_part_the_tuples(seed: int) -> None:
    items = timeline(seed)
    asked = "SELECT x, a.t AS ta FROM a [RANGE 6] {} JOIN b [RANGE 3] ON a.k = b.k;"
    parts = bag(rows(asked.format("SEMI"), items)) + bag(rows(asked.format("ANTI"), items))
    assert parts == bag((one["x"], one["t"]) for one in on_time("a", 5, items))


@of_seeds
@pytest.mark.parametrize("strict", [False, True])
def test_an_as_of_join_is_the_last_that_is_not_after(seed: int, strict: bool) -> None:
    items = timeline(seed)
    sign = ">" if strict else ">="
    got = rows(f"SELECT a.x, a.t AS ta, y FROM a LEFT ASOF JOIN b MATCH_CONDITION (a.t {sign} b.t) ON a.k = b.k WITHIN 9;", items)
    want = []
    for one in on_time("a", 5, items):
        fits = [
            (other["t"], n, other["y"])
            for n, other in enumerate(on_time("b", 3, items))
            if other["k"] == one["k"] and one["t"] - 9 <= other["t"] <= one["t"] and not (strict and other["t"] == one["t"])
        ]
        want.append((one["x"], one["t"], max(fits)[2] if fits else None))
    assert bag(got) == bag(want)


@of_seeds
@of_windows
def test_a_join_gives_each_pair_once(window: str, seed: int) -> None:
    items = timeline(seed)
    got = rows(f"SELECT a.row_num AS m, b.row_num AS n FROM a [{window}] JOIN b [RANGE 8] ON a.k = b.k;", items)
    assert max(bag(got).values(), default=1) == 1


@of_seeds
@pytest.mark.parametrize(("one", "other"), [("RANGE 10 SLIDE 5", "RANGE 2 ROWS"), ("RANGE 6", "LANDMARK EVERY 20 SLIDE 5")])
def test_union_intersection_and_difference_add_up(one: str, other: str, seed: int) -> None:
    """Of bags: A + B = (A union B), and A = (A except B) + (A intersect B), at each instant."""
    items = timeline(seed)
    left, right = f"SELECT x FROM a [{one}]", f"SELECT y AS x FROM b [{other}]"

    def asked(first: str, kind: str, second: str) -> Counter[Any]:
        return bag(rows(f"SELECT RSTREAM x, event_ts FROM ({first} {kind} ALL {second}) q;", items))

    shared = asked(left, "INTERSECT", right)
    apart = asked(left, "EXCEPT", right) + asked(right, "EXCEPT", left)
    assert asked(left, "UNION", right) == apart + shared + shared
    assert apart


@of_seeds
@of_windows
def test_one_window_by_its_states_is_that_window(window: str, seed: int) -> None:
    """Without a keyword, states at instants say what windows have always said."""
    items = [(name, item) for name, item in timeline(seed) if name == "a"]
    grouped = " GROUP BY k" if "SESSION" not in window else ""
    sql = f"SELECT {'k, ' if grouped else ''}count(*) AS n, max(x) AS hi, window_end FROM a [{window}]{grouped};"
    plan = plan_of(sql)
    if "ROW" in window and "RATTR" not in window:  # rows in the order of arrival know no lateness by themselves
        items = [(name, item) for name, item in items if not isinstance(item, Arrival) or item.values["t"] >= 0]
        largest = -(10**9)
        kept = []
        for name, item in items:
            if not isinstance(item, Arrival) or item.values["t"] >= largest:
                kept.append((name, item))
                largest = item.values["t"] if isinstance(item, Arrival) else largest
        items = kept
    got = [one.row for one in answer(plan, items).results]
    want = [one.row for one in evaluate_plan(plan, items)]
    if "ROWS" in window:  # of windows that end at one timestamp, a relation has the last
        assert not bag(got) - bag(want)
    else:
        assert bag(got) == bag(want)
    assert got


@of_seeds
@of_windows
def test_time_that_is_cut_into_pieces_changes_nothing(window: str, seed: int) -> None:
    """What has left stays, whatever comes later."""
    items = timeline(seed, 16)
    plan = plan_of(f"SELECT a.x, b.y, event_ts FROM a [{window}] FULL JOIN b [RANGE 4] ON a.k = b.k TIMESTAMP NOW;")
    whole = answer(plan, items).results
    for end in range(4, len(items), 4):
        before = answer(plan, items[:end]).results
        assert bag(one.row for one in before) == bag(one.row for one in whole if one.left_at < end)
