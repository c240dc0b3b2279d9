"""One physical plan: rules change what runs, and nothing that users see."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import transom as tr
from tests.engines.kernels import KernelEngine, stage_of
from tests.engines.kernels import _Running as Running
from transom.errors import NotSupported, TransomError
from transom.explain import explain
from transom.explain.explain_lines import report
from transom.kernels.slices import Slice
from transom.language import bind_script
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.planner import plan as planned
from transom.planner.windowed.window_stage import WindowStage
from transom.reference import Arrival, End
from transom.reference.of_plan import lower
from transom.rules import RULES
from transom.testing.compare import assert_same_rows
from transom.testing.engine import ReferenceEngine

FOLDER = Path(__file__).parents[1]
SCRIPTS = sorted([*(FOLDER / "sql").glob("*.sql"), *(FOLDER / "explain" / "golden").glob("*.sql")])
OK = [path for path in SCRIPTS if path.parent.name == "golden" or path.read_text().startswith("-- ok")]

STREAM = "CREATE STREAM s (g STRING, x BIGINT, a BIGINT) ORDER BY a {}; "
DISORDER = ["SLACK 12", "HEARTBEAT", "DRATIO 10%", "SLACK 12 PER SOURCE (g)", "ORDERED"]
QUERIES = [
    "SELECT count(*) AS n, sum(x) AS t, window_end AS w FROM s [RANGE 10 SLIDE 5] WHERE x > 3",
    "SELECT g, count(*) AS n, window_end AS w FROM s [TUMBLE 10 PATTR g WHERE x > 3]",
    "SELECT median(x) AS m, window_end AS w FROM s [RANGE 10 SLIDE 5] WHERE x > 3",
    "SELECT count(*) AS n, window_end AS w FROM s [BAND -12 TO 11 SLIDE 4] WHERE x > 3",
    "SELECT g, sum(x) AS t, window_end AS w FROM s [LANDMARK FROM -10 SLIDE 5 WHERE g = 'u'] GROUP BY g",
    "SELECT max(x) AS m FROM s [RANGE 6 ROWS SLIDE 4 ROWS] WHERE x > 3",
    "SELECT x, a, window_end AS w FROM s [TUMBLE 10] WHERE x > 3",
]


def plans(path: Path) -> list[Node]:
    found = [plan for _, plan in bind_script(path.read_text()).statements if plan is not None]
    return [
        plan for plan in found if runs(plan) and not any(isinstance(node, LateOf) for node in plan.walk())
    ]  # a job runs those


def runs(plan: Node) -> bool:
    """Whether it is not only the reference that answers a plan."""
    try:
        return bool(planned(plan))
    except NotSupported:
        return False


def items_of(seed: int) -> list[Any]:
    rng = random.Random(seed)
    made = [{"g": rng.choice(["u", "v", None]), "x": rng.randint(0, 9), "a": rng.randint(-25, 25) + n // 2} for n in range(40)]
    return [*(Arrival({**row, "a": None} if rng.random() < 0.1 else row) for row in made), End()]


CASES = [
    (query, disorder)
    for query in QUERIES
    for disorder in DISORDER
    if "ROWS" not in query or "PER SOURCE" not in disorder  # substreams of a slice are taken one after the other
]


@pytest.mark.parametrize(("query", "disorder"), CASES)
def test_rows_counts_and_late_tuples_are_those_of_the_definitions_whichever_rules_fire(query: str, disorder: str) -> None:
    plan = tr.sql(STREAM.format(disorder) + query).plan
    for seed in range(3):
        items = items_of(seed)
        wanted = ReferenceEngine().start(*lower(plan))
        rows = wanted.feed(items[:20]), wanted.feed(items[20:])
        for rules in ((), RULES, *((rule,) for rule in RULES)):
            got = KernelEngine(shards=2, slices=2, rules=rules, seed=seed).start(*lower(plan))
            assert_same_rows(got.feed(items[:20]), rows[0])
            assert_same_rows(got.feed(items[20:]), rows[1])
            assert got.counts() == wanted.counts(), rules
            assert_same_rows(got.late(), wanted.late())


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_fingerprints_do_not_depend_on_rules(path: Path) -> None:
    for plan in plans(path):
        for rules in ((), *((rule,) for rule in RULES)):
            assert planned(plan, rules).fingerprints == planned(plan).fingerprints


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_explain_prints_the_plan_that_runs(path: Path) -> None:
    for plan in plans(path):
        physical = planned(plan)
        assert explain(plan) == report(physical)
        strategy = physical.strategy
        assert ("strategy: none" in explain(plan)) == (strategy is None)
        for stage in physical.stages:
            if strategy is not None and stage is physical.stages[-1] and isinstance(stage, WindowStage):
                assert (strategy.name == "panes") == (stage.width is not None)


def sent(query: str, rules: Any) -> tuple[int, list[str]]:
    """How many rows bucket sends of a thousand tuples, and their columns."""
    engine = KernelEngine(rules=rules)
    plan = tr.sql(STREAM.format("SLACK 5") + query).plan
    running = Running(stage_of(plan, engine), lower(plan)[1], engine)
    made = {"g": ["u", "v"] * 500, "x": [n % 10 for n in range(1000)], "a": list(range(1000))}
    table = pa.table({name: pa.array(made[text]) for name, text in running.columns.items() if text in made})
    if "__pick" in running.columns:
        table = table.append_column("__pick", pa.array([x > 8 for x in made["x"]]))
    elif running.stage.below:
        table = table.append_column("__keep", pa.array([x > 8 for x in made["x"]]))
    slices: list[Slice] = [piece for _, piece in running.bucket.slices(table, ("", 0, 0))]
    return sum(piece.rows.num_rows for piece in slices), slices[0].rows.column_names


def test_a_filter_that_moved_below_its_window_keeps_tuples_from_the_exchange() -> None:
    query = "SELECT g, median(x) AS m FROM s [TUMBLE 100] WHERE x > 8 GROUP BY g"
    assert sent(query, ())[0] == 1000
    rows, columns = sent(query, RULES)
    assert rows == 100
    assert not {"__pick", "__keep"} & {*columns}


def test_panes_send_partial_aggregates() -> None:
    query = "SELECT g, sum(x) AS t FROM s [RANGE 100 SLIDE 50] GROUP BY g"
    assert sent(query, ())[0] == 1000
    assert sent(query, RULES)[0] == 2 * 20


def test_partitions_become_groups_in_what_runs() -> None:
    plan = tr.sql(STREAM.format("") + "SELECT g, count(*) AS n FROM s [TUMBLE 10 PATTR g]").plan
    (before,), (after,) = planned(plan, ()).stages, planned(plan).stages
    assert (before.partition_by, after.partition_by) == (("g",), ())
    assert before.keys == after.keys == ("g",)


def test_windows_together_share_the_panes_of_the_plan() -> None:
    s = tr.sql(STREAM.format("") + "SELECT * FROM s")
    asked = [
        tr.sql("SELECT sum(x) AS t FROM s [RANGE 12 SLIDE 4]", s=s),
        tr.sql("SELECT sum(x) AS t FROM s [RANGE 9 SLIDE 3]", s=s),
    ]
    (stage,) = planned(tr.together(*asked).plan).stages
    assert isinstance(stage, WindowStage)
    assert stage.width == 1


def test_late_tuples_are_asked_for_of_the_plan_as_it_was_written() -> None:
    plan = tr.sql(STREAM.format("SLACK 5") + QUERIES[0]).plan
    assert planned(plan).fired
    assert not [one.rule for one in planned(LateOf(plan, "q")).fired if one.rule != "panes_by_gcd"]


@pytest.mark.parametrize("window", ["LANDMARK EVERY 20 SLIDE {n}", "BAND 0 TO {n}0 SLIDE {n}"])
def test_windows_that_share_no_panes_do_not_run_together(window: str) -> None:
    s = tr.sql(STREAM.format("") + "SELECT * FROM s")
    asked = [tr.sql(f"SELECT sum(x) AS n FROM s [{window.format(n=n)}]", s=s) for n in (5, 10)]
    with pytest.raises(TransomError, match="differ in the RANGE and SLIDE"):
        planned(tr.together(*asked).plan)


def test_queries_without_panes_do_not_run_together() -> None:
    s = tr.sql(STREAM.format("") + "SELECT * FROM s")
    asked = [tr.sql(f"SELECT median(x) AS m FROM s [TUMBLE {n}]", s=s) for n in (5, 10)]
    with pytest.raises(TransomError, match="algebraic"):
        planned(tr.together(*asked).plan)
