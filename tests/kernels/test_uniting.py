"""A union of streams is their sort-merge, whatever their speed."""

from __future__ import annotations

import random
from datetime import timedelta

import numpy as np
import pyarrow as pa
import pytest

from tests.engines.branches import MergedKernels
from tests.engines.merged_reference import evaluate_plan
from tests.kernels.auctions import START, closing, history, opening, random_auctions
from tests.kernels.tolls import cut, rows
from transom.column_names import IDLE, INPUT
from transom.errors import BadQuery
from transom.fluent.relation import Relation
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.progress.folding import Progress
from transom.kernels.slices import Slice
from transom.reference.history import End
from transom.testing import assert_same_rows

WITH_TIME = "SELECT item, price, event_ts FROM ({}) AS u"
SPEEDS = {
    "in order as far as it goes": ("", ""),
    "one waits longer": (" SLACK 5 SECONDS", " SLACK 30 SECONDS"),
    "one adapts": (" DRATIO 10%", ""),
    "one counts rows": (" SLACK 10 ROWS", " HEARTBEAT"),
}


def timeline(opened, closed):
    return [*(("opened", one) for one in opened), *(("closed", one) for one in closed), ("opened", End()), ("closed", End())]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("every", [" ALL", ""])
@pytest.mark.parametrize("speeds", SPEEDS.values(), ids=SPEEDS)
def test_any_cut_and_any_speed_gives_the_same_rows(speeds, every, seed):
    chance = random.Random(seed)
    plan = history(*speeds, every=every, query=WITH_TIME)
    opened, closed = random_auctions(seed)
    united = MergedKernels(plan, slices=chance.choice([1, 3]), seed=seed)
    found = []
    for batches in zip(cut(opened, chance, 6), cut(closed, chance, 6), strict=True):
        found += united.feed(*batches)
    found += united.feed([End()], [End()])
    assert_same_rows(found, rows(plan, evaluate_plan(plan, timeline(opened, closed))))
    assert [row["event_ts"] for row in found] == sorted(row["event_ts"] for row in found)
    assert united.waiting == 0


@pytest.mark.parametrize("seed", range(3))
def test_rows_leave_in_the_micro_batch_in_which_both_have_passed_them(seed):
    chance = random.Random(seed)
    plan = history(" SLACK 5 SECONDS", query=WITH_TIME)
    opened, closed = random_auctions(seed)
    both = [("opened", one) for one in opened] + [("closed", one) for one in closed]
    chance.shuffle(both)
    known, united, start = evaluate_plan(plan, both), MergedKernels(plan, slices=2, seed=seed), 0
    for batch in cut(both, chance, 8):
        due = [one for one in known if start <= one.left_at < start + len(batch)]
        found = united.feed(*([one for name, one in batch if name == side] for side in ("opened", "closed")))
        assert_same_rows(found, rows(plan, due))
        start += len(batch)


def test_equal_rows_of_an_instant_are_one_unless_all_are_asked_for():
    opened = [opening(1, 5.0, 10), opening(1, 5.0, 10), opening(1, 5.0, 11), opening(2, None, 12)]
    closed = [closing(1, 5.0, 10), closing(2, None, 12), closing(1, 5.0, 13)]
    answers = {}
    for every in (" ALL", ""):
        united = MergedKernels(history(every=every, query=WITH_TIME))
        found = united.feed(opened, closed) + united.feed([End()], [End()])
        answers[every] = [(row["item"], row["price"], (row["event_ts"] - START).seconds) for row in found]
    assert answers[""] == [(1, 5.0, 10), (1, 5.0, 11), (2, None, 12), (1, 5.0, 13)]
    assert answers[" ALL"] == [*[(1, 5.0, 10)] * 3, (1, 5.0, 11), *[(2, None, 12)] * 2, (1, 5.0, 13)]


def test_a_stream_that_has_not_come_holds_the_other_up():
    united = MergedKernels(history())
    assert united.feed([opening(1, 5.0, 10), opening(1, 6.0, 20)], []) == []
    assert united.feed([], [closing(1, 7.0, 15)]) == [{"item": 1, "price": 5.0}]
    assert united.feed([], [closing(1, 8.0, 40)]) == [{"item": 1, "price": 7.0}]
    assert united.feed([opening(1, 9.0, 41)], []) == [{"item": 1, "price": 6.0}]


def test_what_is_late_in_its_own_stream_is_left_out():
    united = MergedKernels(history(query=WITH_TIME))
    opened = [opening(1, 5.0, 10), opening(2, 6.0, 5), opening(3, 7.0, 20)]
    found = united.feed(opened, [closing(4, 8.0, 30)]) + united.feed([End()], [End()])
    assert [(row["item"], row["event_ts"] - START) for row in found] == [
        (1, timedelta(seconds=10)),
        (3, timedelta(seconds=20)),
        (4, timedelta(seconds=30)),
    ]


def told(*inputs):
    """What operators below say: which they are, their progress, and whether they are idle."""
    of, x, idle = zip(*inputs, strict=True)
    columns = {"__index": range(len(of)), INPUT: of, IDLE: idle, "__x": x}
    return [Slice(("", 0, 0), pa.table({}), promises=pa.table({name: pa.array(list(them)) for name, them in columns.items()}))]


def test_an_idle_input_is_passed_over_until_it_wakes():
    progress = Progress(Generating(derived=True, inputs=2), Axis())
    nothing = Axis().nothing_yet
    progress.fold(told((0, 50, False), (1, nothing, False)))
    assert progress.frontier == nothing
    progress.fold(told((0, 60, False), (1, nothing, True)))
    assert (progress.frontier, progress.idle) == (60, False)
    progress.fold(told((0, 70, False), (1, 40, False)))
    assert progress.frontier == 60
    progress.fold(told((0, 80, False), (1, 75, False)))
    assert progress.frontier == 75
    progress.fold(told((0, 80, True), (1, 75, True)))
    assert (progress.frontier, progress.idle) == (80, True)


def test_an_input_is_idle_when_all_of_its_shards_are():
    progress = Progress(Generating(derived=True, inputs=2), Axis())
    progress.fold(told((0, 50, False), (1, 10, True), (1, 10, False)))
    assert progress.frontier == 10
    progress.fold(told((0, 50, False), (1, 10, True), (1, 10, True)))
    assert progress.frontier == 50


@pytest.mark.parametrize("restarts", [False, True])
def test_a_stream_is_idle_when_nothing_has_come_for_long(restarts):
    def heard(now, high=None):
        return [Slice(("", 0, 0), pa.table({}), highs={} if high is None else {"": high}, now=now)]

    progress = Progress(Generating(slack=0, silent_after=10), Axis())
    seen = []
    for now, high in [(100, None), (109, None), (111, None), (112, 5), (122, None), (123, None), (124, 6)]:
        progress.fold(heard(now, high))
        seen.append(progress.idle)
        if restarts:
            again = Progress(progress.generating, progress.axis)
            again.from_json(progress.to_json())
            progress = again
    assert seen == [False, False, True, False, False, True, False]
    assert np.array_equal(progress.frontier, 6)


def test_what_an_idle_input_sends_after_the_others_have_gone_on_leaves_at_once():
    united = MergedKernels(history(query=WITH_TIME))
    united.sides[0].idle = True
    assert len(united.feed([opening(1, 1.0, 10)], [closing(2, 2.0, 20), closing(3, 3.0, 30)])) == 1
    united.sides[0].idle = False
    found = united.feed([opening(4, 4.0, 15)], [])
    assert [(row["item"], row["event_ts"] - START) for row in found] == [(1, timedelta(seconds=10))]
    assert [row["item"] for row in united.feed([opening(5, 5.0, 40)], [closing(6, 6.0, 50)])] == [4, 3]


def test_python_says_the_same():
    plan = history(every="")
    opened, closed = (Relation(stream.input) for stream in plan.streams)
    python = opened.select("item", "price").union(closed.select("item", "final")).distinct()
    assert python.plan == plan
    assert Relation(opened.plan).union(opened, opened).sql() == " UNION ALL ".join(["SELECT * FROM opened"] * 3)
    with pytest.raises(BadQuery, match="as many columns"):
        opened.union(closed)
