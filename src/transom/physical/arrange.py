"""DISTINCT and ORDER BY over the rows of each extent. All of them are in one partition, and leave in one micro-batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from transom.errors import NotSupported
from transom.plan.relational import Distinct, Sort


def arranged(frame: DataFrame, node: Distinct | Sort) -> DataFrame:
    """The rows of a micro-batch, with duplicates removed or in order."""
    if isinstance(node, Distinct):
        return frame.mapInArrow(_distinct(), frame.schema)
    named = [(f"__by{n}", item.text) for n, item in enumerate(node.by)]
    keyed = frame.select("*", *(F.expr(_without_direction(text)).alias(name) for name, text in named))
    order = [(name, "descending" if text.upper().endswith(" DESC") else "ascending") for name, text in named]
    return keyed.mapInArrow(_sorted(order), keyed.schema).drop(*(name for name, _ in named))


def _without_direction(text: str) -> str:
    for ending in (" DESC", " ASC"):
        if text.upper().endswith(ending):
            return text[: -len(ending)]
    if " NULLS " in text.upper():
        raise NotSupported("NULLS FIRST and LAST", given=text, remedy="leave it out: NULLs come first")
    return text


def _distinct() -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held = [batch for batch in batches if batch.num_rows]
        if held:
            table = pa.Table.from_batches(held)
            seen: dict[str, int] = {}
            for n, row in enumerate(table.to_pylist()):
                seen[repr(row)] = n
            yield from table.take(pa.array(sorted(seen.values()))).to_batches()

    return run


def _sorted(order: list[tuple[str, str]]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held = [batch for batch in batches if batch.num_rows]
        if held:
            yield from pa.Table.from_batches(held).sort_by(order).to_batches()

    return run
