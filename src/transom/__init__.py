"""Transom: continuous windows on Spark."""

from transom.errors import TransomError
from transom.semantics.length import rows
from transom.semantics.time import days, hours, microseconds, milliseconds, minutes, seconds

__version__ = "0.1.0"

__all__ = [
    "TransomError",
    "days",
    "hours",
    "microseconds",
    "milliseconds",
    "minutes",
    "rows",
    "seconds",
]
