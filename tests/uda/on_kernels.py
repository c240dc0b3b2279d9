"""Queries with aggregates written in Python, on the reference and on the kernels, cut in several ways."""

from __future__ import annotations

from typing import Any

from tests.engines.kernels import KernelEngine
from transom.fluent import Relation
from transom.reference.history import Arrival, End
from transom.reference.of_plan import lower
from transom.testing import answer

STREAM = "CREATE STREAM bid (item BIGINT, price DOUBLE, t INT) ORDER BY t;"
BIDS = [(1, 4.0, 0), (2, 8.0, 1), (1, 2.0, 3), (1, None, 4), (2, 1.0, 7), (1, 16.0, 9)]


def rows_on_kernels(query: Relation, tuples: list[Any], cut: int) -> list[Any]:
    asked, stream = lower(query.plan)
    execution = KernelEngine(2, 1).start(asked, stream)
    items = [*(Arrival(dict(zip(stream.columns, one, strict=True))) for one in tuples), End()]
    return [row for start in range(0, len(items), cut) for row in execution.feed(items[start : start + cut])]


def check(query: Relation, expected: list[tuple[Any, ...]], tuples: list[Any] | None = None) -> None:
    given = BIDS if tuples is None else tuples
    assert sorted(map(repr, (tuple(row.values()) for row in answer(query, given, end=True).rows))) == sorted(map(repr, expected))
    for cut in (1, 2, 100):
        assert sorted(map(repr, (tuple(row.values()) for row in rows_on_kernels(query, given, cut)))) == sorted(
            map(repr, expected)
        )
