"""The Python way to say it: the same plans as SQL, with the verbs of PySpark."""

from transom.fluent.aggregates import aggregate
from transom.fluent.functions import Aggregated, avg, count, expr, max, min, sum
from transom.fluent.relation import Grouped, Relation, Windowed
from transom.fluent.sources import script, sql, stream, together
from transom.fluent.writing import write
from transom.spark.running.running_query import RunningQuery

__all__ = [
    "Aggregated",
    "Grouped",
    "Relation",
    "RunningQuery",
    "Windowed",
    "aggregate",
    "avg",
    "count",
    "expr",
    "max",
    "min",
    "script",
    "sql",
    "stream",
    "sum",
    "together",
    "write",
]
