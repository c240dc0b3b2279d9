"""Transom: continuous windows on Spark.

Names are loaded when they are first used: a worker process of Spark imports its own part of the package and nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from transom.calls import check_all
from transom.errors import LateTuplesWarning, TransomError
from transom.interpreter import find_own_python
from transom.version import __version__

if TYPE_CHECKING:
    from transom.fluent import (
        AggregateClass,
        Aggregated,
        AggregateFunction,
        Grouped,
        Relation,
        RunningQuery,
        Windowed,
        WindowSpec,
        aggregate,
        any_value,
        approx_count_distinct,
        approx_percentile,
        approx_top_k,
        array_agg,
        avg,
        band,
        bool_and,
        bool_or,
        by_tuple,
        collect_list,
        collect_set,
        corr,
        count,
        count_distinct,
        count_if,
        covar_pop,
        covar_samp,
        doctor,
        every_instant,
        expr,
        first,
        kurtosis,
        landmark,
        last,
        listagg,
        max,
        max_by,
        mean,
        median,
        min,
        min_by,
        mode,
        now,
        percentile,
        percentile_approx,
        rescale,
        script,
        session,
        skewness,
        sliding,
        sql,
        state,
        stddev,
        stddev_pop,
        stddev_samp,
        stream,
        string_agg,
        sum,
        sum_distinct,
        together,
        tumbling,
        tune,
        var_pop,
        var_samp,
        variance,
        varying,
        write,
    )
    from transom.fluent.postgres import postgres
    from transom.monitor.attach import console, live
    from transom.quality import Quality
    from transom.semantics.length import rows
    from transom.semantics.time import days, hours, microseconds, milliseconds, minutes, seconds

__all__ = [
    "AggregateClass",
    "AggregateFunction",
    "Aggregated",
    "Grouped",
    "LateTuplesWarning",
    "Quality",
    "Relation",
    "RunningQuery",
    "TransomError",
    "WindowSpec",
    "Windowed",
    "__version__",
    "aggregate",
    "any_value",
    "approx_count_distinct",
    "approx_percentile",
    "approx_top_k",
    "array_agg",
    "avg",
    "band",
    "bool_and",
    "bool_or",
    "by_tuple",
    "collect_list",
    "collect_set",
    "console",
    "corr",
    "count",
    "count_distinct",
    "count_if",
    "covar_pop",
    "covar_samp",
    "days",
    "doctor",
    "every_instant",
    "expr",
    "first",
    "hours",
    "kurtosis",
    "landmark",
    "last",
    "listagg",
    "live",
    "max",
    "max_by",
    "mean",
    "median",
    "microseconds",
    "milliseconds",
    "min",
    "min_by",
    "minutes",
    "mode",
    "now",
    "percentile",
    "percentile_approx",
    "postgres",
    "rescale",
    "rows",
    "script",
    "seconds",
    "session",
    "skewness",
    "sliding",
    "sql",
    "state",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "stream",
    "string_agg",
    "sum",
    "sum_distinct",
    "together",
    "tumbling",
    "tune",
    "var_pop",
    "var_samp",
    "variance",
    "varying",
    "write",
]

_HOMES = {
    "Quality": "transom.quality",
    "console": "transom.monitor.attach",
    "live": "transom.monitor.attach",
    "rows": "transom.semantics.length",
    **dict.fromkeys(("days", "hours", "microseconds", "milliseconds", "minutes", "seconds"), "transom.semantics.time"),
}
"""Where names come from that are not those of `transom.fluent`."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'transom' has no attribute {name!r}")
        home = import_module(_HOMES.get(name, "transom.fluent"))
        value = getattr(home, name)
        globals()[name] = check_all({name: value}, [name])[name] if name in _HOMES else value
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


find_own_python()
