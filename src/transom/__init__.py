"""Transom: continuous windows on Spark."""

from transom.errors import TransomError
from transom.fluent import (
    Grouped,
    Relation,
    RunningQuery,
    Windowed,
    aggregate,
    avg,
    count,
    expr,
    max,
    min,
    script,
    sql,
    stream,
    sum,
    together,
    write,
)
from transom.quality import Quality
from transom.semantics.length import rows
from transom.semantics.time import days, hours, microseconds, milliseconds, minutes, seconds
from transom.version import __version__

__all__ = [
    "Grouped",
    "Quality",
    "Relation",
    "RunningQuery",
    "TransomError",
    "Windowed",
    "__version__",
    "aggregate",
    "avg",
    "count",
    "days",
    "expr",
    "hours",
    "max",
    "microseconds",
    "milliseconds",
    "min",
    "minutes",
    "rows",
    "script",
    "seconds",
    "sql",
    "stream",
    "sum",
    "together",
    "write",
]
