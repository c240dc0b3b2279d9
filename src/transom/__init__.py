"""Transom: continuous windows on Spark."""

from transom.errors import TransomError
from transom.fluent import aggregate, avg, count, expr, max, min, sql, stream, sum, together
from transom.quality import Quality
from transom.semantics.length import rows
from transom.semantics.time import days, hours, microseconds, milliseconds, minutes, seconds
from transom.version import __version__

__all__ = [
    "Quality",
    "TransomError",
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
    "seconds",
    "sql",
    "stream",
    "sum",
    "together",
]
