"""Parquet files, row by row in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from transom.spark.sources.malformed import Malformed
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.records import Parsed
from transom.spark.sources.times import instants
from transom.spark.sources.values import type_name

BATCH_ROWS = 1 << 16


def read_parquet(file: Any, columns: pa.Schema, options: ReadOptions) -> Iterator[Parsed]:
    """Columns by name, in any case; those that the file does not have are NULL.

    A file that is no Parquet, or has a column of another type, is malformed as a whole.
    """
    try:
        parquet = pq.ParquetFile(file, coerce_int96_timestamp_unit="us")
        titles = {name.lower(): name for name in reversed(parquet.schema_arrow.names)}
        names = {name: name if name in parquet.schema_arrow.names else titles.get(name.lower()) for name in columns.names}
        wanted = [name for name in names.values() if name is not None]
    except (pa.ArrowException, OSError) as error:
        yield _nothing(columns, Malformed(0, f"it is no Parquet: {error}", b""))
        return
    row = 0
    for batch in parquet.iter_batches(batch_size=BATCH_ROWS, columns=wanted):
        arrays = []
        for field in columns:
            name = names[field.name]
            try:
                arrays.append(pa.nulls(len(batch), field.type) if name is None else _fit(batch[name], field.type, options))
            except (pa.ArrowException, ValueError) as error:
                held = batch[name].type if name is not None else None
                problem = f"column {field.name!r} holds {held}, which is no {type_name(field.type)}: {error}"
                yield _nothing(columns, Malformed(row + 1, problem, b""))
                return
        yield Parsed(arrays, pa.array(np.arange(row + 1, row + 1 + len(batch), dtype=np.int64)))
        row += len(batch)


def _fit(column: pa.Array, kind: pa.DataType, options: ReadOptions) -> pa.Array:
    if isinstance(column, pa.DictionaryArray):
        column = column.dictionary_decode()
    if column.type == kind:
        return column
    if pa.types.is_timestamp(kind) and pa.types.is_timestamp(column.type):
        micros = column.cast(pa.timestamp("us", column.type.tz), safe=False)
        if kind.tz is not None and column.type.tz is None:
            return instants(micros, options.zone)
        return micros.cast(kind)
    return column.cast(kind)


def _nothing(columns: pa.Schema, malformed: Malformed) -> Parsed:
    return Parsed([pa.nulls(0, field.type) for field in columns], pa.nulls(0, pa.int64()), [malformed])
