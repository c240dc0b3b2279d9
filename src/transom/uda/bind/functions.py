"""The functions that bodies may call, as plain functions of values that are not NULL."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlglot import exp


@dataclass(frozen=True)
class BodyFunction:
    """What a function takes (kinds, or `number`), what it gives (a kind, or `same` as its arguments), and how."""

    takes: tuple[str, ...]
    gives: str
    call: Callable[..., Any]
    skips_null: bool = False


def remainder(a: Any, b: Any) -> Any:
    """The remainder with the sign of the dividend."""
    if isinstance(a, float) or isinstance(b, float):
        if b == 0:
            raise ZeroDivisionError("division by zero")
        return math.nan if math.isinf(a) else math.fmod(a, b)
    magnitude = abs(a) % abs(b)
    return -magnitude if a < 0 else magnitude


def quotient(a: int, b: int) -> int:
    """Integer division towards zero."""
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


def power(a: float, b: float) -> float:
    """A number that is too large is infinite; the root of a negative one is none."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        return math.inf if a == 0 else math.nan


def exponential(a: float) -> float:
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def logarithm(a: float) -> float | None:
    return math.log(a) if a > 0 else None


def substring(text: str, start: int, length: int | None = None) -> str:
    """SQL's substring, from 1; negative starts count from the end."""
    first = start - 1 if start > 0 else max(len(text) + start, 0) if start < 0 else 0
    return text[first:] if length is None else text[first : first + max(length, 0)]


def greatest(*values: Any) -> Any:
    return max((value for value in values if value is not None), key=nan_key, default=None)


def least(*values: Any) -> Any:
    return min((value for value in values if value is not None), key=nan_key, default=None)


def concatenated(*texts: str) -> str:
    return "".join(texts)


FUNCTIONS: dict[type[exp.Expr], BodyFunction] = {
    exp.Abs: BodyFunction(("number",), "same", abs),
    exp.Sqrt: BodyFunction(("double",), "double", lambda a: math.sqrt(a) if a >= 0 else math.nan),
    exp.Exp: BodyFunction(("double",), "double", exponential),
    exp.Ln: BodyFunction(("double",), "double?", logarithm),
    exp.Pow: BodyFunction(("double", "double"), "double", power),
    exp.Floor: BodyFunction(("number",), "int", math.floor),
    exp.Ceil: BodyFunction(("number",), "int", math.ceil),
    exp.Sign: BodyFunction(("double",), "double", lambda a: float((a > 0) - (a < 0))),
    exp.Upper: BodyFunction(("string",), "string", str.upper),
    exp.Lower: BodyFunction(("string",), "string", str.lower),
    exp.Length: BodyFunction(("string",), "int", len),
    exp.Concat: BodyFunction(("string", "..."), "string", concatenated),
    exp.DPipe: BodyFunction(("string", "string"), "string", concatenated),
    exp.Substring: BodyFunction(("string", "int", "int"), "string", substring),
    exp.Greatest: BodyFunction(("any", "..."), "same", greatest, skips_null=True),
    exp.Least: BodyFunction(("any", "..."), "same", least, skips_null=True),
    exp.IntDiv: BodyFunction(("int", "int"), "int", quotient),
    exp.BitwiseAnd: BodyFunction(("int", "int"), "int", lambda a, b: a & b),
    exp.BitwiseOr: BodyFunction(("int", "int"), "int", lambda a, b: a | b),
    exp.BitwiseXor: BodyFunction(("int", "int"), "int", lambda a, b: a ^ b),
}


def names() -> list[str]:
    """What they are called; operators have signs instead."""
    return sorted(
        kind.sql_name().lower() for kind in FUNCTIONS if issubclass(kind, exp.Func) and not issubclass(kind, exp.Binary)
    )


def to_int(value: Any) -> int:
    return int(value)


def to_string(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def to_decimal(value: Any) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(value) if isinstance(value, int | str) else Decimal(repr(value))


def to_double(value: Any) -> float:
    return float(value)


def to_boolean(value: Any) -> bool:
    if isinstance(value, str):
        return {"true": True, "false": False}[value.strip().lower()]
    return bool(value)


CASTS: dict[tuple[str, str], Callable[[Any], Any]] = {
    **{(kind, "double"): to_double for kind in ("int", "decimal", "string", "boolean")},
    **{(kind, "int"): to_int for kind in ("double", "decimal", "string", "boolean")},
    **{(kind, "string"): to_string for kind in ("int", "decimal", "boolean")},
    **{(kind, "decimal"): to_decimal for kind in ("int", "double", "string")},
    **{(kind, "boolean"): to_boolean for kind in ("int", "string")},
    ("timestamp", "int"): lambda value: value // 1_000_000,
}
"""Which casts there are. How doubles and timestamps are spelled is Spark's business."""


def nan_key(value: Any) -> tuple[bool, Any]:
    """SQL's order, in which NaN equals itself and is the largest double."""
    nan = value != value
    return nan, 0 if nan else value


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: nan_key(a) == nan_key(b),
    "ne": lambda a, b: nan_key(a) != nan_key(b),
    "lt": lambda a, b: nan_key(a) < nan_key(b),
    "le": lambda a, b: nan_key(a) <= nan_key(b),
    "gt": lambda a, b: nan_key(a) > nan_key(b),
    "ge": lambda a, b: nan_key(a) >= nan_key(b),
}


def contains(value: Any, options: Sequence[Any]) -> bool | None:
    """IN, in three-valued logic."""
    if not options:
        return False
    if value is None:
        return None
    found = any(option is not None and nan_key(option) == nan_key(value) for option in options)
    return True if found else None if None in options else False
