"""What classes return, and what goes wrong while they run."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import transom as tr
from tests.uda.on_kernels import BIDS, STREAM, check, rows_on_kernels
from transom.errors import (
    AggregateFailed,
    ArithmeticOverflow,
    NotPicklable,
    TransomError,
    WrongReturn,
)
from transom.fluent import Relation
from transom.testing import answer


def failing(iterate: Any, initialize: Any = lambda self, x: None, returns: Any = "DOUBLE") -> Relation:
    tr.aggregate(returns=returns, name="odd")(type("odd", (), {"initialize": initialize, "iterate": iterate}))
    return tr.sql(f"{STREAM} SELECT odd(price) AS y FROM bid;")


def returning(value: Any, returns: Any) -> Relation:
    return failing(lambda self, x: value, returns=returns)


PAIR = {"a": "DOUBLE", "b": "BIGINT"}


@pytest.mark.parametrize("row", [(1.0, 2), [1, 2.0], {"b": 2, "a": 1.0}, (np.float64(1.0), np.int64(2))])
def test_a_row_of_several_columns(row: Any) -> None:
    check(returning(row, PAIR), [({"a": 1.0, "b": 2},)] * 2, BIDS[:3])


@pytest.mark.parametrize(
    ("value", "returns", "says"),
    [
        ((1.0,), PAIR, "row of its columns"),
        ((1.0, 2, 3), PAIR, "row of its columns"),
        (1.0, PAIR, "row of its columns"),
        ("ab", {"a": "STRING", "b": "STRING"}, "row of its columns"),
        ({"a": 1.0}, PAIR, "row of its columns"),
        ({"a": 1.0, "b": 2, "c": 3}, PAIR, "row of its columns"),
        ((1.0, 2.5), PAIR, "odd, column b, returned something else"),
        ((1.0, True), PAIR, "True, a bool"),
        (True, "BIGINT", "True, a bool"),
        (np.True_, "BIGINT", "returned something else"),
        (True, "DOUBLE", "True, a bool"),
        (1.5, "BIGINT", "1.5, a float"),
        (float("nan"), "INT", "nan, a float"),
        (1, "BOOLEAN", "1, a int"),
        (1.5, "DECIMAL(10, 2)", "1.5, a float"),
        (1.5, "TIMESTAMP", "1.5, a float"),
        (b"a", "STRING", "a bytes"),
        ({"a": 1}, "BIGINT", "a dict"),
    ],
)
def test_a_wrong_return_has_a_name(value: Any, returns: Any, says: str) -> None:
    query = returning(value, returns)
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(WrongReturn, match=says):
            run()


@pytest.mark.parametrize(("value", "returns"), [(2**70, "BIGINT"), (300, "TINYINT"), (1e30, "INT"), (float("inf"), "BIGINT")])
def test_a_number_that_does_not_fit_is_an_overflow(value: Any, returns: str) -> None:
    query = returning(value, returns)
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(ArithmeticOverflow, match="does not fit"):
            run()


@pytest.mark.parametrize(
    ("value", "returns", "expected"),
    [
        (2, "DOUBLE", 2.0),
        (2.0, "BIGINT", 2),
        (Decimal("1.5"), "DECIMAL(10, 2)", Decimal("1.50")),
        (datetime(2026, 1, 1, tzinfo=UTC), "TIMESTAMP", datetime(2026, 1, 1, tzinfo=UTC)),
        (date(2026, 1, 1), "DATE", date(2026, 1, 1)),
        ("a", "STRING", "a"),
        (True, "BOOLEAN", True),
    ],
)
def test_a_value_of_each_type(value: Any, returns: str, expected: Any) -> None:
    check(returning(value, returns), [(expected,)], BIDS[:2])


@pytest.mark.parametrize(
    ("query", "error", "says"),
    [
        (lambda: failing(lambda self, x: "much"), WrongReturn, "odd returned something else"),
        (lambda: failing(lambda self, x: x / 0), AggregateFailed, "odd failed in iterate"),
        (
            lambda: failing(lambda self, x: None, lambda self, x: setattr(self, "file", object())),
            NotPicklable,
            "self.file is a object",
        ),
        (
            lambda: failing(lambda self, x: None, lambda self, x: setattr(self, "all", self.inwindow)),
            NotPicklable,
            "self.all is a InWindow",
        ),
    ],
)
def test_what_goes_wrong_has_a_name(query: Any, error: type[TransomError], says: str) -> None:
    with pytest.raises(error, match=says):
        rows_on_kernels(query(), BIDS, 1)
