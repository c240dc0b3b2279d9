"""Every construct over relations is the same plan in SQL and in Python, runs, and gives what the definition says on arrays."""

from __future__ import annotations

import pytest

import transom as tr
from tests.engines.relation_constructs import COLUMNS, EVERY
from transom.language import Catalog, bind_script
from transom.plan.sql.render import render
from transom.planner.runnable import check_runs

STREAMS = {
    name: tr.stream(dict(one.split(" ", 1) for one in text.split(", ")), order_by="t", name=name)
    for name, text in COLUMNS.items()
}
CATALOG = Catalog({name: one.plan for name, one in STREAMS.items()})


@pytest.mark.parametrize("name", EVERY)
def test_sql_and_python_give_one_plan_which_renders_back_and_runs(name: str) -> None:
    sql, build = EVERY[name]
    plan = build(STREAMS["a"], STREAMS["b"]).plan
    assert plan == bind_script(sql, CATALOG).queries[-1]
    assert bind_script(render(plan), CATALOG).queries[-1] == plan
    check_runs(plan)
