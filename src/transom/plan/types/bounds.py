"""The types of bounds: what a sum of an attribute's values and a window's lengths fits into, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable

from transom.plan.types.schema import INTEGER_TYPES
from transom.semantics.length import Length, Value, digits_of
from transom.semantics.sql_type import SqlType


def axis_type(kind: str) -> str:
    """The type of places on an axis: a date is the instant it begins at."""
    return "TIMESTAMP" if kind == "DATE" else kind


def bounds_type(kind: str, lengths: Iterable[Length | Value] = ()) -> str:
    """The type of bounds on an attribute of this type. Those of exact numbers are wider than it.

    >>> bounds_type("TINYINT", [100, 20]), bounds_type("BIGINT", [2, 0.5]), bounds_type("DECIMAL(3, 1)", [50])
    ('BIGINT', 'DECIMAL(38, 1)', 'DECIMAL(38, 1)')
    """
    digits = digits_of_bounds(_scale(kind), lengths)
    if digits is None:
        return axis_type(kind)
    return "BIGINT" if kind in INTEGER_TYPES and not digits else f"DECIMAL(38, {digits})"


def digits_of_bounds(scale: int | None, lengths: Iterable[Length | Value]) -> int | None:
    """How many digits after the point bounds have, given those of the attribute, 0 of integers; None where they are not exact."""
    digits = digits_of(lengths)
    return None if scale is None or digits is None else max(scale, digits)


def common_bounds(one: str, other: str) -> str | None:
    """The type that takes in bounds of both types; None where they are neither the same nor exact numbers."""
    if one == other:
        return one
    scales = [scale for scale in map(_scale, (one, other)) if scale is not None]
    if len(scales) < 2:
        return None
    return "BIGINT" if {one, other} <= {*INTEGER_TYPES} else f"DECIMAL(38, {max(scales)})"


def _scale(kind: str) -> int | None:
    """The digits of an exact number after its point; None of what is none."""
    return SqlType.of(kind).digits
