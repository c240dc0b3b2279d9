"""State carried with the data: all blocks of a shard as one value.

`applyInPandasWithState` hands a group's state over beside its rows. That costs nothing extra for a query that starts or for
a state of a few megabytes; a large one is moved as a whole in every micro-batch, where a map of blocks moves what changed.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from transom.kernels.store import Memory
from transom.physical.operate import Plan, operated
from transom.physical.packing import packed
from transom.physical.types import as_objects, is_nested
from transom.physical.wire import decode

STATE = "blocks BINARY"


def joined(blocks: dict[str, bytes]) -> bytes:
    """Blocks as one value: for each its name, its length, and itself."""
    parts = []
    for name, block in blocks.items():
        label = name.encode()
        parts += [struct.pack("<HQ", len(label), len(block)), label, block]
    return b"".join(parts)


def parted(value: bytes) -> dict[str, bytes]:
    """The blocks of such a value."""
    blocks: dict[str, bytes] = {}
    place = 0
    while place < len(value):
        label, length = struct.unpack_from("<HQ", value, place)
        place += 10
        name = value[place : place + label].decode()
        place += label
        blocks[name] = value[place : place + length]
        place += length
    return blocks


def stateful(plan: Plan) -> Callable[[Any, Iterator[pd.DataFrame], Any], Iterator[pd.DataFrame]]:
    """The function that Spark calls with the slices of a shard and its state."""

    def run(key: Any, rows: Iterator[pd.DataFrame], state: Any) -> Iterator[pd.DataFrame]:
        warnings.filterwarnings("ignore", category=FutureWarning, message="The behavior of DataFrame concatenation")
        slices = [decode(row) for frame in rows for row in frame.to_dict("records")]
        memory = Memory()
        if state.exists:
            memory.blocks = parted(bytes(state.get[0]))
        made = operated(plan, slices, memory)
        state.update((joined(memory.blocks),))
        yield packed(made) if plan.packs else to_numpy(made)

    return run


def to_numpy(table: pa.Table) -> pd.DataFrame:
    """A table as pandas sees it. Numbers without NULLs stay as they are; instants are microseconds, or pandas would convert them
    twice."""
    return pd.DataFrame({name: _series(table.column(name).combine_chunks()) for name in table.column_names}, copy=False)


def as_numbers(output: pa.Schema) -> pa.Schema:
    """The columns of such a table."""
    return pa.schema([pa.field(field.name, pa.int64() if _is_instant(field.type) else field.type) for field in output])


def from_numbers(frame: DataFrame, output: pa.Schema) -> DataFrame:
    """The instants again."""
    columns = {field.name: F.col(f"`{field.name}`") for field in output}
    instants = {field.name for field in output if _is_instant(field.type)}
    return frame.select(*(F.timestamp_micros(c).alias(name) if name in instants else c for name, c in columns.items()))


def _is_instant(kind: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(kind)) and kind.tz is not None


def _doubles(column: Any) -> Any:
    """NULL and NaN are two things: where there is either, an array with a mask keeps them apart."""
    if column.null_count or pc.any(pc.is_nan(column)).as_py():
        values = pc.fill_null(column, 0.0).to_numpy(zero_copy_only=False)
        return pd.arrays.FloatingArray(values.copy(), np.asarray(column.is_null()))
    return column.to_numpy()


def _series(column: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if _is_instant(column.type):
        column = column.cast(pa.int64(), safe=False)
    if pa.types.is_floating(column.type):
        return _doubles(column)
    if column.null_count == 0 and pa.types.is_integer(column.type):
        return column.to_numpy()
    if is_nested(column.type):
        return as_objects(column)
    if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        return np.asarray(column.to_pandas(integer_object_nulls=True), dtype=object)
    return column.to_pandas()
