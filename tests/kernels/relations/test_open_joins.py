"""Outer, semi and anti joins before the last step, and as-of joins in a row: what they keep, and what they count on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.engines.relation_kernels import KernelRelations
from transom.language import bind_script
from transom.reference.history import Arrival, End

STREAMS = """
CREATE STREAM a (k BIGINT, x BIGINT, t BIGINT) ORDER BY t;
CREATE STREAM b (k BIGINT, y BIGINT, t BIGINT) ORDER BY t;
CREATE STREAM c (k BIGINT, z BIGINT, t BIGINT) ORDER BY t;
"""

QUERIES = [
    "SELECT x, y, z FROM a [RANGE 20] LEFT JOIN b [RANGE 10] ON a.k = b.k JOIN c [RANGE 5] ON c.k = a.k",
    "SELECT x, y, z FROM a [RANGE 20] FULL JOIN b [RANGE 10] ON a.k = b.k FULL JOIN c [RANGE 5] ON c.k = a.k",
    "SELECT x, z FROM a [RANGE 20] LEFT SEMI JOIN b [RANGE 10] ON a.k = b.k LEFT JOIN c [RANGE 5] ON c.k = a.k",
    "SELECT x, z FROM a [RANGE 20] LEFT ANTI JOIN b [RANGE 10] ON a.k = b.k JOIN c [RANGE 5] ON c.k = a.k",
]

AS_OF = """SELECT x, y, z FROM a ASOF LEFT JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k WITHIN 20
ASOF LEFT JOIN c MATCH_CONDITION (a.t >= c.t) ON a.k = c.k WITHIN 20"""


def plan_of(query: str) -> Any:
    return bind_script(f"{STREAMS}{query};").queries[-1]


def running(one: Any) -> Iterator[Any]:
    """The operators of a query, with those below."""
    yield one
    for side in one.sides:
        if hasattr(side, "below"):
            yield from running(side.below.running)


def rows_kept(execution: Any) -> int:
    """Rows in the state of all operators, and pairs that wait."""
    from transom.kernels.state.store import opened

    blocks = [block for one in running(execution.top) for memory in one.state for block in memory.blocks.values()]
    return sum(opened(block)[0].num_rows for block in blocks)


def arriving(at: int, keys: int) -> list[tuple[str, Any]]:
    return [(name, Arrival({"k": (at * 7 + n * 3 + shift) % keys, value: at, "t": at})) for n in range(3)
            for shift, (name, value) in enumerate((("a", "x"), ("b", "y"), ("c", "z")))]  # fmt: skip


@pytest.mark.parametrize("query", [*QUERIES, AS_OF])
def test_state_is_bounded_and_goes(query: str) -> None:
    execution = KernelRelations().start(plan_of(query), {})
    kept = []
    for at in range(0, 200, 4):
        execution.feed([one for t in range(at, at + 4) for one in arriving(t, 50)])
        kept.append(rows_kept(execution))
    assert max(kept[25:]) <= 1.3 * max(kept[10:25])
    for far in (1000, 2000):
        execution.feed([(name, Arrival({"k": None, value: 0, "t": far})) for name, value in (("a", "x"), ("b", "y"), ("c", "z"))])
    assert rows_kept(execution) <= 0.1 * max(kept)


def test_semi_and_anti_joins_share_the_rows_between_them() -> None:
    """Also where the first match of a row comes after what it is joined with has left."""
    items = [one for t in range(40) for one in arriving(t, 11)] + [(name, End()) for name in "abc"]

    def rows(text: str) -> list[tuple[int, int]]:
        plan = plan_of(f"SELECT x, z FROM a [RANGE 20] {text} c [RANGE 2] ON c.k = a.k")
        return [(row["x"], row["z"]) for row in KernelRelations().start(plan, {}).feed(items)]

    both = [rows(f"{kind} JOIN b [RANGE 3] ON a.k = b.k AND b.y > 10 JOIN") for kind in ("LEFT SEMI", "LEFT ANTI")]
    assert all(both)
    assert sorted(both[0] + both[1]) == sorted(rows("JOIN"))


def test_a_window_takes_in_the_rows_without_a_match() -> None:
    """With TIMESTAMP MAX they have the instant at which it shows: with the timestamp of the tuple they would come too late."""
    made = "CREATE STREAM unpaid AS SELECT x FROM a [RANGE 20] LEFT ANTI JOIN b [RANGE 20] ON a.k = b.k TIMESTAMP MAX;"
    asked = "SELECT u.x, c.z, u.window_end FROM unpaid [TUMBLE 10] AS u LEFT JOIN c [NOW] ON u.x = c.k TIMESTAMP NOW;"
    plan = bind_script(STREAMS + made + asked).queries[-1]
    execution = KernelRelations().start(plan, {})
    found = []
    for t in (1, 15, 29, 43):
        one = {"k": 1, "t": t}
        found += execution.feed([("a", Arrival({**one, "x": t})), ("b", Arrival({**one, "k": 2})), ("c", Arrival(one))])
    found += execution.feed([(name, End()) for name in "abc"])
    assert [(row["x"], row["window_end"]) for row in found] == [(1, 30), (15, 40), (29, 50), (43, 70)]
