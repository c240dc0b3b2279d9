"""Methods that there are not, and what to write instead: what PySpark has, and steps in another order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transom.errors import UnknownMethod, nearest
from transom.fluent.verbs.planned import Planned
from transom.plan.nodes.node import Node

AGG = 'name what you want: agg(n=tr.count(), hi=tr.max("speed"))'
GROUPS = 'a window has groups, and a query has not: window(tumble="5 minutes").group_by("k").agg(...), or as_stream("q") first'
COLUMN = 'name columns in quotes: select("k"), where("v > 1")'
FRAME = "call to_df(), which gives a DataFrame"
HINTS = {
    **dict.fromkeys(("group_by", "groupBy", "groupby", "agg"), GROUPS),
    **dict.fromkeys(("count", "sum", "avg", "mean", "min", "max"), AGG),
    **dict.fromkeys(("withColumn", "withColumns", "selectExpr"), 'write select("*", name="v * 2")'),
    **dict.fromkeys(("withColumnRenamed", "withColumnsRenamed"), 'write select("k", new_name="old_name")'),
    "drop": "name the columns that stay: select(...)",
    "withWatermark": 'say it of the stream: stream(df, order_by="ts", slack="10 seconds")',
    **dict.fromkeys(("dropDuplicates", "drop_duplicates", "dropDuplicatesWithinWatermark"), "call distinct() on a window"),
    **dict.fromkeys(("unionAll", "unionByName"), "select the columns in the same order, and call union(...)"),
    "crossJoin": 'write join(other, how="cross")',
    "tolerate": 'call it behind window(...), or say it of the stream: stream(df, order_by="ts", slack="10 seconds")',
    "having": "give it to agg: agg(n=tr.count(), having='n > 2')",
    "pivot": "aggregate under conditions: agg(a=\"sum(if(k = 'a', v, 0))\")",
    "to_df": "call agg(...) first",
    **dict.fromkeys(
        ("show", "writeStream", "write", "collect", "take", "head", "toPandas", "toDF", "foreach", "cache", "persist", "rdd"),
        FRAME,
    ),
}
"""By the name that is not there; of those, what a class has is never looked up here."""


@dataclass(frozen=True, repr=False)
class Refusing(Planned):
    """Names that are no methods are refused with what to write instead."""

    if not TYPE_CHECKING:  # type checkers know which methods there are

        def __getattr__(self, name: str) -> Any:
            raise unknown(self, name, self.__dict__.get("plan"))

        def __getitem__(self, name: object) -> Any:
            raise UnknownMethod("columns are no items", given=f"[{name!r}]", remedy=COLUMN)


def unknown(of: object, name: str, plan: Node | None) -> AttributeError:
    """The error for an attribute that something has not."""
    if name.startswith("_") or plan is None:
        return AttributeError(f"{type(of).__name__!r} object has no attribute {name!r}")
    has = [one for one in dir(type(of)) if not one.startswith("_")]
    columns = [column.name for column in plan.schema.columns]
    remedy = COLUMN if name in columns else HINTS.get(name) or nearest(name, has)
    return UnknownMethod(f"a {type(of).__name__} has no {name!r}", given=name, exists=has, remedy=remedy)
