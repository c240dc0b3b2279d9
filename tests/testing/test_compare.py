"""Rows are compared as bags, and the difference can be read."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.errors import RowsDiffer
from transom.testing import assert_same_rows

ROWS = st.lists(st.fixed_dictionaries({"k": st.integers(0, 3) | st.none(), "v": st.floats() | st.text(max_size=2)}), max_size=8)


@given(rows=ROWS, rng=st.randoms(use_true_random=False))
def test_order_does_not_matter(rows: list[dict[str, Any]], rng: Any) -> None:
    assert_same_rows(rng.sample(rows, len(rows)), rows)


@given(rows=ROWS.filter(bool))
def test_multiplicity_does(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(RowsDiffer):
        assert_same_rows(rows[1:], rows)
    with pytest.raises(RowsDiffer):
        assert_same_rows([*rows, rows[0]], rows)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 1.0),
        (0.1, Decimal("0.1")),
        (math.nan, math.nan),
        (datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)),
        ([1, 2], (1, 2)),
    ],
)
def test_values_that_are_the_same(a: Any, b: Any) -> None:
    assert_same_rows([{"v": a}], [{"v": b}])


@pytest.mark.parametrize(("a", "b"), [(1, True), (0, None), (math.nan, None), ("1", 1), (0.1, 0.1 + 1e-12), ("", None)])
def test_values_that_are_not(a: Any, b: Any) -> None:
    with pytest.raises(RowsDiffer):
        assert_same_rows([{"v": a}], [{"v": b}])


def test_doubles_may_differ_by_a_tolerance() -> None:
    assert_same_rows([{"v": 0.1 + 1e-12}], [{"v": 0.1}], rel_tol=1e-9)
    with pytest.raises(RowsDiffer):
        assert_same_rows([{"v": 0.2}], [{"v": 0.1}], rel_tol=1e-9)


def test_the_difference_shows_the_row_meant_and_what_is_wrong_with_it() -> None:
    with pytest.raises(RowsDiffer) as caught:
        assert_same_rows([{"seg": "a", "hi": 41}, {"seg": "b", "hi": 7}], [{"seg": "a", "hi": 40}])
    assert str(caught.value).splitlines() == [
        "RowsDiffer: 1 of 1 rows missing, 2 unexpected",
        "  missing     {seg: a, hi: 40}",
        "  instead     {seg: a, hi: 41}  (hi is 41)",
        "  unexpected  {seg: b, hi: 7}",
    ]


def test_a_long_difference_is_cut() -> None:
    with pytest.raises(RowsDiffer, match=r"\.\.\. and 30 more"):
        assert_same_rows([], [{"n": n} for n in range(50)])
