"""Slices on their way through the exchange: a few rows with a few large binaries, so that Spark moves columns, not rows."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.arrays import Array
from transom.kernels.progress import Slice

SCHEMA = """
    shard INT, source STRING, place BIGINT, number BIGINT, about STRING,
    rows BINARY, promises BINARY, sequence BINARY, on_time BINARY
"""

ARROW = pa.schema(
    [
        ("shard", pa.int32()),
        ("source", pa.string()),
        ("place", pa.int64()),
        ("number", pa.int64()),
        ("about", pa.string()),
        ("rows", pa.binary()),
        ("promises", pa.binary()),
        ("sequence", pa.binary()),
        ("on_time", pa.binary()),
    ]
)


def encode(label: int, piece: Slice) -> pa.RecordBatch:
    """A slice as one row for the shard with this label."""
    source, place, number = piece.order
    about = {"highs": piece.highs, "ended": piece.ended, "now": piece.now}
    on_time = None
    if piece.late is not None:
        about["late"] = piece.late[0]
        on_time = _packed(piece.late[1])
    values: list[Any] = [
        label,
        source,
        place,
        number,
        json.dumps(about),
        _bytes(piece.rows),
        None if piece.promises is None else _bytes(piece.promises),
        None if piece.sequence is None else _bytes(pa.table({"a": piece.sequence})),
        on_time,
    ]
    arrays = [pa.array([value], field.type) for value, field in zip(values, ARROW, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ARROW)


def decode(row: dict[str, Any]) -> Slice:
    """The slice of a row."""
    about = json.loads(row["about"])
    late = None if row["on_time"] is None else (about["late"], _unpacked(row["on_time"]))
    sequence = None if row["sequence"] is None else _table(row["sequence"])["a"].to_numpy()
    promises = None if row["promises"] is None else _table(row["promises"])
    place = (row["source"], row["place"], row["number"])
    return Slice(place, _table(row["rows"]), about["highs"], sequence, promises, about["ended"], about["now"], late)


def _bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _table(data: bytes) -> pa.Table:
    table = pa.ipc.open_stream(data).read_all()
    return table.cast(
        pa.schema([field.with_nullable(True) for field in table.schema])
    )  # as Spark finds it out, anew in each plan


def _packed(ascending: Array) -> bytes:
    """Sorted numbers as a first one and steps, each as narrow as the widest step allows."""
    whole = ascending.view(np.int64)
    if not len(whole):
        return b""
    steps = np.diff(whole)
    width = next(kind for kind in (np.uint8, np.uint16, np.uint32, np.int64) if int(steps.max(initial=0)) <= np.iinfo(kind).max)
    return np.dtype(width).str.encode().ljust(4) + whole[:1].tobytes() + steps.astype(width).tobytes()


def _unpacked(data: bytes) -> Array:
    if not data:
        return np.zeros(0, np.int64)
    first = np.frombuffer(data[4:12], np.int64)
    steps = np.frombuffer(data[12:], np.dtype(data[:4].strip().decode())).astype(np.int64)
    return np.concatenate([first, first[0] + np.cumsum(steps)])
