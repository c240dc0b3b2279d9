"""Arithmetic with aggregates, as with PySpark's Columns: `tr.sum("fuel") / tr.count()`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from transom.spark.column_text import Column

PLACES = re.compile(r"\{\{|\}\}|\{(\d+)\}")
"""The braces of a form: doubled ones, and the places of operands."""


@dataclass(frozen=True, repr=False)
class Arithmetic:
    """The operators of an aggregate."""

    form: str
    operands: tuple[str, ...] = ()
    name: str | None = None
    aggregates: tuple[Any, ...] = ()

    def __add__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("+", other)

    def __radd__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("+", other, turned=True)

    def __sub__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("-", other)

    def __rsub__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("-", other, turned=True)

    def __mul__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("*", other)

    def __rmul__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("*", other, turned=True)

    def __truediv__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("/", other)

    def __rtruediv__(self, other: Arithmetic | Column | int | float) -> Self:
        return self._with("/", other, turned=True)

    def _with(self, operator: str, other: Any, *, turned: bool = False) -> Self:
        if not isinstance(other, Arithmetic):
            if isinstance(other, bool | str) or not _is_operand(other):
                return NotImplemented  # type: ignore[no-any-return]
            other = type(self)(_text(other))
        one, two = (other, self) if turned else (self, other)
        moved = PLACES.sub(lambda found: found[0] if found[1] is None else f"{{{int(found[1]) + len(one.operands)}}}", two.form)
        return type(self)(
            f"({one.form}) {operator} ({moved})", (*one.operands, *two.operands), None, (*one.aggregates, *two.aggregates)
        )


def _is_operand(other: object) -> bool:
    from transom.fluent.functions.aggregated import is_column

    return isinstance(other, int | float) or is_column(other)


def _text(other: Any) -> str:
    from transom.fluent.functions.aggregated import operand

    return operand(other).replace("{", "{{").replace("}", "}}")
