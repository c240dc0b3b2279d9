"""Expressions are read as Spark reads them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlglot.generator import Generator

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


def test_parts_are_replaced_without_writing_every_part_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text is generated for what can be a part alone, or a long sum takes time quadratic in its length."""
    made: list[str] = []
    generate = Generator.generate

    def counted(self: Generator, *arguments: Any, **options: Any) -> str:
        made.append(generate(self, *arguments, **options))
        return made[-1]

    monkeypatch.setattr(Generator, "generate", counted)
    counts = []
    for terms in (10, 200):
        item = Expression.of(f"sum({' + '.join(['v'] * terms)}) + max(w + 1) + k % 7")
        made.clear()
        parts = {f"SUM({' + '.join(['v'] * terms)})": "__y0", "MAX(w + 1)": "__y1", "k % 7": "k % 7"}
        assert item.replacing(parts).text == "`__y0` + `__y1` + `k % 7`"
        counts.append(len(made))
    assert counts[0] == counts[1]
    assert Expression.of("v + 1").replacing({}).text == "v + 1"
