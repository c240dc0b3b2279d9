"""Functions over Arrow batches, for columns of any name, and of the types that their schema gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from transom.errors import BadQuery
from transom.spark.by_name import by_name
from transom.spark.frames.given.given_frame import GivenFrame
from transom.spark.frames.types import arrow_of

Run = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def mapped(frame: DataFrame, run: Run, schema: StructType | str) -> DataFrame:
    """`mapInArrow`, which looks columns up by name and takes a dot for a path: where there is one, columns go by number."""
    names = list(frame.columns)
    if isinstance(frame, GivenFrame):
        run = _as_given(run, {field.name: arrow_of(field.dataType) for field in frame.schema.fields})
    if not any("." in name or "`" in name for name in names):
        return frame.mapInArrow(run, schema)
    return frame.toDF(*(f"c{n}" for n in range(len(names)))).mapInArrow(_named(run, names), schema)


def _named(run: Run, names: list[str]) -> Run:
    def named(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return run(batch.rename_columns(names) for batch in batches)

    return named


def _as_given(run: Run, types: Mapping[str, pa.DataType]) -> Run:
    """The function, on batches that have the types that the query was built with."""

    @by_name
    def as_given(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return run(_checked(batch, types) for batch in batches)

    return as_given


def _checked(batch: pa.RecordBatch, types: Mapping[str, pa.DataType]) -> pa.RecordBatch:
    for field in batch.schema:
        expected = types.get(field.name, field.type)
        if not _alike(field.type, expected):
            raise BadQuery(
                "a column is not of the type that schema= gives, or that follows from it",
                given=f"{field.name.partition(':')[2] or field.name}: {field.type}, and not {expected}",
                remedy="correct schema=, or say the type of the expression: CAST(... AS DOUBLE)",
            )
    return batch


def _alike(one: pa.DataType, other: pa.DataType) -> bool:
    if pa.types.is_timestamp(one) and pa.types.is_timestamp(other):
        return (one.tz is None) == (other.tz is None)
    return bool(one.id == other.id) if pa.types.is_nested(one) else bool(one == other)
