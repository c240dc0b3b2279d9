"""Parquet files, row by row in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql.pandas.types import from_arrow_type

from transom.plan.sources.read_options import ReadOptions
from transom.spark.sources.text.malformed import Unreadable

BATCH_ROWS = 1 << 16
KNOWN_YEARS = range(1902, 2037)
"""Arrow does not know a region's rules for summer time in other years."""


def read_parquet(
    file: Any, columns: pa.Schema, options: ReadOptions, bad: Unreadable
) -> Iterator[tuple[list[pa.Array], pa.Array]]:
    """Columns and the numbers of their rows. Columns go by name, in any case; those that the file does not have are NULL.

    A file that is no Parquet, or has a column of another type, is malformed as a whole.
    """
    try:
        parquet = pq.ParquetFile(file, coerce_int96_timestamp_unit="us")
        titles = {name.lower(): name for name in reversed(parquet.schema_arrow.names)}
        names = {name: name if name in parquet.schema_arrow.names else titles.get(name.lower()) for name in columns.names}
        wanted = [name for name in names.values() if name is not None]
    except (pa.ArrowException, OSError) as error:
        bad.take(0, f"it is no Parquet: {error}")
        return
    row = 0
    for batch in parquet.iter_batches(batch_size=BATCH_ROWS, columns=wanted):
        arrays = []
        for wish in columns:
            name = names[wish.name]
            try:
                arrays.append(pa.nulls(len(batch), wish.type) if name is None else _fit(batch[name], wish.type, options))
            except (pa.ArrowException, ValueError) as error:
                held = batch[name].type if name is not None else None
                bad.take(row + 1, f"column {wish.name!r} holds {held}, which is no {_sql(wish.type)}: {error}")
                return
        yield arrays, pa.array(np.arange(row + 1, row + 1 + len(batch), dtype=np.int64))
        row += len(batch)


def _fit(column: pa.Array, kind: pa.DataType, options: ReadOptions) -> pa.Array:
    if isinstance(column, pa.DictionaryArray):
        column = column.dictionary_decode()
    if column.type == kind:
        return column
    if pa.types.is_timestamp(kind) and pa.types.is_timestamp(column.type):
        micros = column.cast(pa.timestamp("us", column.type.tz), safe=False)
        if kind.tz is not None and column.type.tz is None:
            return _instants(micros, options.zone).cast(kind)
        return micros.cast(kind)
    return column.cast(kind)


def _instants(walls: pa.Array, zone: str) -> pa.Array:
    """What the clocks of the session's zone show, as instants; a time that the clocks skipped is an error."""
    years = pc.min_max(pc.year(walls)).as_py()
    fixed = zone in ("UTC", "Z") or zone[0] in "+-"
    if not fixed and years["min"] is not None and not {years["min"], years["max"]} <= set(KNOWN_YEARS):
        raise pa.ArrowInvalid(f"a time without a zone, outside of the years from {KNOWN_YEARS[0]} to {KNOWN_YEARS[-1]}")
    return pc.assume_timezone(walls, "UTC" if zone == "Z" else zone, ambiguous="earliest", nonexistent="raise")


def _sql(kind: pa.DataType) -> str:
    return from_arrow_type(kind).simpleString().upper()
