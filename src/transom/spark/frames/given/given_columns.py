"""The type of a Column of Spark Connect, worked out on this side: from the types of columns, and the SQL that it is made of.

What cannot be worked out has no type; a query needs a type only of what goes into a window, and there a CAST says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import types as spark
from sqlglot import exp

from transom.errors import TransomError
from transom.plan.expression import Expression
from transom.plan.types.fields import spelled
from transom.plan.types.schema import Column, Schema
from transom.spark.frames.spark_types import spark_type

Types = Mapping[str, spark.DataType | None]

RESULTS: dict[str, spark.DataType] = {
    **dict.fromkeys(("and", "or", "not", "==", ">", "<", ">=", "<=", "isNull", "isnull", "isNotNull", "isNaN", "isnan"),
                    spark.BooleanType()),
    **dict.fromkeys(("current_timestamp", "timestamp_seconds"), spark.TimestampType()),
    **dict.fromkeys(("concat_ws", "concat"), spark.StringType()),
    "unix_micros": spark.LongType(),
    "unix_date": spark.IntegerType(),
}  # fmt: skip
"""The functions that Transom itself puts around columns."""
LIKE_ARGUMENT = ("coalesce", "+", "-", "when", "negative")


def named_type(column: Any, types: Types) -> tuple[str, spark.DataType | None]:
    """The name that a column has in a select list, and its type."""
    made = column if isinstance(column, str) else column._expr
    if isinstance(made, str):
        name = made.strip("`")
        return name, _found(name, types)
    kind = type(made).__name__
    if kind == "ColumnAlias":
        return made._alias[0], _typed(made._child, types)
    if kind == "ColumnReference":
        name = made._unparsed_identifier.strip("`")
        return name, _found(name, types)
    return repr(made), _typed(made, types)


def _typed(made: Any, types: Types) -> spark.DataType | None:
    kind = type(made).__name__
    if kind == "ColumnAlias":
        return _typed(made._child, types)
    if kind == "ColumnReference":
        return _found(made._unparsed_identifier.strip("`"), types)
    if kind == "SQLExpression":
        return type_of(made._expr, types)
    if kind == "LiteralExpression":
        found: spark.DataType = made._dataType
        return None if isinstance(found, spark.NullType) else found
    if kind == "CastExpression":
        return spark_type(made._data_type) if isinstance(made._data_type, str) else made._data_type
    if kind == "CaseWhen":
        return _typed(made._branches[0][1], types)
    if kind == "UnresolvedFunction":
        if made._name in RESULTS:
            return RESULTS[made._name]
        return _typed(made._args[-1 if made._name == "when" else 0], types) if made._name in LIKE_ARGUMENT else None
    return None


def _found(name: str, types: Types) -> spark.DataType | None:
    return next((kind for known, kind in types.items() if known.lower() == name.lower()), None)


def type_of(text: str, types: Types) -> spark.DataType | None:
    """The type of a scalar SQL expression over columns of these types, as far as that is sure enough to be declared.

    Workers compare it with what arrives, so one that is not what Spark makes of the expression is an error, not an answer.
    """
    try:
        expression = Expression.of(text)
        known = tuple(Column(name, spelled(kind.simpleString())) for name, kind in types.items() if kind is not None)
        wide = any(isinstance(_found(name, types), spark.DecimalType) for name in expression.columns)
        if wide and expression.tree.find(exp.Binary) is not None and not isinstance(expression.tree, exp.Cast):
            return None  # Spark widens decimals with each operation
        return spark_type(expression.type_in(Schema(known)))
    except TransomError:
        return None
