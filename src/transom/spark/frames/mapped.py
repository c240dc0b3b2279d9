"""Functions over Arrow batches, for columns of any name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

Run = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def mapped(frame: DataFrame, run: Run, schema: StructType | str) -> DataFrame:
    """`mapInArrow`, which looks columns up by name and takes a dot for a path: where there is one, columns go by number."""
    names = list(frame.columns)
    if not any("." in name or "`" in name for name in names):
        return frame.mapInArrow(run, schema)
    return frame.toDF(*(f"c{n}" for n in range(len(names)))).mapInArrow(_named(run, names), schema)


def _named(run: Run, names: list[str]) -> Run:
    def named(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return run(batch.rename_columns(names) for batch in batches)

    return named
