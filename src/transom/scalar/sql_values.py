"""How SQL compares and calculates, where Python does it otherwise: NaN, mixed numbers, remainders, casts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from transom.errors import BadExpression
from transom.semantics.time import Duration, micros_of, parse_timestamp


def order_key(value: Any) -> tuple[bool, Any]:
    """SQL's order, in which NaN equals itself and is the largest double."""
    nan = isinstance(value, float) and math.isnan(value)
    return nan, 0 if nan else value


def same_kind(values: list[Any]) -> list[Any]:
    """Operands brought to one type: decimals beside doubles become doubles, durations beside timestamps differences."""
    if any(isinstance(value, float) for value in values):
        return [float(value) if isinstance(value, Decimal) else value for value in values]
    if any(isinstance(value, datetime) for value in values):
        return [timedelta(microseconds=value.micros) if isinstance(value, Duration) else value for value in values]
    return values


def compare(a: Any, b: Any, holds: Callable[[Any, Any], bool]) -> bool | None:
    """A comparison: NULL if either side is."""
    if a is None or b is None:
        return None
    left, right = same_kind([a, b])
    return holds(order_key(left), order_key(right))


def divide(a: Any, b: Any) -> Any:
    """Division; by zero it is an error, as in ANSI SQL."""
    if b == 0:
        raise BadExpression("division by zero", given=f"{a} / {b}", remedy="guard it: CASE WHEN b <> 0 THEN a / b END")
    return a / b


def remainder(a: Any, b: Any) -> Any:
    """The remainder with the sign of the dividend."""
    if b == 0:
        raise BadExpression("division by zero", given=f"{a} % {b}", remedy="guard it: CASE WHEN b <> 0 THEN a % b END")
    if isinstance(a, float) or isinstance(b, float):
        return math.nan if math.isinf(a) else math.fmod(a, b)
    magnitude = abs(a) % abs(b)
    return -magnitude if a < 0 else magnitude


def all_of(values: list[bool | None]) -> bool | None:
    """AND, in three-valued logic."""
    return False if False in values else None if None in values else True


def any_of(values: list[bool | None]) -> bool | None:
    """OR, in three-valued logic."""
    return True if True in values else None if None in values else False


def cast(value: Any, target: str) -> Any:
    """CAST, between the types of columns."""
    if target not in _CASTS:
        raise BadExpression("this is not cast here", given=target, exists=_CASTS, remedy="use one of those")
    if value is None:
        return None
    try:
        return _CASTS[target](value)
    except (ValueError, TypeError, OverflowError):
        raise BadExpression(
            f"this cannot be cast to {target}", given=repr(value), remedy="use TRY_CAST for NULL instead of an error"
        ) from None


def _to_integer(value: Any) -> int:
    return micros_of(value) // 1_000_000 if isinstance(value, datetime) else int(value)


def _to_string(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | str | Decimal):
        return str(value)
    raise TypeError("how doubles and timestamps are spelled is Spark's business")


def _to_timestamp(value: Any) -> datetime:
    return value if isinstance(value, datetime) else parse_timestamp(value)


_CASTS: Mapping[str, Callable[[Any], Any]] = {
    "double": float,
    "bigint": _to_integer,
    "int": _to_integer,
    "string": _to_string,
    "timestamp": _to_timestamp,
}


def exact_decimal(number: Fraction) -> Decimal:
    """A fraction as a decimal; one that decimals made always has one."""
    digits, denominator = 0, number.denominator
    while 10**digits % denominator:
        digits += 1
    whole = number.numerator * 10**digits // denominator
    return Decimal((int(whole < 0), tuple(map(int, str(abs(whole)))), -digits))
