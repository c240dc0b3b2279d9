"""Columns as lists of plain values, which bodies compute with, and results as columns again.

Timestamps are microseconds, dates days: whole numbers that compare and subtract as they should.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import sqlglot
from sqlglot import exp

from transom.errors import ArithmeticOverflow, WrongReturn
from transom.uda.definition import Columns

_ARROW: dict[str, pa.DataType] = {
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "STRING": pa.string(),
    "VARCHAR": pa.string(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
    "TIMESTAMP_NTZ": pa.timestamp("us"),
    "DATE": pa.date32(),
}


def arrow_type(sql_type: str) -> pa.DataType:
    """The Arrow type of a SQL type."""
    tree = sqlglot.parse_one(f"CAST(NULL AS {sql_type})", read="spark").args["to"]
    base = str(tree.this.value).upper() if isinstance(tree, exp.DataType) else sql_type.upper()
    base = {"TEXT": "STRING", "TIMESTAMPTZ": "TIMESTAMP", "TIMESTAMPLTZ": "TIMESTAMP", "TIMESTAMPNTZ": "TIMESTAMP_NTZ"}.get(
        base, base
    )
    if base == "DECIMAL":
        digits = [int(part.name) for part in tree.expressions] or [10, 0]
        return pa.decimal128(digits[0], digits[1] if len(digits) > 1 else 0)
    if base == "STRUCT":
        return pa.struct([(part.name, arrow_type(part.args["kind"].sql("spark"))) for part in tree.expressions])
    return _ARROW[base]


def result_type(returns: Columns) -> pa.DataType:
    """The Arrow type of what an aggregate returns: of several columns, a struct."""
    if len(returns) == 1 and not returns[0][0]:
        return arrow_type(returns[0][1])
    return pa.struct([(name, arrow_type(kind)) for name, kind in returns])


def listed(column: pa.Array) -> list[Any]:
    """The values of a column."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64())
    elif pa.types.is_date32(kind):
        column = column.cast(pa.int32())
    elif pa.types.is_floating(kind) and not column.null_count:
        return list(column.to_numpy(zero_copy_only=False).astype(float).tolist())
    elif pa.types.is_integer(kind) and not column.null_count:
        return list(column.to_numpy(zero_copy_only=False).tolist())
    return list(column.to_pylist())


def has_odd(column: pa.Array) -> bool:
    """Whether a column has NULLs, NaNs or infinities."""
    if column.null_count:
        return True
    return bool(pa.types.is_floating(column.type) and len(column) and not pc.all(pc.is_finite(column)).as_py())


def as_column(values: Sequence[Any], returns: Columns, name: str) -> pa.Array:
    """Results as a column of the declared type."""
    kind = result_type(returns)
    try:
        if not pa.types.is_struct(kind):
            return _column(values, kind)
        parts = [
            _column([None if row is None else row[at] for row in values], kind.field(at).type) for at in range(kind.num_fields)
        ]
        return pa.StructArray.from_arrays(parts, fields=[kind.field(at) for at in range(kind.num_fields)])
    except (OverflowError, TypeError, AttributeError, IndexError, pa.ArrowException) as error:
        if _is_too_large(values, kind):
            raise ArithmeticOverflow(
                f"what {name} returned does not fit into {kind}: {error}",
                given=_odd_one(values, kind),
                remedy="return a wider type",
            ) from None
        raise WrongReturn(
            f"{name} returned something else than it declares: {error}",
            given=_odd_one(values, kind),
            exists=[str(kind)],
            remedy=f"return a value of type {kind}",
        ) from None


def _column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_timestamp(kind) and not any(hasattr(value, "tzinfo") for value in values):
        return pa.array(values, pa.int64()).cast(kind)
    if pa.types.is_date(kind) and not any(hasattr(value, "year") for value in values):
        return pa.array(values, pa.int32()).cast(kind)
    if pa.types.is_decimal(kind):
        exact = pa.array(values, pa.decimal256(76, 38) if any(value is not None for value in values) else kind)
        return pc.round(exact, kind.scale, "half_towards_infinity").cast(kind, safe=False)
    if pa.types.is_float32(kind):
        return pa.array(values, pa.float64()).cast(kind, safe=False)
    return pa.array(values, kind)


def _is_too_large(values: Sequence[Any], kind: pa.DataType) -> bool:
    """Whether numbers were returned where numbers are declared, of which one is too large."""
    flat = [part for row in values for part in (row if isinstance(row, tuple) else (row,)) if part is not None]
    numbers = all(isinstance(part, int | float | Decimal) for part in flat)
    return numbers and (pa.types.is_struct(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def _odd_one(values: Sequence[Any], kind: pa.DataType) -> str:
    """The first value that does not fit."""
    for value in values:
        try:
            pa.array([value], kind)
        except (pa.ArrowException, OverflowError, TypeError):
            return repr(value)[:80]
    return repr(values[0])[:80] if values else "nothing"
