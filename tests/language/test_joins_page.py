"""The page on joins: every query on it runs, and the operators answer what the reference does."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.engines.relation_kernels import KernelRelations
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.relations.relational_stages import RelationalStage
from transom.planner.runnable import check_runs
from transom.reference.history import Arrival, End
from transom.testing import assert_same_rows
from transom.testing.relation_transcript import ReferenceRelations

PAGE = (Path(__file__).parents[2] / "docs" / "joins.md").read_text(encoding="utf-8")
BLOCKS = [re.sub(r"--[^\n]*", "", block) for block in re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)]
STREAMS = BLOCKS[0]
START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def queries() -> list[str]:
    found = []
    for block in BLOCKS[1:]:
        statements = [one.strip() for one in block.split(";") if one.strip()]
        made = "".join(f"{one};" for one in statements if one.startswith("CREATE"))
        found += [made + one for one in statements if one.startswith("SELECT")]
    return found


def arrivals(seed: int) -> list[tuple[str, Any]]:
    rng = random.Random(seed)
    made: list[tuple[str, Any]] = []
    for n in range(70):
        ts = START + timedelta(minutes=4 * n)
        who = {"customer": rng.choice("xyz"), "ts": ts}
        kind = rng.choice(["orders", "orders", "payments", "rates", "clicks"])
        rows = {
            "orders": {"id": n // 3, "region": rng.choice("NS"), "amount": rng.randint(1, 9), **who},
            "payments": {"order_id": rng.randint(max(0, n // 3 - 6), n // 3), "paid": rng.randint(1, 9), **who},
            "rates": {"region": rng.choice("NS"), "rate": rng.randint(1, 3), "ts": ts},
            "clicks": {"page": rng.choice("ab"), **who},
        }
        made.append((kind, Arrival(rows[kind])))
    late = {"id": 99, "region": "N", "amount": 1, "customer": "x", "ts": START}
    made.append(("orders", Arrival(late)))
    return [*made, *((name, End()) for name in ("orders", "payments", "rates", "clicks"))]


@pytest.mark.parametrize("query", queries(), ids=lambda text: " ".join(text.split())[:60])
def test_a_query_of_the_page_runs(query: str) -> None:
    plan = bind_script(STREAMS + query + ";").queries[-1]
    check_runs(plan)
    given = arrivals(1)
    known = ReferenceRelations().start(plan, {}).feed(given)
    assert known
    if isinstance(planned(plan).stages[-1], RelationalStage):
        assert_same_rows(KernelRelations(2).start(plan, {}).feed(given), known)
