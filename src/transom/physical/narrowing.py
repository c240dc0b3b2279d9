"""Whole numbers and instants in as few bytes as their range needs, for the way through the exchange and out of the operator."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa

from transom.kernels.arrays import one_chunk

NARROW = b"narrow"
WORTHWHILE = 1024
"""Rows from which on it pays."""


def narrowed(table: pa.Table) -> pa.Table:
    """A table whose 64-bit columns are what they exceed their smallest value by, where that takes fewer bits."""
    if table.num_rows < WORTHWHILE:
        return table
    lows: dict[str, int] = {}
    for n, field in enumerate(table.schema):
        column = one_chunk(table.column(n))
        if not _is_wide(field.type) or column.null_count:
            continue
        values = column.view(pa.int64()).to_numpy()
        low, high = int(values.min()), int(values.max())
        kind = next((kind for kind in (np.uint8, np.uint16, np.uint32) if high - low <= np.iinfo(kind).max), None)
        if kind is not None:
            lows[field.name] = low
            narrow = pa.field(field.name, pa.from_numpy_dtype(kind), metadata=_named(field.type))
            table = table.set_column(n, narrow, pa.array((values - low).astype(kind)))
    return table.replace_schema_metadata({NARROW: json.dumps(lows).encode()})


def widened(table: pa.Table) -> pa.Table:
    """The table again."""
    lows = json.loads((table.schema.metadata or {}).get(NARROW, b"{}"))
    for name, low in lows.items():
        n = table.schema.get_field_index(name)
        kind = _type(table.schema.field(n))
        values = one_chunk(table.column(n)).to_numpy().astype(np.int64) + low
        table = table.set_column(n, pa.field(name, kind), pa.array(values).view(kind))
    return table.replace_schema_metadata(None)


def _is_wide(kind: pa.DataType) -> bool:
    return bool(pa.types.is_int64(kind) or (pa.types.is_timestamp(kind) and kind.unit == "us"))


def _named(kind: pa.DataType) -> dict[str, str]:
    return {"type": "int64" if pa.types.is_int64(kind) else f"timestamp {kind.tz or ''}"}


def _type(field: pa.Field) -> pa.DataType:
    name = field.metadata[b"type"].decode()
    return pa.int64() if name == "int64" else pa.timestamp("us", name.removeprefix("timestamp ") or None)
