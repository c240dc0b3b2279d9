"""SQL types as Spark's, without a session to parse them."""

from __future__ import annotations

from typing import Any

from pyspark.sql import types as spark
from sqlglot import exp
from sqlglot.errors import SqlglotError

from transom.errors import UnknownType

Kind = exp.DataType.Type
PLAIN: dict[Any, spark.DataType] = {
    Kind.BOOLEAN: spark.BooleanType(),
    Kind.TINYINT: spark.ByteType(),
    Kind.SMALLINT: spark.ShortType(),
    Kind.INT: spark.IntegerType(),
    Kind.BIGINT: spark.LongType(),
    Kind.FLOAT: spark.FloatType(),
    Kind.DOUBLE: spark.DoubleType(),
    Kind.TEXT: spark.StringType(),
    Kind.VARCHAR: spark.StringType(),
    Kind.CHAR: spark.StringType(),
    Kind.BINARY: spark.BinaryType(),
    Kind.DATE: spark.DateType(),
    Kind.TIMESTAMP: spark.TimestampType(),
    Kind.TIMESTAMPLTZ: spark.TimestampType(),
    Kind.TIMESTAMPTZ: spark.TimestampType(),
    Kind.TIMESTAMPNTZ: spark.TimestampNTZType(),
}


def spark_type(text: str) -> spark.DataType | None:
    """The Spark type that SQL writes so; None where it is not known.

    >>> spark_type("DECIMAL(10, 2)"), spark_type("ARRAY<STRUCT<a: INT>>").simpleString(), spark_type("UNKNOWN")
    (DecimalType(10,2), 'array<struct<a:int>>', None)
    """
    try:
        return _of(exp.DataType.build(text, dialect="spark"))
    except (SqlglotError, ValueError):
        return None


def _of(kind: exp.Expression) -> spark.DataType | None:
    if not isinstance(kind, exp.DataType):
        return None
    inner = kind.expressions
    if kind.this in (Kind.DECIMAL, Kind.BIGDECIMAL):
        digits = [int(one.name) for one in inner]
        return spark.DecimalType(*(digits or (10, 0)))
    if kind.this is Kind.ARRAY:
        element = _of(inner[0]) if inner else None
        return None if element is None else spark.ArrayType(element)
    if kind.this is Kind.MAP:
        both = [_of(one) for one in inner]
        return None if len(both) != 2 or None in both else spark.MapType(*both)  # type: ignore[arg-type]
    if kind.this is Kind.STRUCT:
        fields = [(one.name, _of(one.args.get("kind") or exp.DataType.build("unknown"))) for one in inner]
        if any(found is None for _, found in fields):
            return None
        return spark.StructType([spark.StructField(name, found) for name, found in fields if found is not None])
    return PLAIN.get(kind.this)


def needed_type(name: str, text: str) -> spark.DataType:
    """The Spark type of a column that a user declares."""
    found = spark_type(text)
    if found is None:
        raise UnknownType(
            f"column {name!r} has no type that Spark knows", given=text, remedy="write, for example, speed DOUBLE, ts TIMESTAMP"
        )
    return found
