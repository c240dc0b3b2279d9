"""Results on their way out of a stateful operator: a few rows with a large binary each.

Spark takes what a stateful Python function gives as pandas, and lays the state beside every row of it. So results leave it
packed, in as few bytes as their numbers need, and a function over Arrow batches unpacks them: each byte is copied many times
on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import pandas as pd
import pyarrow as pa

from transom.column_names import ABOUT
from transom.kernels.columns.narrowing import narrowed, widened
from transom.spark.exchange.memory import keep_memory
from transom.spark.exchange.wire import in_buffer

PACKED = f"packed BINARY, {ABOUT} STRING"


class Leaving(Protocol):
    """Which columns leave an operator: those of its items, or all that it gives."""

    @property
    def items(self) -> tuple[tuple[str, str], ...] | None: ...

    @property
    def leaving(self) -> pa.Schema: ...


ROWS = 1 << 16
"""Rows to a binary."""


def packed(plan: Leaving, table: pa.Table) -> pd.DataFrame:
    """What an operator gave, as rows with a binary each. Its first row is a control row, and what that reports stays outside."""
    about = table.column(ABOUT)[0].as_py()
    if plan.items is None:
        table = table.drop_columns([ABOUT])
    else:
        table = table.slice(1).select([column for _, column in plan.items]).rename_columns(plan.leaving.names)
    parts = [table.slice(start, ROWS).combine_chunks() for start in range(0, max(1, table.num_rows), ROWS)]
    pieces = [in_buffer(narrowed(part)).to_pybytes() for part in parts]
    told = [about, *(None for _ in pieces[1:])]
    return pd.DataFrame({"packed": pd.Series(pieces, dtype=object), ABOUT: pd.Series(told, dtype=object)})


def unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows again."""
    keep_memory()
    for batch in batches:
        for binary in batch.column(0):
            yield from widened(pa.ipc.open_stream(binary.as_buffer()).read_all()).to_batches()
