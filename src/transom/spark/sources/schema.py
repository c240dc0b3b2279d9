"""A stream's columns as Spark's types, and the columns that a source adds."""

from __future__ import annotations

from pyspark.sql.types import LongType, StringType, StructType

from transom.plan.nodes.stream import StreamDefinition

SOURCE = "__source"
"""The substream a row comes from: a file, a partition of a topic."""

POSITION = "__position"
"""Ascending within the substream."""

ARRIVAL = "__arrival"
"""When the row arrived, where the source knows."""


def ddl_of(stream: StreamDefinition) -> str:
    """The columns as DDL."""
    return ", ".join(f"{quoted(column.name)} {column.type}" for column in stream.columns)


def struct_of(stream: StreamDefinition) -> StructType:
    return StructType.fromDDL(ddl_of(stream))  # type: ignore[return-value]


def with_hidden(columns: StructType) -> StructType:
    return StructType([*columns.fields]).add(SOURCE, StringType()).add(POSITION, LongType())


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
