"""What fits into the types that aggregates return: bodies compute with numbers of any size."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa

from transom.errors import AggregateFailed
from transom.uda.plain_values import arrow_type


def bounds_of(sql_type: str) -> tuple[Any, Any] | None:
    """The numbers between which the values of a type are; None if it has no bounds. Decimals are rounded before they are kept.

    >>> bounds_of("TINYINT"), bounds_of("DECIMAL(3, 1)"), bounds_of("DOUBLE")
    ((-129, 128), (Decimal('-99.95'), Decimal('99.95')), None)
    """
    kind = arrow_type(sql_type)
    if pa.types.is_decimal(kind):
        digits = "9" * (kind.precision - kind.scale) + "." + "9" * kind.scale + "5"
        return Decimal(f"-{digits}"), Decimal(digits)
    if pa.types.is_integer(kind):
        return -(2 ** (kind.bit_width - 1)) - 1, 2 ** (kind.bit_width - 1)
    return None


def fits(value: Any, sql_type: str) -> bool:
    """Whether a value fits; NULL does.

    >>> fits(127, "TINYINT"), fits(128, "TINYINT")
    (True, False)
    """
    bounds = bounds_of(sql_type)
    return value is None or bounds is None or bounds[0] < value < bounds[1]


def too_large(value: Any, sql_type: str) -> Any:
    """Refuse a value that does not fit."""
    raise AggregateFailed(f"{value} does not fit into {sql_type}", given=str(value), remedy="return a wider type")
