"""Branches of a join stay in step, whatever their speed."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

import transom as tr
from tests.engines.branches import MergedKernels
from tests.engines.merged_reference import evaluate_plan
from tests.kernels.tolls import START, cut, random_traffic, report, rows, rush_hour, toll
from transom.reference.history import Arrival, End, Promise
from transom.testing import assert_same_rows

SPEEDS = {
    "the same": ("", ""),
    "one waits longer": ("", " SLACK 60 SECONDS"),
    "the other waits longer": (" SLACK 2 MINUTES", " SLACK 10 SECONDS"),
    "one adapts": (" DRATIO 10%", ""),
    "one counts rows": (" SLACK 20 ROWS", ""),
    "one judges tuple by tuple": (" LATE CONSISTENT", " HEARTBEAT"),
}


def answers(plan, items):
    return evaluate_plan(plan, [("sensors", item) for item in items])


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("speeds", SPEEDS.values(), ids=SPEEDS)
def test_no_toll_when_traffic_is_not_congested(speeds, first):
    """One branch has seen everything before the other sees anything: it must wait, and not pay by what it knew before."""
    plan, items = toll(*speeds), rush_hour()
    joined = MergedKernels(plan, shards=2, slices=2)
    early = joined.feed(*((items, []) if first == 0 else ([], items)))
    assert early == []
    paid = joined.feed(*(([], items) if first == 0 else (items, []))) + joined.feed([End()], [End()])
    assert paid
    assert {row["vehicle"] for row in paid} == {"a"}
    assert max(row["event_ts"] for row in paid) <= START + timedelta(minutes=5)
    assert all(row["mean"] < 40 for row in paid)
    assert_same_rows(paid, rows(plan, answers(plan, [*items, End()])), rel_tol=1e-9)
    assert joined.waiting == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("speeds", SPEEDS.values(), ids=SPEEDS)
@pytest.mark.parametrize("side", ["", "LEFT "])
def test_any_cut_and_any_speed_gives_the_same_rows(speeds, seed, side):
    chance = random.Random(seed)
    plan, items = toll(*speeds, side=side), random_traffic(seed)
    joined = MergedKernels(plan, shards=chance.choice([1, 3]), slices=chance.choice([1, 3]), seed=seed)
    found = []
    for batches in zip(cut(items, chance, 7), cut(items, chance, 7), strict=True):
        found += joined.feed(*batches)
    found += joined.feed([End()], [End()])
    assert_same_rows(found, rows(plan, answers(plan, [*items, End()])), rel_tol=1e-9)
    assert joined.waiting == 0


@pytest.mark.parametrize("seed", range(2))
def test_rows_leave_in_the_micro_batch_that_completes_them(seed):
    chance = random.Random(seed)
    plan, items = toll(" SLACK 5 SECONDS", " SLACK 1 MINUTE"), random_traffic(seed)
    joined, known, start = MergedKernels(plan, shards=2, slices=2, seed=seed), answers(plan, items), 0
    for batch in cut(items, chance, 8):
        due = [one for one in known if start <= one.left_at < start + len(batch)]
        assert_same_rows(joined.feed(batch, batch), rows(plan, due), rel_tol=1e-9)
        start += len(batch)


def test_what_waits_is_dropped_when_both_have_passed_it():
    plan = toll("", " SLACK 1 MINUTE")
    joined = MergedKernels(plan)
    waiting = []
    for n in range(200):
        batch = [report("a", 1, 20.0, 15.0 * n)]
        joined.feed(batch, batch)
        waiting.append(joined.waiting)
    assert max(waiting[20:]) == max(waiting) <= 6


def test_windows_with_a_lag_meet_at_the_instant_of_evaluation():
    """The segment's speed an hour ago: the branch with a LAG is later, and its instants are the same."""
    plan, items = toll("", " LAG 1 MINUTE"), rush_hour()
    joined = MergedKernels(plan)
    found = [row for item in items for row in joined.feed([item], [item])] + joined.feed([End()], [End()])
    assert found
    assert_same_rows(found, rows(plan, answers(plan, [*items, End()])), rel_tol=1e-9)


def test_new_data_after_an_end_goes_on():
    plan = toll()
    joined = MergedKernels(plan)
    first, second = [report("a", 1, 20.0, 10)], [report("a", 1, 20.0, 170)]
    assert len(joined.feed([*first, End()], [*first, End()])) == 1
    assert joined.feed(second, second) == []
    assert [row["event_ts"] for row in joined.feed([End()], [End()])] == [START + timedelta(seconds=180)]


@pytest.mark.parametrize("clauses", ["", " SLACK 1 MINUTE", " LATE CONSISTENT"])
def test_a_boundary_follows_the_rows_of_each_extent(clauses):
    """Each once and in order, in the micro-batch of the rows, and with progress beyond it."""
    side = MergedKernels(toll(clauses)).sides[0]
    seen = []
    for item in [*random_traffic(5), End()]:
        rows_, ends = side.fed.feed([item]), side.fed.boundaries[0]
        ((progress, ended),) = side.fed.promised
        assert {row["event_ts"] for row in rows_} == set(ends)
        assert ended or not ends or progress > max(ends)
        seen += ends
    assert seen == sorted(set(seen))
    assert len(seen) > 5


PUNCTUATED = """
CREATE STREAM sensors (vehicle STRING, seg INT, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 20 SECONDS;
CREATE STREAM closures (seg INT, ts TIMESTAMP, is_punctuation BOOLEAN) ORDER BY ts PUNCTUATION (ts) WHEN is_punctuation;
CREATE STREAM seen AS SELECT seg, count(*) AS n FROM sensors [TUMBLE 30 SECONDS] GROUP BY seg;
CREATE STREAM closed AS SELECT seg, window_end AS at FROM closures [RANGE 2 MINUTES SLIDE 30 SECONDS] GROUP BY seg;
SELECT seen.seg, n, event_ts FROM seen JOIN closed ON seen.seg = closed.seg AND seen.event_ts = closed.at
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_stream_with_slack_and_one_that_is_punctuated_stay_in_step(seed):
    chance = random.Random(seed)
    plan, sensors = tr.sql(PUNCTUATED).plan, random_traffic(seed, disorder=15.0)
    closures = []
    for n in range(20):
        at = START + timedelta(seconds=45 * n)
        closures.append(Arrival({"seg": chance.choice([1, 2]), "ts": at, "is_punctuation": False}))
        if n % 3 == 2:
            closures.append(Promise({"ts": at}))
    joined, found, early = MergedKernels(plan, shards=2, seed=seed), [], []
    for batches in zip(cut(sensors, chance, 5), cut(closures, chance, 5), strict=True):
        found += joined.feed(*batches)
    early = list(found)
    found += joined.feed([End()], [End()])
    timeline = [("sensors", one) for one in [*sensors, End()]] + [("closures", one) for one in [*closures, End()]]
    assert early
    assert_same_rows(found, rows(plan, evaluate_plan(plan, timeline)))
    assert joined.waiting == 0


def test_instants_of_different_digits_meet():
    plan = tr.sql("""
        CREATE STREAM sensors (x INT, v INT) ORDER BY x;
        CREATE STREAM p AS SELECT count(*) AS n FROM sensors [RANGE 2 SLIDE 1];
        CREATE STREAM q AS SELECT count(*) AS n FROM sensors [RANGE 1 SLIDE 0.5];
        SELECT p.n AS a, q.n AS b, event_ts AS e FROM p JOIN q ON p.event_ts = q.event_ts;
    """).plan
    items = [Arrival({"x": x, "v": 0}) for x in (1, 2, 5)] + [End()]
    joined = MergedKernels(plan, shards=2, slices=2)
    found = joined.feed(items, items)
    assert {row["e"] for row in found} == {2, 3, 6}
    assert_same_rows(found, rows(plan, answers(plan, items)))
