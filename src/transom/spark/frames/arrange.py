"""DISTINCT and ORDER BY over the rows of each extent. All of them are in one partition, and leave in one micro-batch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import DoubleType, FloatType

from transom.column_names import EXTENT, SORTED_AT, SORTED_BY
from transom.plan.nodes.relational import Distinct, Sort
from transom.plan.quoted import quoted
from transom.spark.frames.mapped import mapped

_ORDER = re.compile(r"\s+(ASC|DESC)(?=\s+NULLS\s|\s*$)|\s+NULLS\s+(FIRST|LAST)\s*$", re.IGNORECASE)


def arranged(frame: DataFrame, node: Distinct | Sort) -> DataFrame:
    """The rows of each extent, with duplicates removed or in order."""
    if isinstance(node, Distinct):
        return mapped(frame, _distinct(), frame.schema)
    extents = [(name, "ascending") for name in frame.columns if name.startswith(EXTENT)]
    keyed, order = frame, extents
    for n, item in enumerate(node.by):
        value, descending, nulls_last = _direction(item.text)
        keyed = keyed.withColumn(f"{SORTED_BY}{n}", value)
        keyed = keyed.withColumn(f"{SORTED_AT}{n}", _place(keyed, f"{SORTED_BY}{n}", descending, nulls_last))
        order = [*order, (f"{SORTED_AT}{n}", "ascending"), (f"{SORTED_BY}{n}", "descending" if descending else "ascending")]
    return mapped(keyed, _sorted(order), keyed.schema).select(*(F.col(quoted(name)) for name in frame.columns))


def _direction(text: str) -> tuple[Column, bool, bool]:
    """What is sorted by; whether it falls; whether NULLs come last, which without a word they do where it falls."""
    said = [word.upper() for found in _ORDER.findall(text) for word in found if word]
    descending = "DESC" in said
    return F.expr(_ORDER.sub("", text)), descending, "LAST" in said or (descending and "FIRST" not in said)


def _place(frame: DataFrame, name: str, descending: bool, nulls_last: bool) -> Column:
    """Where values stand that Arrow does not sort as SQL does: NULLs, and NaN, which is the largest number."""
    place = F.when(F.col(name).isNull(), F.lit(2 if nulls_last else -2))
    if isinstance(frame.schema[name].dataType, DoubleType | FloatType):
        place = place.when(F.isnan(name), F.lit(-1 if descending else 1))
    return place.otherwise(F.lit(0))


def _distinct() -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held = [batch for batch in batches if batch.num_rows]
        if held:
            table = pa.Table.from_batches(held)
            seen: dict[str, int] = {}
            for n, row in enumerate(table.to_pylist()):
                seen.setdefault(repr([_same(value) for value in row.values()]), n)
            yield from table.take(pa.array(seen.values())).to_batches()

    return run


def _same(value: Any) -> Any:
    """Zero has two signs, and is one value."""
    return value + 0.0 if isinstance(value, float) else value


def _sorted(order: list[tuple[str, str]]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held = [batch for batch in batches if batch.num_rows]
        if held:
            yield from pa.Table.from_batches(held).sort_by(order).to_batches()

    return run
