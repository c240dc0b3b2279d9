"""A stream's columns as Spark's types, and the columns that a source adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import LongType, StringType, StructField, StructType

from transom.column_names import POSITION, REASON, SOURCE, TEXT
from transom.plan.quoted import quoted

if TYPE_CHECKING:
    from transom.plan.nodes.stream import StreamDefinition


def ddl_of(stream: StreamDefinition) -> str:
    """The columns as DDL."""
    return ", ".join(f"{quoted(column.name)} {column.type}" for column in stream.columns)


def struct_of(stream: StreamDefinition) -> StructType:
    return StructType.fromDDL(ddl_of(stream))  # type: ignore[return-value]


def with_hidden(columns: StructType) -> StructType:
    return StructType([*columns.fields]).add(SOURCE, StringType()).add(POSITION, LongType())


def of_texts(columns: list[StructField]) -> StructType:
    """Texts to parse, behind the columns that the source may read itself."""
    return with_hidden(StructType([*columns, StructField(TEXT, StringType()), StructField(REASON, StringType())]))
