"""The types that built-in aggregates give, by those of their arguments: Spark's own rules, where Spark may not be asked."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from transom.kernels.aggregates.call import Call
from transom.kernels.aggregates.catalogue import canonical

DECIMAL_DIGITS = 38
"""The most digits that a decimal of Spark's has."""

COUNTS = ("count", "count_if", "approx_count_distinct")
CONDITIONS = ("bool_and", "bool_or")
SAME = ("min", "max", "first", "last", "mode", "min_by", "max_by", "approx_percentile")
LISTS = ("collect_list", "collect_set")
DOUBLES = (
    "stddev_pop",
    "stddev_samp",
    "var_pop",
    "var_samp",
    "skewness",
    "kurtosis",
    "corr",
    "covar_pop",
    "covar_samp",
    "median",
)


def result_type(call: Call, args: Sequence[pa.DataType]) -> pa.DataType | None:
    """The type of a result; None where the arguments alone do not decide it.

    >>> result_type(Call("sum"), [pa.int32()]), result_type(Call("avg"), [pa.decimal128(10, 2)])
    (DataType(int64), Decimal128Type(decimal128(14, 6)))
    """
    function = canonical(call.function)
    if function in COUNTS:
        return pa.int64()
    if function in CONDITIONS:
        return pa.bool_()
    if function == "string_agg":
        return pa.string()
    if function in DOUBLES:
        return pa.float64()
    if not args or (function == "approx_percentile" and any(isinstance(one, list | tuple) for one in call.options)):
        return None
    if function in SAME:
        return args[0]
    if function in LISTS:
        return pa.list_(pa.field("element", args[0], nullable=False))
    if function in ("sum", "avg"):
        return _total(args[0], more=10 if function == "sum" else 4, average=function == "avg")
    return None


def _total(kind: pa.DataType, *, more: int, average: bool) -> pa.DataType:
    if pa.types.is_decimal(kind):
        digits = min(DECIMAL_DIGITS, kind.precision + more)
        return pa.decimal128(digits, min(DECIMAL_DIGITS, kind.scale + more) if average else kind.scale)
    return pa.int64() if pa.types.is_integer(kind) and not average else pa.float64()
