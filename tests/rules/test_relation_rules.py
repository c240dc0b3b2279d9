"""Each rule over relations: before and after, both answered by the reference; where it must not fire, it does not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engines.relation_kernels import KernelRelations
from tests.reference.relations.test_laws import plan_of, timeline
from transom.explain import explain
from transom.plan.nodes.node import Node
from transom.planner import plan as planned
from transom.reference.relations.relation_answer import answer
from transom.rules import RULES
from transom.rules.relations import RELATION_RULES
from transom.testing import assert_same_rows

CASES = yaml.safe_load((Path(__file__).parent / "relation_cases.yaml").read_text(encoding="utf-8"))
FIRING = [(name, case) for name, cases in CASES.items() for case in cases if "after" in case]
HOLDING = [(name, case) for name, cases in CASES.items() for case in cases if "after" not in case]
BY_NAME = {rule.__name__: rule for rule in RELATION_RULES}


def rows(plan: Node, seed: int) -> Counter[tuple[Any, ...]]:
    """With the item after which each row leaves."""
    return Counter((one.left_at, *one.row.values()) for one in answer(plan, timeline(seed, 14)).results)


def ids(value: Any) -> str:
    return value if isinstance(value, str) else str(value["about"])


@pytest.mark.parametrize(("name", "case"), FIRING, ids=ids)
def test_before_and_after_give_the_same_rows_at_the_same_time(name: str, case: dict[str, str]) -> None:
    before = plan_of(case["before"] + ";")
    after = BY_NAME[name](before)
    assert after != before
    assert after.schema.columns == before.schema.columns
    given = [rows(before, seed) for seed in range(3)]
    assert given == [rows(after, seed) for seed in range(3)]
    assert any(given)


@pytest.mark.parametrize(("name", "case"), FIRING, ids=ids)
def test_a_rule_comes_to_an_end(name: str, case: dict[str, str]) -> None:
    plan = plan_of(case["before"] + ";")
    for _ in range(5):
        plan = BY_NAME[name](plan)
    assert BY_NAME[name](plan) == plan


@pytest.mark.parametrize(("name", "case"), HOLDING, ids=ids)
def test_a_rule_does_not_fire_where_it_must_not(name: str, case: dict[str, str]) -> None:
    plan = plan_of(case["before"] + ";")
    assert BY_NAME[name](plan) == plan


@pytest.mark.parametrize(("name", "case"), FIRING, ids=ids)
def test_the_engine_answers_alike_with_and_without_a_rule(name: str, case: dict[str, str]) -> None:
    plan = plan_of(case["before"] + ";")
    for seed in range(3):
        given = timeline(seed, 14)
        bare, ruled = (KernelRelations(2, rules=rules).start(plan, {}) for rules in ((), (BY_NAME[name],)))
        assert_same_rows(ruled.feed(given), bare.feed(given))


@pytest.mark.parametrize(("name", "case"), FIRING, ids=ids)
def test_the_planner_executes_it_and_explain_shows_it(name: str, case: dict[str, str]) -> None:
    plan = plan_of(case["before"] + ";")
    assert name in [fired.rule for fired in planned(plan).fired]
    assert name.replace("_", " ") in explain(plan).replace("_", " ")


def test_all_are_executed() -> None:
    assert set(RELATION_RULES) <= set(RULES)
    assert set(BY_NAME) == set(CASES)
