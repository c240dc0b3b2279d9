"""How many shards there are, and where they go."""

from __future__ import annotations

from typing import Any

import pytest

from transom.errors import BadOption
from transom.explain import explain
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.shards import CONTROLLED, ONCE, folds_once, hash_of_int, labels, number_of_shards
from transom.planner.stage import Stage


def test_as_many_as_partitions() -> None:
    assert number_of_shards(None, 200, spread=True) == 200


def test_not_more_than_some_where_each_folds_the_whole_sequence() -> None:
    assert number_of_shards(None, 200, spread=True, controlled=True) == CONTROLLED
    assert number_of_shards(None, 4, spread=True, controlled=True) == 4


def test_as_many_as_are_asked_for() -> None:
    assert number_of_shards(64, 200, spread=True, controlled=True) == 64
    assert number_of_shards(64, 200, spread=False) == 1


def test_a_frontier_stage_where_it_pays() -> None:
    assert folds_once(ONCE, by_tuple=True, asked=None, able=True)
    assert not folds_once(ONCE - 1, by_tuple=True, asked=None, able=True)
    assert not folds_once(ONCE, by_tuple=False, asked=None, able=True)
    assert not folds_once(ONCE, by_tuple=True, asked=None, able=False)


def test_a_frontier_stage_where_it_is_asked_for() -> None:
    assert folds_once(2, by_tuple=False, asked="stage", able=False)
    assert not folds_once(64, by_tuple=True, asked="shards", able=True)


@pytest.mark.parametrize(
    ("disorder", "by_tuple"),
    [
        ("DRATIO 1%", False),
        ("HEARTBEAT", False),
        ("HEARTBEAT AVERAGE", True),
        ("SLACK 100 ROWS", True),
        ("SLACK 9 SECONDS BFSIZE 100", True),
        ("DRATIO 1% BFSIZE 100", True),
        ("DRATIO 1% NORMAL", True),
    ],
)
def test_explain_says_where_the_sequence_is_folded(disorder: str, by_tuple: bool) -> None:
    sql = f"""
        CREATE STREAM s (k STRING, ts TIMESTAMP) ORDER BY ts {disorder};
        SELECT k, count(*) AS n FROM s [RANGE 1 MINUTE SLIDE 1 MINUTE] GROUP BY k"""
    (plan,) = [plan for _, plan in bind_script(sql).statements if plan is not None]
    for shards in (None, ONCE - 1, ONCE):
        (line,) = [line for line in explain(plan, shards).splitlines() if line.startswith("frontier: ")]
        where = "of a stream, a stage of its own" if by_tuple and shards == ONCE else "each shard"
        assert line.startswith(f"frontier: {where} folds the sequence")


@pytest.mark.parametrize("asked", [0, -1, True, 2.5, "4"])
@pytest.mark.parametrize("spread", [True, False])
def test_none_at_all_and_no_number_are_mistakes(asked: Any, spread: bool) -> None:
    with pytest.raises(BadOption, match="at least one"):
        number_of_shards(asked, 4, spread=spread)


@pytest.mark.parametrize(("shards", "partitions"), [(4, 4), (8, 200), (7, 5)])
def test_no_two_shards_share_a_partition_while_there_are_others(shards: int, partitions: int) -> None:
    found = labels(shards, partitions)
    assert len(set(found)) == shards
    assert len({hash_of_int(label) % partitions for label in found[:partitions]}) == min(shards, partitions)


@pytest.mark.parametrize(
    ("disorder", "controlled"),
    [
        ("", False),
        ("ORDERED", False),
        ("SLACK 10 SECONDS", False),
        ("SLACK 10%", False),
        ("SLACK 10 SECONDS BFSIZE 100", True),
        ("SLACK 10 ROWS", True),
        ("HEARTBEAT", True),
        ("HEARTBEAT AVERAGE", True),
        ("DRATIO 1%", True),
        ("DRATIO 1% BFSIZE 100", True),
    ],
)
def test_which_generators_look_at_the_whole_sequence(disorder: str, controlled: bool) -> None:
    sql = f"""
        CREATE STREAM s (k STRING, ts TIMESTAMP) ORDER BY ts SLACK 1 SECOND;
        SELECT k, count(*) AS n FROM s [RANGE 1 MINUTE {disorder}] GROUP BY k"""
    (plan,) = [plan for _, plan in bind_script(sql).statements if plan is not None]
    (stage,) = planned(plan).stages
    assert isinstance(stage, Stage)
    assert stage.reading.is_controlled == controlled
