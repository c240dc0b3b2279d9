"""Expressions are read as Spark reads them."""

from __future__ import annotations

import pytest

import transom as tr
from transom.plan.expression import Expression, parse
from transom.testing import answer


@pytest.mark.parametrize(
    ("text", "value"),
    [("'a''b'", "a'b"), ('"a""b"', 'a"b'), (r"'a\'b'", "a'b"), ("''''", "'"), ("''", ""), (r"'\\'", "\\"), ("'a\"b'", 'a"b')],
)
def test_a_quote_that_is_doubled_is_one(text: str, value: str) -> None:
    assert parse(text).this == value
    assert parse(Expression.of(text).text).this == value
    asked = tr.sql(f"CREATE STREAM s (k STRING, t INT) ORDER BY t; SELECT {text} AS y, k = {text} AS same FROM s [NOW];")
    assert answer(asked, [(value, 1)], end=True).rows == [{"y": value, "same": True}]
