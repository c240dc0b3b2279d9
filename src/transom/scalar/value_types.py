"""The types of columns, and values of those types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from transom.errors import BadTuple, UnknownType
from transom.scalar.sql_values import exact_decimal
from transom.semantics.length import Number, Unit
from transom.semantics.time import timestamp_of

TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "int": (int,),
    "bigint": (int,),
    "double": (float, int),
    "decimal": (Decimal, int),
    "timestamp": (datetime,),
    "date": (date,),
}

UNITS: Mapping[str, Unit] = {
    "int": Unit.NUMBER,
    "bigint": Unit.NUMBER,
    "double": Unit.NUMBER,
    "decimal": Unit.NUMBER,
    "timestamp": Unit.TIME,
    "date": Unit.TIME,
}
"""What a windowing attribute of each type is measured in; the other types have no distance."""


def known_type(name: str, column: str) -> str:
    """The type, if there is one of this name."""
    if name not in TYPES:
        raise UnknownType(
            f"column {column!r} has a type that does not exist", given=name, exists=TYPES, remedy="use one of those"
        )
    return name


def value_of_type(value: Any, kind: str, column: str) -> Any:
    """The value as one of its type: integers widen to doubles and decimals, timestamps are brought to UTC."""
    if value is None:
        return None
    fits = isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
    if kind == "date" and isinstance(value, datetime):
        fits = False
    if not fits:
        raise BadTuple(
            f"column {column!r} is of type {kind}",
            given=f"{value!r} ({type(value).__name__})",
            remedy=f"give a value of type {kind}, or NULL",
        )
    try:
        return _widened(value, kind)
    except (OverflowError, ArithmeticError):
        raise BadTuple(
            f"column {column!r} cannot hold this value", given=str(value)[:80], remedy=f"give a {kind} within range"
        ) from None


def _widened(value: Any, kind: str) -> Any:
    if kind == "double":
        return float(value)
    if kind == "decimal":
        exact = Decimal(value)
        if exact.is_snan():
            raise ArithmeticError("a signalling NaN is no value")
        return exact
    if kind == "timestamp":
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    return value


def value_on_axis(number: Number | None, kind: str) -> Any:
    """A number of the axis as a value of the windowing attribute's type. Dates are reported as timestamps."""
    if number is None:
        return None
    if UNITS[kind] is Unit.TIME:
        return timestamp_of(int(number))
    if isinstance(number, Fraction):
        return exact_decimal(number)
    return Decimal(number) if kind == "decimal" else number
