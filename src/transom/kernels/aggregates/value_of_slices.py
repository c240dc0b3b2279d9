"""The value of an aggregate over each of many slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.kernels.aggregates.algebras.user_algebra import over_extents
from transom.kernels.aggregates.call import Call
from transom.kernels.aggregates.catalogue import DISTINCT_IS_NO_MATTER, algebra_of, canonical, check
from transom.kernels.aggregates.holistic import chosen_rows, collected, distinct, frequencies, order_statistics, wide_decimals
from transom.kernels.aggregates.partial import Places

Args = Sequence[pa.Array]

BY_ROWS: Mapping[str, Callable[[Call, Args, Places, Places], pa.Array]] = {
    "first": lambda call, args, starts, ends: chosen_rows.first(args[0], starts, ends, call.ignore_nulls),
    "last": lambda call, args, starts, ends: chosen_rows.last(args[0], starts, ends, call.ignore_nulls),
    "min_by": lambda call, args, starts, ends: chosen_rows.extreme_by(args[0], args[1], False, starts, ends),
    "max_by": lambda call, args, starts, ends: chosen_rows.extreme_by(args[0], args[1], True, starts, ends),
    "median": lambda call, args, starts, ends: order_statistics.percentile(args[0], 0.5, starts, ends),
    "percentile": lambda call, args, starts, ends: order_statistics.percentile(args[0], call.options[0], starts, ends),
    "approx_percentile": lambda call, args, starts, ends: order_statistics.approx_percentile(
        args[0], call.options[0], starts, ends
    ),
    "approx_count_distinct": lambda call, args, starts, ends: distinct.count_distinct(args, starts, ends),
    "mode": lambda call, args, starts, ends: frequencies.mode(args[0], starts, ends),
    "top_k": lambda call, args, starts, ends: frequencies.top_k(args[0], int(call.options[0]), starts, ends),
    "collect_list": lambda call, args, starts, ends: collected.collect_list(args[0], starts, ends),
    "collect_set": lambda call, args, starts, ends: collected.collect_set(args[0], starts, ends),
    "string_agg": lambda call, args, starts, ends: collected.string_agg(
        args[0], call.options[0] if call.options else "", starts, ends
    ),
}
"""What is answered from the rows, and not from partials."""

WITHOUT_LANE: Mapping[str, Callable[[Call, Args, Places, Places], pa.Array]] = {
    "min": lambda call, args, starts, ends: chosen_rows.extreme_by(args[0], args[0], False, starts, ends),
    "max": lambda call, args, starts, ends: chosen_rows.extreme_by(args[0], args[0], True, starts, ends),
    "sum": lambda call, args, starts, ends: wide_decimals.total(args[0], starts, ends, call.ansi),
    "avg": lambda call, args, starts, ends: wide_decimals.average(args[0], starts, ends, call.ansi),
}
"""What takes the place of an algebra for types that have no lane; other aggregates take decimals as doubles then."""


def aggregate(call: Call, args: Args, starts: Places, ends: Places) -> pa.Array:
    """The value over each slice [start, end) of the rows. Slices may overlap, come in any order, and be empty."""
    if call.user is not None and not call.user.is_algebra:
        return over_extents(call.user, args, np.asarray(starts, np.int64), np.asarray(ends, np.int64))
    if call.user is None:
        call = replace(call, function=canonical(call.function))
    starts, ends = np.asarray(starts, np.int64), np.asarray(ends, np.int64)
    ends = np.maximum(starts, ends)
    args = [arg.dictionary_decode() if pa.types.is_dictionary(arg.type) else arg for arg in args]
    if call.user is not None:
        return _algebraic(call, args, starts, ends)
    check(call.function, [arg.type for arg in args])
    if call.distinct and call.function not in DISTINCT_IS_NO_MATTER:
        if call.function == "count":
            return distinct.count_distinct(args, starts, ends)
        plain = replace(call, distinct=False)
        return distinct.of_distinct(lambda taken, s, e: aggregate(plain, taken, s, e), args, starts, ends)
    if call.function in BY_ROWS:
        return BY_ROWS[call.function](call, args, starts, ends)
    return _algebraic(call, args, starts, ends)


def _algebraic(call: Call, args: Args, starts: Places, ends: Places) -> pa.Array:
    types = [arg.type for arg in args]
    algebra = algebra_of(call, types)
    if algebra is not None:
        return algebra.lower(algebra.over(args, starts, ends))
    if call.function in WITHOUT_LANE:
        return WITHOUT_LANE[call.function](call, args, starts, ends)
    return _algebraic(call, [pc.cast(arg, pa.float64(), safe=False) for arg in args], starts, ends)
