"""One value at a time, by Spark's rules: the judge of what is malformed.

Arrow reads whole blocks; what it does not take comes here, record by record. Whatever Arrow takes, this takes too,
with the same result, so that a record means the same whichever neighbours it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any

import pyarrow as pa

from transom.errors import BadOption, NotSupported
from transom.spark.sources.java_pattern import strptime_format
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.zone import zone_of

Convert = Callable[[Any], Any]

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_TIMESTAMP = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2})(?::?(\d{1,2})(?::?(\d{1,2})(?:\.(\d*))?)?)?\s*([A-Za-z+-][\w/:+-]*)?)?"
)
_INTEGER = re.compile(r"[+-]?\d+|0[xX][0-9a-fA-F]+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EXACT = Context(prec=80)


class NotAValue(ValueError):
    """A text that is no value of a type."""


def integer_of(bits: int) -> Convert:
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1

    def convert(value: Any) -> int:
        if isinstance(value, str):
            if not _INTEGER.fullmatch(value.strip()):
                raise NotAValue
            value = int(value, 16 if "x" in value.lower() else 10)
        if type(value) is not int or not low <= value <= high:
            raise NotAValue
        return value

    return convert


def number_of(value: Any) -> float:
    if isinstance(value, bool) or "_" in str(value):
        raise NotAValue
    return float(value)


def decimal_of(precision: int, scale: int) -> Convert:
    def convert(value: Any) -> Decimal:
        if isinstance(value, bool) or "_" in str(value):
            raise NotAValue
        number = Decimal(str(value).strip())
        if not number.is_finite():
            raise NotAValue
        rounded = number.quantize(Decimal(1).scaleb(-scale), rounding=ROUND_HALF_UP, context=_EXACT)
        if len(rounded.as_tuple().digits) > precision:
            raise NotAValue
        return rounded

    return convert


def boolean_of(value: Any) -> bool:
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if isinstance(value, bool):
        return value
    raise NotAValue


def string_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def date_of(pattern: str | None) -> Convert:
    layout = None if pattern is None else strptime_format(pattern)

    def convert(value: Any) -> date:
        if layout is not None:
            return datetime.strptime(value, layout).date()
        match = _DATE.fullmatch(value.strip())
        if match is None:
            raise NotAValue
        return date(*(int(part or 1) for part in match.groups()))

    return convert


def timestamp_of(pattern: str | None, zone: tzinfo | None) -> Convert:
    """Microseconds since 1970, of an instant or, without a zone, of a wall clock."""
    layout = None if pattern is None else strptime_format(pattern)

    def convert(value: Any) -> int:
        if type(value) is int and zone is not None:
            moment = _EPOCH + timedelta(seconds=value)
        else:
            moment = datetime.strptime(value, layout) if layout is not None else _iso(value.strip())
        if zone is None:
            moment = moment.replace(tzinfo=UTC)
        elif moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone)
        return (moment - _EPOCH) // timedelta(microseconds=1)

    return convert


def _iso(text: str) -> datetime:
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise NotAValue
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    micros = int((match[7] or "").ljust(6, "0")[:6])
    return datetime(year, month, day, hour, minute, second, micros, zone_of(match[8]) if match[8] else None)


def converter(kind: pa.DataType, options: ReadOptions) -> Convert:
    """From a text, or from what JSON holds, to a value of a type."""
    if pa.types.is_integer(kind):
        return integer_of(kind.bit_width)
    if pa.types.is_floating(kind):
        return number_of
    if pa.types.is_decimal(kind):
        return decimal_of(kind.precision, kind.scale)
    if pa.types.is_boolean(kind):
        return boolean_of
    if pa.types.is_string(kind):
        return string_of
    if pa.types.is_binary(kind):
        return lambda value: string_of(value).encode()
    if pa.types.is_date(kind):
        return date_of(options.date_format)
    if pa.types.is_timestamp(kind):
        return timestamp_of(options.timestamp_format, None if kind.tz is None else zone_of(options.zone))
    return nested(kind, options)


def nested(kind: pa.DataType, options: ReadOptions) -> Convert:
    """Arrays, maps and structs, which only JSON has."""
    if options.format == "csv":
        raise NotSupported("a column of csv holds one value", given=str(kind), remedy="use FORMAT json, or declare a STRING")
    if pa.types.is_map(kind):
        item = optional(converter(kind.item_type, options))
        return lambda value: [(key, item(one)) for key, one in _expect(value, dict).items()]
    if pa.types.is_list(kind):
        element = optional(converter(kind.value_type, options))
        return lambda value: [element(one) for one in _expect(value, list)]
    if pa.types.is_struct(kind):
        fields = {field.name: optional(converter(field.type, options)) for field in kind}
        return lambda value: {name: one(_expect(value, dict).get(name)) for name, one in fields.items()}
    raise NotSupported(
        "a file source cannot read this type", given=str(kind), remedy="declare a STRING and convert it in a query"
    )


def optional(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _expect(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise NotAValue
    return value


def value_of(convert: Convert, value: Any) -> Any:
    """A value, or NotAValue whatever the reason."""
    if value is None:
        return None
    try:
        return convert(value)
    except (ValueError, TypeError, AttributeError, OverflowError, InvalidOperation, BadOption):
        raise NotAValue from None


def type_name(kind: pa.DataType) -> str:
    """A type as SQL writes it.

    >>> type_name(pa.int64()), type_name(pa.timestamp("us")), type_name(pa.decimal128(10, 2))
    ('BIGINT', 'TIMESTAMP_NTZ', 'DECIMAL(10, 2)')
    """
    if pa.types.is_decimal(kind):
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP_NTZ" if kind.tz is None else "TIMESTAMP"
    names = {"int8": "TINYINT", "int16": "SMALLINT", "int32": "INT", "int64": "BIGINT", "date32[day]": "DATE", "bool": "BOOLEAN"}
    return names.get(str(kind), str(kind).upper())
