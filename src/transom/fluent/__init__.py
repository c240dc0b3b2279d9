"""The Python way to say it: the same plans as SQL, with the verbs of PySpark."""

from transom.fluent.aggregates import aggregate
from transom.fluent.functions import Aggregated, avg, count, expr, max, min, sum
from transom.fluent.relation import Grouped, Relation, Windowed
from transom.fluent.sources import sql, stream, together

__all__ = [
    "Aggregated",
    "Grouped",
    "Relation",
    "Windowed",
    "aggregate",
    "avg",
    "count",
    "expr",
    "max",
    "min",
    "sql",
    "stream",
    "sum",
    "together",
]
