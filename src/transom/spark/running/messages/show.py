"""Rows as text: JSON lines, CSV, or the cells of a table. Spark writes the values, so they read as Spark writes them."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import ArrayType, DataType, MapType, NumericType, StructType, TimestampType, VariantType

from transom.column_names import WINDOW_END
from transom.plan.quoted import quoted
from transom.quality.moment import Moment
from transom.spark.sinks.file import TIMESTAMPS

NESTED = (ArrayType, MapType, StructType, VariantType)


@dataclass(frozen=True)
class Text:
    """Rows in one of the formats. A table's rows are cells, of which some are numbers; other rows are whole lines."""

    names: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: list[tuple[str, ...]]
    moment: Moment | None = None
    """How it went, if there were windows."""


def text_of(df: DataFrame, form: str) -> Text:
    """The rows of a DataFrame, window by window where the rows say which."""
    made = {"jsonl": _json, "csv": _csv, "table": _cells}[form](df)
    names, fields = list(df.columns), df.schema.fields
    at = (
        [sf.col(quoted(WINDOW_END)).cast("double")]
        if names.count(WINDOW_END) == 1 and _measured(df.schema[WINDOW_END].dataType)
        else []
    )
    found = [tuple(row) for row in df.select(*made, *at).collect()]
    if at:
        found = [row[:-1] for row in sorted(found, key=lambda row: (row[-1] is None, row[-1] or 0.0))]
    return Text(tuple(names), tuple(isinstance(field.dataType, NumericType) for field in fields), found)


def _measured(kind: DataType) -> bool:
    return isinstance(kind, NumericType | TimestampType)


def _json(df: DataFrame) -> list[Column]:
    return [sf.to_json(sf.struct("*"), {**TIMESTAMPS, "ignoreNullFields": "false"})]


def _csv(df: DataFrame) -> list[Column]:
    cells = [_flat(name, field.dataType).alias(name) for name, field in zip(df.columns, df.schema.fields, strict=True)]
    return [sf.to_csv(sf.struct(*cells), {**TIMESTAMPS, "emptyValue": '""', "escape": '"'})]


def _cells(df: DataFrame) -> list[Column]:
    flat = (_flat(name, field.dataType) for name, field in zip(df.columns, df.schema.fields, strict=True))
    return [sf.coalesce(cell.cast("string"), sf.lit("NULL")).alias(f"c{n}") for n, cell in enumerate(flat)]


def _flat(name: str, kind: DataType) -> Column:
    column = sf.col(quoted(name))
    return sf.to_json(column, TIMESTAMPS) if isinstance(kind, NESTED) else column
