"""Whole numbers and instants in as few bytes as they need, for the way through the exchange and out of the operator.

That is what their range needs, or, where they ascend, what the widest step does.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Array, is_ascending, one_chunk

NARROW = b"narrow"
WORTHWHILE = 1024
"""Rows from which on it pays."""


def narrowed(table: pa.Table) -> pa.Table:
    """A table whose 64-bit columns are what they exceed their smallest value by, or their steps, where that takes fewer bits."""
    if table.num_rows < WORTHWHILE:
        return table
    told: dict[str, tuple[int, bool]] = {}
    for n, field in enumerate(table.schema):
        column = one_chunk(table.column(n))
        if not _is_wide(field.type) or column.null_count:
            continue
        values = column.view(pa.int64()).to_numpy()
        low = int(values.min())
        above, ascending = _above(values, low)
        if above is not None:
            told[field.name] = low, ascending
            narrow = pa.field(field.name, pa.from_numpy_dtype(above.dtype), metadata=_named(field.type))
            table = table.set_column(n, narrow, pa.array(above))
    return table.replace_schema_metadata({NARROW: json.dumps(told).encode()})


def widened(table: pa.Table) -> pa.Table:
    """The table again."""
    told = json.loads((table.schema.metadata or {}).get(NARROW, b"{}"))
    for name, (low, ascending) in told.items():
        n = table.schema.get_field_index(name)
        kind = _type(table.schema.field(n))
        above = one_chunk(table.column(n)).to_numpy()
        values = (np.cumsum(above, dtype=np.int64) if ascending else above.astype(np.int64)) + low
        table = table.set_column(n, pa.field(name, kind), pa.array(values).view(kind))
    return table.replace_schema_metadata(None)


def _above(values: Array, low: int) -> tuple[Array | None, bool]:
    """What values exceed the smallest by, narrow, or their steps, and whether it is these; None if nothing is gained."""
    kind = _narrow(int(values.max()) - low)
    if kind in (np.uint8, np.uint16) or not is_ascending(values):
        return (None if kind is None else (values - low).astype(kind)), False
    steps = np.diff(values, prepend=low)
    narrower = _narrow(int(steps.max()))
    if narrower is None or narrower == kind:
        return (None if kind is None else (values - low).astype(kind)), False
    return steps.astype(narrower), True


def _narrow(most: int) -> Any:
    return next((kind for kind in (np.uint8, np.uint16, np.uint32) if most <= np.iinfo(kind).max), None)


def _is_wide(kind: pa.DataType) -> bool:
    return bool(pa.types.is_int64(kind) or (pa.types.is_timestamp(kind) and kind.unit == "us"))


def _named(kind: pa.DataType) -> dict[str, str]:
    return {"type": "int64" if pa.types.is_int64(kind) else f"timestamp {kind.tz or ''}"}


def _type(field: pa.Field) -> pa.DataType:
    name = field.metadata[b"type"].decode()
    return pa.int64() if name == "int64" else pa.timestamp("us", name.removeprefix("timestamp ") or None)
