"""Which aggregates there are, and the algebra of those that have one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from transom.errors import NotSupported, nearest
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.algebras.counting import Counting
from transom.kernels.aggregates.algebras.double_sum import DoubleSum
from transom.kernels.aggregates.algebras.extreme import Extreme
from transom.kernels.aggregates.algebras.extreme_by import ExtremeBy
from transom.kernels.aggregates.algebras.first_last import Edge
from transom.kernels.aggregates.algebras.integer_sum import IntegerAverage, IntegerSum
from transom.kernels.aggregates.algebras.user_algebra import algebra_of_user
from transom.kernels.aggregates.algebras.variances import POWERS, Comoments, Moments
from transom.kernels.aggregates.call import Call
from transom.kernels.aggregates.lanes import lane_of

Types = Sequence[pa.DataType]

SYNONYMS = {"every": "bool_and", "some": "bool_or", "any": "bool_or", "listagg": "string_agg", "mean": "avg"}

COMPARING = ("min", "max", "mode", "collect_set", "approx_count_distinct")
BY = ("min_by", "max_by")
COMOMENTS = ("corr", "covar_pop", "covar_samp")

DISTINCT_IS_NO_MATTER = frozenset(
    {"min", "max", "bool_and", "bool_or", "collect_set", "approx_count_distinct", "min_by", "max_by", "first", "last"}
)


def _numbers(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal128(kind))


def _strings(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_binary(kind))


def _conditions(kind: pa.DataType) -> bool:
    return bool(pa.types.is_boolean(kind))


def _comparable(kind: pa.DataType) -> bool:
    return not pa.types.is_nested(kind)


def _sum(call: Call, types: Types) -> Algebra:
    average = call.function == "avg"
    if pa.types.is_floating(types[0]):
        return DoubleSum(average)
    return IntegerAverage(types[0], call.ansi) if average else IntegerSum(types[0], call.ansi)


def _moments(call: Call, types: Types) -> Algebra:
    return Moments(call.function, types[0]) if call.function in POWERS else Comoments(call.function, *types)


def _condition(call: Call, types: Types) -> Algebra:
    if call.function == "count_if":
        return Counting(condition=True)
    return Extreme(types[0], call.function == "bool_or")


ALGEBRAS: Mapping[str, Callable[[Call, Types], Algebra]] = {
    "count": lambda call, types: Counting(),
    "count_if": _condition,
    "sum": _sum,
    "avg": _sum,
    "min": lambda call, types: Extreme(types[0], False),
    "max": lambda call, types: Extreme(types[0], True),
    "bool_and": _condition,
    "bool_or": _condition,
    "first": lambda call, types: Edge(types[0], False, call.ignore_nulls),
    "last": lambda call, types: Edge(types[0], True, call.ignore_nulls),
    "min_by": lambda call, types: ExtremeBy(types[0], types[1], False),
    "max_by": lambda call, types: ExtremeBy(types[0], types[1], True),
    **dict.fromkeys([*POWERS, *COMOMENTS], _moments),
}

TAKES: Mapping[str, tuple[str, Callable[[pa.DataType], bool]]] = {
    **dict.fromkeys(["sum", "avg", *POWERS, *COMOMENTS, "median", "percentile"], ("numbers", _numbers)),
    **dict.fromkeys(["bool_and", "bool_or", "count_if"], ("a condition", _conditions)),
    **dict.fromkeys([*COMPARING, *BY], ("values that can be compared", _comparable)),
    "string_agg": ("strings", _strings),
}
"""What an aggregate takes that does not take anything."""

HOLISTIC = (
    "median",
    "percentile",
    "approx_percentile",
    "approx_count_distinct",
    "mode",
    "top_k",
    "collect_list",
    "collect_set",
    "string_agg",
)

NAMES = tuple(sorted([*ALGEBRAS, *HOLISTIC, *SYNONYMS]))
"""Every name that a call may have."""


def canonical(function: str) -> str:
    """The one name of several that an aggregate has."""
    if function not in NAMES:
        raise NotSupported("no such aggregate is built in", given=function, exists=NAMES, remedy=nearest(function, NAMES))
    return SYNONYMS.get(function, function)


def check(function: str, types: Types) -> None:
    """Refuse arguments that an aggregate does not take."""
    what, accepted = TAKES.get(function, ("anything", lambda kind: True))
    if not all(map(accepted, types[1:] if function in BY else types)):
        given = f"{function}({', '.join(map(str, types))})"
        nested = any(map(pa.types.is_nested, types))
        remedy = "aggregate one of its fields" if nested else "cast the argument"
        raise NotSupported(f"{function} takes {what}", given=given, remedy=remedy)


def algebra_of(call: Call, types: Types) -> Algebra | None:
    """The algebra of a call on arguments of these types: None if it is holistic, or a type has no lane of fixed width."""
    if call.user is not None:
        return algebra_of_user(call.user)
    function = canonical(call.function)
    check(function, types)
    if function not in ALGEBRAS or (call.distinct and function not in DISTINCT_IS_NO_MATTER):
        return None
    if function != "count" and any(lane_of(kind) is None for kind in types):
        return None
    return ALGEBRAS[function](replace(call, function=function), types)
