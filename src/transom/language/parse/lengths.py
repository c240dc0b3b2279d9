"""Reading lengths and points from tokens: `5 MINUTES 30 SECONDS`, `100 ROWS`, `INTERVAL '5' MINUTE`, `10%`, numbers."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from typing import Any

from sqlglot import TokenType

from transom.errors import BadDuration, BadTimestamp
from transom.language.parse.cursor import Cursor
from transom.language.parse.syntax import Percent
from transom.semantics.length import Length, Rows, Value
from transom.semantics.time import MICROS_PER_UNIT, Duration, parse_duration, parse_local_timestamp

UNITS = tuple(f"{unit.upper()}S" for unit in MICROS_PER_UNIT)
UNEVEN = ("MONTH", "MONTHS", "YEAR", "YEARS")


def begins_length(cursor: Cursor) -> bool:
    """Whether a length stands next, rather than an expression."""
    return cursor.at(TokenType.NUMBER, TokenType.DASH) or cursor.at_words("INTERVAL")


def read_length(cursor: Cursor) -> Length | Percent:
    """A length; a percentage where one is written."""
    if cursor.take_words("INTERVAL"):
        return _interval(cursor)
    sign = "-" if cursor.take(TokenType.DASH) else ""
    number = cursor.expect(TokenType.NUMBER, "a length such as 5 MINUTES, 100 ROWS or a number")
    text = sign + number
    if cursor.take_words("ROW") or cursor.take_words("ROWS"):
        return Rows(_integer(cursor, text))
    if cursor.take(TokenType.MOD) or cursor.take_words("PERCENT"):
        return Percent(_percent(cursor, text))
    parts = []
    while _unit(cursor):
        parts.append(f"{text} {cursor.word()}")
        if not (cursor.at(TokenType.NUMBER) and _is_unit(cursor.peek())):
            break
        text = cursor.word()
    if any(cursor.at_words(unit) for unit in UNEVEN):
        raise BadDuration(
            "months and years are not of one length", given=f"{text} {cursor.word()}", exists=UNITS, remedy="give days or weeks"
        )
    return parse_duration(" ".join(parts)) if parts else _number(cursor, text)


def read_point(cursor: Cursor) -> Value:
    """A value on the axis: a number, TIMESTAMP '...' or DATE '...'. Without a zone, a timestamp is of the session's."""
    if cursor.take_words("TIMESTAMP"):
        return parse_local_timestamp(cursor.expect(TokenType.STRING, "a timestamp in quotes"))
    if cursor.take_words("DATE"):
        text = cursor.expect(TokenType.STRING, "a date in quotes")
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise BadTimestamp("this is not a date", given=repr(text), remedy="write DATE '2026-01-31'") from None
    sign = "-" if cursor.take(TokenType.DASH) else ""
    return _number(cursor, sign + cursor.expect(TokenType.NUMBER, "a number, TIMESTAMP '...' or DATE '...'"))


def _interval(cursor: Cursor) -> Duration:
    sign = "-" if cursor.take(TokenType.DASH) else ""
    if cursor.at(TokenType.STRING):
        text = sign + cursor.word()
        return parse_duration(f"{text} {cursor.word()}" if _unit(cursor) else text)
    text = sign + cursor.expect(TokenType.NUMBER, "a number and a unit")
    if not _unit(cursor):
        raise cursor.mistake("an INTERVAL needs a unit", f"use one of {', '.join(unit.upper() for unit in MICROS_PER_UNIT)}")
    return parse_duration(f"{text} {cursor.word()}")


def _unit(cursor: Cursor) -> bool:
    return _is_unit(cursor.here())


def _is_unit(token: Any) -> bool:
    return token is not None and token.text.lower().removesuffix("s") in MICROS_PER_UNIT


def _integer(cursor: Cursor, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise cursor.mistake("rows are counted in whole numbers", "write an integer before ROWS") from None


def _percent(cursor: Cursor, text: str) -> float:
    if len(text) > 20:
        raise cursor.mistake(f"this is no share of anything: {text[:40]}", "give a percentage such as 1%")
    return float(_number(cursor, text))


def _number(cursor: Cursor, text: str) -> int | float | Decimal:
    try:
        number = int(text) if text.lstrip("-").isdigit() else float(text) if "e" in text.lower() else Decimal(text)
    except (ValueError, ArithmeticError):
        raise cursor.mistake(
            f"this is not a number: {text[:40]}", "write an integer, a decimal or a double such as 1e3"
        ) from None
    if isinstance(number, float) and math.isinf(number):
        raise cursor.mistake(f"this number is too large: {text[:40]}", "give a smaller one")
    return number
