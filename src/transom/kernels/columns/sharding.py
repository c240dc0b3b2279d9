"""Which shard a key belongs to: the same in every process and every run."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints, places_of

Hashes = np.ndarray[Any, np.dtype[np.uint64]]


def shards_of(columns: Sequence[pa.Array], rows: int, shards: int) -> Ints:
    """The shard of each combination of values."""
    joined = np.zeros(rows, np.uint64)
    for column in columns:
        joined = _mixed(joined * np.uint64(31) + _hashes(column))
    return (joined % np.uint64(shards)).astype(np.int64)


def _mixed(x: Hashes) -> Hashes:
    """The finalizer of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)), np.uint64)


def _hashes(column: pa.Array) -> Hashes:
    """Integers as they are; of everything else, each distinct value once."""
    kind = column.type
    if pa.types.is_integer(kind) and not column.null_count:
        return np.asarray(column.to_numpy().astype(np.int64).view(np.uint64))
    if pa.types.is_dictionary(kind):
        own = [_hash(value, kind.value_type) for value in (*column.dictionary.to_pylist(), None)]
        return np.asarray(np.array(own, np.uint64)[places_of(column)])
    encoded = column.dictionary_encode(null_encoding="encode")
    distinct = np.array([_hash(value, kind) for value in _plain(encoded.dictionary).to_pylist()], np.uint64)
    return np.asarray(distinct[encoded.indices.to_numpy()])


def _plain(values: pa.Array) -> pa.Array:
    """Values whose text does not depend on a time zone: instants as numbers."""
    return values.cast(pa.int64()) if pa.types.is_timestamp(values.type) else values


def _hash(value: Any, kind: pa.DataType) -> int:
    if value is None:
        return 0x9E3779B97F4A7C15
    if pa.types.is_integer(kind):
        return int(value) % 2**64
    if isinstance(value, float):
        value += 0.0  # zero has two signs, and is one key
    data = value if isinstance(value, bytes) else str(value).encode()
    return zlib.crc32(data) | zlib.adler32(data) << 32
