"""What the operators of a join carry: the columns that are used, and no others."""

from __future__ import annotations

import pytest

from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.stages import stages_of

STREAMS = "".join(f"CREATE STREAM {name} (k BIGINT, v DOUBLE, {own} BIGINT, ts TIMESTAMP) ORDER BY ts;" for name, own in
                  (("a", "x"), ("b", "y"), ("c", "z")))  # fmt: skip
ON = "a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL 60 SECONDS AND a.ts"


def carried(text: str) -> list[list[str]]:
    """The columns that each input of the topmost join carries, from the left, without timestamps."""
    stage = planned(bind_script(STREAMS + text).queries[-1]).stages[-1]
    while not hasattr(stage, "kind"):
        assert isinstance(stage, RelationalStage)
        stage = stage.inputs[0].stages[-1]
    return [[name for name, _ in one.carried.columns if not name.startswith("__")] for one in stage.inputs]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (f"SELECT a.k, a.v AS first, b.v AS second FROM a JOIN b ON {ON}", [["a.k", "a.v"], ["b.v"]]),
        (f"SELECT a.v FROM a JOIN b ON {ON} AND a.x < b.y", [["a.v", "x"], ["y"]]),
        (f"SELECT a.v FROM a LEFT JOIN b ON {ON} AND a.x < b.y", [["a.v", "x"], ["y"]]),
        (f"SELECT a.v FROM a JOIN b ON {ON} WHERE x > y", [["a.v", "x"], ["y"]]),
        (f"SELECT ISTREAM a.k, sum(y) AS n FROM a JOIN b ON {ON} GROUP BY a.k", [["a.k"], ["y"]]),
        ("SELECT z FROM a [RANGE 5 SECONDS] JOIN b [RANGE 5 SECONDS] ON a.k = b.k JOIN c [RANGE 5 SECONDS] ON b.v = c.v",
         [["b.v"], ["c.v", "z"]]),
    ],
)  # fmt: skip
def test_a_join_carries_what_is_used(text: str, columns: list[list[str]]) -> None:
    assert [sorted(own) for own in carried(text)] == columns


def test_all_columns_where_rows_are_put_in_order() -> None:
    left, right = carried(f"SELECT ISTREAM a.k, collect_list(y) AS n FROM a JOIN b ON {ON} GROUP BY a.k")
    assert "a.v" in left
    assert "b.v" in right


def test_a_query_resumes_whichever_columns_it_carries() -> None:
    query = bind_script(f"{STREAMS} SELECT a.v FROM a JOIN b ON {ON}").queries[-1]
    assert planned(query).fingerprints == [stage.fingerprint for stage in stages_of(query)]
