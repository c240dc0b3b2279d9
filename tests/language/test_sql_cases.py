"""A directory of SQL cases: the first line of each says `ok` or the name of the error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.uda.aggregate_sql import render_aggregate
from transom import errors
from transom.errors import TransomError
from transom.language import Catalog, bind_script
from transom.language.script import Script
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.sql.render import render
from transom.plan.sql.stream_sql import render_stream
from transom.uda.definition import UserAggregate

CASES = sorted((Path(__file__).parent.parent / "sql").glob("*.sql"))


def expected(case: Path) -> str:
    return case.read_text().splitlines()[0].removeprefix("-- ").strip()


OK = [case for case in CASES if expected(case) == "ok"]
WRONG = [case for case in CASES if expected(case) != "ok"]

of_ok = pytest.mark.parametrize("case", OK, ids=lambda case: case.stem)


def nodes(script: Script) -> Iterator[Node]:
    """All nodes of all plans, those of the definitions too."""
    plans = [plan for _, plan in script.statements if plan is not None]
    for plan in (*plans, *script.catalog.streams.values()):
        yield from plan.chain()


@of_ok
def test_a_good_script_binds(case: Path) -> None:
    bind_script(case.read_text())


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.stem)
def test_a_bad_script_fails_with_the_error_it_names(case: Path) -> None:
    name = expected(case)
    with pytest.raises(getattr(errors, name)) as caught:
        bind_script(case.read_text())
    error = caught.value
    assert isinstance(error, TransomError)
    shown = str(error)
    assert error.name == name
    assert shown.startswith(f"{name}: ")
    assert error.remedy
    assert any(line.strip() and not line.strip().strip("^") for line in shown.splitlines()), "no span is underlined"


@of_ok
def test_a_plan_renders_to_sql_that_binds_to_the_same_plan(case: Path) -> None:
    script = bind_script(case.read_text())
    for plan in [plan for _, plan in script.statements if plan is not None]:
        rendered = render(plan)
        script.catalog.views.clear()  # a view is defined once
        again = bind_script(rendered, catalog=script.catalog)
        assert [other for _, other in again.statements] == [plan], rendered


@of_ok
def test_a_stream_renders_to_sql_that_defines_the_same_stream(case: Path) -> None:
    for node in nodes(bind_script(case.read_text())):
        if isinstance(node, Scan):
            rendered = render_stream(node.stream)
            again = bind_script(rendered).catalog.stream(node.stream.name)
            assert again == node, rendered


@of_ok
def test_an_aggregate_renders_to_sql_that_defines_the_same(case: Path) -> None:
    script = bind_script(case.read_text())
    for name, aggregate in script.catalog.aggregates.items():
        assert isinstance(aggregate, UserAggregate)
        before = Catalog(tables=script.catalog.tables, aggregates={one.name.lower(): one for one in aggregate.uses})
        assert bind_script(render_aggregate(aggregate), before).catalog.aggregates[name] == aggregate


def test_the_cases_say_what_they_show() -> None:
    for case in CASES:
        first, second, *_ = case.read_text().splitlines()
        assert first == f"-- {expected(case)}", case.name
        assert second.startswith("-- "), case.name
        assert len(second) > 5, case.name
        assert expected(case) == "ok" or issubclass(getattr(errors, expected(case)), TransomError), case.name


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 120
    assert 3 * len(WRONG) >= len(CASES)


def test_each_seed_is_among_them() -> None:
    for seed in ("seed000", "seed001", "seed002", "seed003"):
        assert any(case.stem.startswith(seed) for case in CASES), seed
