"""What classes return, checked against what they declare: rows of the declared columns, values of the declared types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import pyarrow as pa

from transom.errors import WrongReturn
from transom.uda.definition import Columns
from transom.uda.plain_values import arrow_type, as_column

_TYPES: tuple[tuple[Callable[[pa.DataType], bool], tuple[type, ...]], ...] = (
    (pa.types.is_integer, (Integral,)),
    (pa.types.is_floating, (Real,)),
    (pa.types.is_decimal, (int, Decimal)),
    (pa.types.is_boolean, (bool, np.bool_)),
    (pa.types.is_string, (str,)),
    (pa.types.is_timestamp, (datetime, int)),
    (pa.types.is_date, (date, int)),
)
"""The Python types that a column takes."""


def returned(values: Sequence[Any], returns: Columns, name: str) -> pa.Array:
    """What methods returned as a column. A row of several columns is a tuple, or a dict by their names."""
    if returns[0][0]:
        columns = [column for column, _ in returns]
        width = len(columns)
        rows = [row if type(row) is tuple and len(row) == width else _row(row, columns, name) for row in values]
        for at, (column, kind) in enumerate(returns):
            _check([None if row is None else row[at] for row in rows], kind, f"{name}, column {column},")
        return as_column(rows, returns, name)
    _check(values, returns[0][1], name)
    return as_column(values, returns, name)


def _row(value: Any, columns: list[str], name: str) -> Any:
    if isinstance(value, dict) and value.keys() == set(columns):
        return tuple(value[column] for column in columns)
    if value is None or (isinstance(value, tuple | list) and len(value) == len(columns)):
        return value
    raise WrongReturn(
        f"{name} returned something else than a row of its columns",
        given=repr(value)[:80],
        exists=columns,
        remedy=f"return a tuple of {len(columns)} values, or a dict of these names",
    )


def _check(values: Sequence[Any], sql_type: str, whose: str) -> None:
    kind = arrow_type(sql_type)
    accepted = next(types for is_kind, types in _TYPES if is_kind(kind))
    truth = pa.types.is_boolean(kind)
    odd = {
        type_
        for type_ in set(map(type, values)) - {type(None)}
        if not issubclass(type_, accepted) or (issubclass(type_, bool) and not truth)
    }
    for value in values if odd else ():
        if type(value) in odd and not (pa.types.is_integer(kind) and _is_whole(value)):
            raise WrongReturn(
                f"{whose} returned something else than it declares",
                given=f"{value!r}, a {type(value).__name__}"[:80],
                exists=[sql_type],
                remedy=f"return a value of type {sql_type}",
            )


def _is_whole(value: Any) -> bool:
    """Whether it is a number like 2.0; one without end is left to the range of the type."""
    return isinstance(value, float | Decimal | np.floating) and (abs(value) == float("inf") or value % 1 == 0)
