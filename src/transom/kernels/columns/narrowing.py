"""Columns in as few bytes as they need: on their way through the exchange, out of the operator, and in blocks of state.

Whole numbers and instants take what their range needs, or, where they ascend, what the widest step does. A column that equals
another, such as a key that is also selected, or a timestamp that is also the place on the axis, takes nothing.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Array, is_ascending, one_chunk

NARROW, TWINS = b"narrow", b"twins"
WORTHWHILE = 1024
"""Rows from which on it pays."""


def narrowed(table: pa.Table) -> pa.Table:
    """A table without columns that equal others, whose 64-bit columns are what they exceed their smallest value by, or their
    steps, where that takes fewer bits."""
    if table.num_rows < WORTHWHILE:
        return table
    bounds: dict[str, tuple[int, bool]] = {}
    twins: list[tuple[int, str, str, str]] = []
    kept: dict[str, pa.Array] = {}
    made = []
    for n, field in enumerate(table.schema):
        column = one_chunk(table.column(n))
        twin = next((name for name, other in kept.items() if _are_alike(column, other)), None)
        if twin is not None:
            twins.append((n, field.name, twin, _named(field.type) if _is_wide(field.type) else ""))
            continue
        kept[field.name] = column
        if _is_wide(field.type) and not column.null_count:
            values = _numbers(column)
            low = int(values.min())
            above, ascending = _above(values, low)
            if above is not None:
                bounds[field.name] = low, ascending
                field = pa.field(field.name, pa.from_numpy_dtype(above.dtype), metadata={"type": _named(field.type)})
                column = pa.array(above)
        made.append((field, column))
    about = {NARROW: json.dumps(bounds).encode(), TWINS: json.dumps(twins).encode()}
    return pa.table([column for _, column in made], schema=pa.schema([field for field, _ in made], metadata=about))


def widened(table: pa.Table) -> pa.Table:
    """The table again."""
    about = table.schema.metadata or {}
    for name, (low, ascending) in json.loads(about.get(NARROW, b"{}")).items():
        n = table.schema.get_field_index(name)
        kind = _type(table.schema.field(n).metadata[b"type"].decode())
        above = one_chunk(table.column(n)).to_numpy()
        values = (np.cumsum(above, dtype=np.int64) if ascending else above.astype(np.int64)) + low
        table = table.set_column(n, pa.field(name, kind), pa.array(values).view(kind))
    for n, name, twin, kind in json.loads(about.get(TWINS, b"[]")):
        column = one_chunk(table[twin])
        table = table.add_column(n, name, column.view(_type(kind)) if kind else column)
    return table.replace_schema_metadata(None)


def _are_alike(one: pa.Array, other: pa.Array) -> bool:
    """Whether two columns have the same bits. Doubles are left alone: equal ones may differ."""
    if _is_wide(one.type) and _is_wide(other.type) and not one.null_count and not other.null_count:
        mine, theirs = _numbers(one), _numbers(other)
        return bool(mine[-1] == theirs[-1] and (mine == theirs).all())
    if one.type != other.type or pa.types.is_floating(one.type) or pa.types.is_nested(one.type):
        return False
    return bool(one.equals(other))


def _numbers(column: pa.Array) -> Array:
    return np.asarray(column.view(pa.int64()).to_numpy())


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


def _named(kind: pa.DataType) -> str:
    return "int64" if pa.types.is_int64(kind) else f"timestamp {kind.tz or ''}"


def _type(name: str) -> pa.DataType:
    return pa.int64() if name == "int64" else pa.timestamp("us", name.removeprefix("timestamp ") or None)
