"""Each rule: before and after, both executed; where it must not fire, it does not."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rules.panes_as_panes import evaluate_panes
from transom.language import Catalog, bind_script
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Project, Unary
from transom.plan.panes import PaneAggregate, Together
from transom.reference import Arrival, End, Promise, ReferenceStream, evaluate
from transom.reference.of_plan import lower
from transom.rules import RULES, optimize
from transom.rules.panes_by_gcd import panes_by_gcd
from transom.rules.relations import RELATION_RULES
from transom.rules.share_panes import share_panes
from transom.testing import assert_same_rows

STREAM = "CREATE STREAM s (g STRING, x BIGINT, y BIGINT, z BIGINT, a BIGINT) ORDER BY a SLACK 12"
PROMISED = STREAM.replace("SLACK 12", "PUNCTUATION (g, a) WHEN false")
"""The same stream, in which each tuple is judged by what promises say of its group."""

CASES = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text(encoding="utf-8"))
FIRING = [(name, case) for name, cases in CASES.items() for case in cases if "after" in case]
PANES = [case for case in CASES["panes_by_gcd"] if "panes" in case]
HOLDING = [(name, case) for name, cases in CASES.items() for case in cases if "after" not in case and "panes" not in case]
EVERY = [case for cases in CASES.values() for case in cases]
BY_NAME = {rule.__name__: rule for rule in RULES}


def catalog(stream: str = STREAM) -> Catalog:
    return bind_script(stream).catalog


def plan_of(sql: str, stream: str = STREAM) -> Node:
    return plain(bind_script(sql, catalog(stream)).queries[-1])


def plain(plan: Node) -> Node:
    """The plan without the names of subqueries and select lists that only pass columns on: a rule makes none."""
    if isinstance(plan, Derived):
        return plain(plan.input)
    passes_on = isinstance(plan, Project) and [name for name, _ in plan.items] == plan.input.schema.names
    if isinstance(plan, Project) and passes_on and not plan.is_windowed:
        return plain(plan.input)
    return replace(plan, input=plain(plan.input)) if isinstance(plan, Unary) else plan


def disordered(seed: int, *, promises: bool = False) -> list[Any]:
    """Tuples, and promises if the stream makes them; some tuples are late."""
    rng = random.Random(seed)
    items: list[Any] = []
    for _ in range(rng.randint(5, 25)):
        if promises and rng.random() < 0.2:
            items.append(Promise({"g": rng.choice(["u", "v", None]), "a": rng.randint(-20, 20)}))
        else:
            row = {
                "g": rng.choice(["u", "v", None]),
                "x": rng.randint(0, 9),
                "y": rng.randint(0, 3),
                "z": 0,
                "a": rng.randint(-25, 25),
            }
            items.append(Arrival({**row, "a": None} if rng.random() < 0.1 else row))
    return [*items, End()]


def answer(plan: Node, items: list[Any]) -> list[Any]:
    if isinstance(plan, PaneAggregate):
        return list(evaluate_panes(plan, items).rows)
    query, stream = lower(plan)
    assert isinstance(stream, ReferenceStream)
    return list(evaluate(query, stream, items).rows)


@pytest.mark.parametrize(("name", "case"), FIRING, ids=lambda value: value if isinstance(value, str) else value["about"])
def test_before_becomes_after(name: str, case: dict[str, str]) -> None:
    assert plain(BY_NAME[name](plan_of(case["before"]))) == plan_of(case["after"])


@pytest.mark.parametrize(("name", "case"), HOLDING, ids=lambda value: value if isinstance(value, str) else value["about"])
def test_where_it_must_not_fire_it_does_not(name: str, case: dict[str, str]) -> None:
    plan = plan_of(case["before"])
    assert BY_NAME[name](plan) == plan


@pytest.mark.parametrize("case", PANES, ids=lambda case: case["about"])
def test_panes_are_as_wide_as_range_and_slide_allow(case: dict[str, Any]) -> None:
    plan = panes_by_gcd(plan_of(case["before"]))
    assert isinstance(plan, PaneAggregate)
    assert str(plan.width) == str(case["panes"])


@pytest.mark.parametrize("case", [*(case for _, case in FIRING), *PANES], ids=lambda case: case["about"])
@pytest.mark.parametrize("stream", [STREAM, PROMISED], ids=["slack", "promises"])
def test_both_sides_give_the_same_rows(case: dict[str, str], stream: str) -> None:
    plan = plan_of(case["before"], stream)
    optimized, fired = optimize(plan)
    assert fired or stream is PROMISED
    for seed in range(15):
        items = disordered(seed, promises=stream is PROMISED)
        for step in fired:
            assert_same_rows(answer(step.after, items), answer(step.before, items))
        assert_same_rows(answer(optimized, items), answer(plan, items))


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case["about"])
def test_no_rule_changes_schema_or_time_attribute(case: dict[str, str]) -> None:
    for step in optimize(plan_of(case["before"]))[1]:
        assert step.after.schema == step.before.schema
        assert step.after.time_attribute == step.before.time_attribute


def test_every_rule_has_cases_of_both_kinds() -> None:
    for rule in set(RULES) - set(RELATION_RULES):
        if rule is not share_panes:
            assert any(name == rule.__name__ for name, _ in FIRING) or rule is panes_by_gcd
            assert any(name == rule.__name__ for name, _ in HOLDING)


def test_pushing_a_selection_past_a_row_window_would_change_the_answer() -> None:
    after = plan_of("SELECT sum(x) AS t FROM s [RANGE 3 ROWS] WHERE x > 3")
    before = plan_of("SELECT sum(x) AS t FROM (SELECT * FROM s WHERE x > 3) [RANGE 3 ROWS]")
    assert any(answer(after, disordered(seed)) != answer(before, disordered(seed)) for seed in range(15))


def together(*queries: str) -> Together:
    plan = Together(tuple(plan_of(query) for query in queries))
    shared, _ = optimize(plan)
    assert isinstance(shared, Together)
    return shared


def widths(plan: Together) -> list[Any]:
    return [query.width if isinstance(query, PaneAggregate) else None for query in plan.queries]


SHARING = ["SELECT count(*) AS n FROM s [RANGE 12 SLIDE 4]", "SELECT sum(x) AS t FROM s [RANGE 9 SLIDE 3]"]


def test_windows_over_one_stream_share_panes() -> None:
    assert widths(together(*SHARING)) == [1, 1]


def test_shared_panes_give_the_same_rows() -> None:
    for shared, alone in zip(together(*SHARING).queries, map(plan_of, SHARING), strict=True):
        for seed in range(15):
            assert_same_rows(answer(shared, disordered(seed)), answer(alone, disordered(seed)))


@pytest.mark.parametrize(
    "other",
    [
        "SELECT g, sum(x) AS t FROM s [RANGE 9 SLIDE 3] GROUP BY g",
        "SELECT sum(x) AS t FROM s [RANGE 9 SLIDE 3] WHERE x > 3",
        "SELECT sum(x) AS t FROM s [RANGE 9 SLIDE 3 OFFSET 1]",
        "SELECT sum(x) AS t FROM s [RANGE 9 SLIDE 3 WATTR y]",
        "SELECT sum(x) AS t FROM s [RANGE 9 SLIDE 3 SLACK 5]",
        "SELECT sum(x) AS t FROM s [RANGE 9 ROWS SLIDE 3 ROWS]",
        "SELECT median(x) AS m FROM s [RANGE 9 SLIDE 3]",
    ],
    ids=["other keys", "other tuples", "other edges", "another attribute", "other disorder", "rows", "no panes"],
)
def test_windows_that_have_less_in_common_do_not(other: str) -> None:
    assert widths(together(SHARING[0], other))[0] == 4
