"""What Python says about disorder: words that mean something, or a named error."""

from __future__ import annotations

import math
from typing import Any

import pytest

import transom as tr
from transom import errors, minutes, rows, seconds
from transom.fluent.relation import Windowed
from transom.testing import answer

COLUMNS = {"speed": "DOUBLE", "ts": "TIMESTAMP"}


def window(**disorder: Any) -> Windowed:
    return tr.stream(COLUMNS, order_by="ts", name="t", **disorder).window(tumble=minutes(5))


@pytest.mark.parametrize("late", ["consistent", "CONSISTENT", "Consistent"])
def test_late_however_it_is_spelt(late: str) -> None:
    for asked in (window().tolerate(slack=seconds(1), late=late), window(slack=seconds(1), late=late)):
        answered = answer(asked.agg(n="count(*)"), [(1.0, "00:06:00"), (1.0, "00:05:30")], end=True)
        assert [row["n"] for row in answered.rows] == [1]
        assert answered.counts.dropped == 1


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("UnknownClause", {"late": "foo"}),
        ("UnknownClause", {"late": ""}),
        ("UnknownClause", {"heartbeat": "median"}),
        ("UnknownClause", {"heartbeat": ""}),
        ("BadQuery", {"normal": True}),
        ("BadQuery", {"normal": True, "slack": seconds(1)}),
        ("NotALength", {"slack": rows(30), "buffer": 1.5}),
        ("NotPositive", {"slack": rows(30), "buffer": 0}),
        ("ConflictingClauses", {"buffer": 10}),
        ("ConflictingClauses", {"heartbeat": True, "slack": seconds(1)}),
        ("NotALength", {"slack": rows(30), "buffer": True}),
        ("BadRatio", {"drop_ratio": 1.5}),
    ],
)
def test_words_that_mean_nothing(name: str, given: dict[str, Any]) -> None:
    for build in (lambda: window().tolerate(**given), lambda: window(**given)):
        with pytest.raises(getattr(errors, name)):
            build()


def test_arrivals_are_times_or_numbers() -> None:
    with pytest.raises(errors.NotOrdered):
        tr.stream({**COLUMNS, "kind": "STRING"}, order_by="ts", drop_ratio=0.01, arrival_by="kind")


@pytest.mark.parametrize("percent", [-1, math.inf, math.nan])
def test_a_slack_is_a_part_of_the_range(percent: float) -> None:
    with pytest.raises(errors.NotPositive):
        window().tolerate(slack_percent=percent)


@pytest.mark.parametrize(
    ("heartbeat", "clause"), [(True, "HEARTBEAT"), ("largest", "HEARTBEAT"), ("Average", "HEARTBEAT AVERAGE"), (False, "")]
)
def test_heartbeats(heartbeat: bool | str, clause: str) -> None:
    assert window().tolerate(heartbeat=heartbeat).agg(n="count(*)").sql().endswith(f"WATTR ts {clause}".rstrip() + "]")


def test_below_a_condition_and_after_another() -> None:
    asked = window().where("speed > 1").tolerate(drop_ratio=0.01, normal=True, buffer=10).tolerate(late="consistent")
    bracket = "RANGE 5 MINUTES SLIDE 5 MINUTES WATTR ts DRATIO 1% NORMAL BFSIZE 10 LATE CONSISTENT"
    wanted = f"SELECT COUNT(*) AS n FROM t [{bracket}] WHERE speed > 1"
    assert asked.agg(n="count(*)").sql() == wanted
    assert asked.tolerate(drop_ratio=0.02).agg(n="count(*)").sql() == wanted.replace("1% NORMAL", "2%")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("BadQuery", {"punctuation": ()}),
        ("BadQuery", {"substreams": ["a"]}),
        ("NotALength", {"idle_after": 3}),
        ("NotALength", {"ahead": 3}),
    ],
)
def test_words_of_streams_that_mean_nothing(name: str, given: dict[str, Any]) -> None:
    with pytest.raises(getattr(errors, name)):
        window(**given)


def test_one_column_that_tells_substreams_apart() -> None:
    asked = tr.stream({"dev": "STRING", "ts": "TIMESTAMP"}, order_by="ts", name="t", slack=seconds(1), per_source="dev")
    assert asked.plan.stream.disorder.per_source == ("dev",)  # type: ignore[attr-defined]
