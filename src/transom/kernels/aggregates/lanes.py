"""Arrow columns as numpy lanes of fixed width, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from transom.kernels.aggregates.partial import Field, Mask, Places


def lane_of(kind: pa.DataType) -> np.dtype[Any] | None:
    """The dtype that holds the values of a type, if one does: decimals of up to 18 digits are unscaled integers."""
    if pa.types.is_boolean(kind):
        return np.dtype(np.bool_)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        lane: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
        return lane
    if pa.types.is_decimal128(kind):
        return np.dtype(np.int64) if kind.precision <= 18 else None
    if pa.types.is_temporal(kind) and kind.bit_width in (32, 64):
        return np.dtype(np.int32 if kind.bit_width == 32 else np.int64)
    return None


def valid(array: pa.Array) -> Mask:
    """Where there is a value."""
    if not array.null_count:
        return np.ones(len(array), np.bool_)
    return np.asarray(array.is_valid().to_numpy(zero_copy_only=False), np.bool_)


def values(array: pa.Array) -> Field:
    """The values of a column that has a lane; where there is none, anything."""
    lane = lane_of(array.type)
    if pa.types.is_boolean(array.type):
        return np.asarray(pc.cast(array, pa.uint8()).fill_null(0).to_numpy(), np.bool_)
    buffer = array.buffers()[1]
    if buffer is None or not len(array):
        return np.zeros(len(array), lane)
    if pa.types.is_decimal128(array.type):
        return limbs(array)[:, 0]
    return np.frombuffer(buffer, lane)[array.offset : array.offset + len(array)]


def filled(array: pa.Array, default: Any) -> tuple[Field, Mask]:
    """The values of a column with a default where there is none, and where there are some."""
    present, data = valid(array), values(array)
    return (data if not array.null_count else np.where(present, data, data.dtype.type(default))), present


def array_of(data: Field, present: Mask, kind: pa.DataType) -> pa.Array:
    """A column of a type that has a lane, NULL where nothing is present."""
    data = np.ascontiguousarray(data, lane_of(kind))
    if pa.types.is_decimal128(kind):
        return from_limbs(data, data >> 63, present, kind)
    if pa.types.is_boolean(kind):
        return pa.array(data, kind, mask=None if present.all() else ~present)
    return _from_buffer(data, present, kind)


def limbs(array: pa.Array) -> npt.NDArray[np.int64]:
    """A column of decimals as pairs of its low and its high 64 bits."""
    pairs = np.frombuffer(array.buffers()[1], np.int64).reshape(-1, 2)
    return pairs[array.offset : array.offset + len(array)]


def from_limbs(low: Field, high: Field, present: Mask, kind: pa.DataType) -> pa.Array:
    """Decimals of their low and their high 64 bits."""
    return _from_buffer(np.stack([low.astype(np.int64), high.astype(np.int64)], axis=1), present, kind)


def _from_buffer(data: Field, present: Mask, kind: pa.DataType) -> pa.Array:
    bitmap = None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))
    return pa.Array.from_buffers(kind, len(data), [bitmap, pa.py_buffer(data)])


def doubles(array: pa.Array) -> npt.NDArray[np.float64]:
    """A numeric column as doubles; where there is no value, anything."""
    if lane_of(array.type) is None or pa.types.is_decimal(array.type):
        return np.asarray(pc.cast(array, pa.float64(), safe=False).fill_null(0.0).to_numpy(), np.float64)
    return values(array).astype(np.float64, copy=False)


def rows_of(array: pa.Array, rows: Places, present: Mask | None = None) -> pa.Array:
    """The values in these rows, NULL where none is present."""
    if present is None or present.all():
        return array.take(pa.array(rows))
    return array.take(pa.array(rows, mask=~present))
