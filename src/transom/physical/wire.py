"""Slices on their way through the exchange: a few rows with a few large binaries, so that Spark moves columns, not rows."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from transom.kernels.packing import packed, unpacked
from transom.kernels.progress import Slice
from transom.physical.narrowing import narrowed, widened

SCHEMA = """
    shard INT, source STRING, place BIGINT, number BIGINT, about STRING,
    rows BINARY, promises BINARY, sequence BINARY, arrival BINARY, on_time BINARY
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
        ("arrival", pa.binary()),
        ("on_time", pa.binary()),
    ]
)


def encode(label: int, piece: Slice) -> pa.RecordBatch:
    """A slice as one row for the shard with this label."""
    source, place, number = piece.order
    about = {"highs": piece.highs, "of": piece.source, "ended": piece.ended, "now": piece.now}
    on_time = None
    if piece.late is not None:
        about["late"] = piece.late[0]
        on_time = packed(piece.late[1])
    values: list[Any] = [
        label,
        source,
        place,
        number,
        json.dumps(about),
        in_bytes(narrowed(piece.rows)),
        None if piece.promises is None else in_bytes(piece.promises),
        piece.sequence,
        piece.arrival,
        on_time,
    ]
    arrays = [pa.array([value], field.type) for value, field in zip(values, ARROW, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ARROW)


def decode(row: dict[str, Any]) -> Slice:
    """The slice of a row."""
    about = json.loads(row["about"])
    late = None if row["on_time"] is None else (about["late"], unpacked(row["on_time"]))
    promises = None if row["promises"] is None else _table(row["promises"])
    return Slice(
        order=(row["source"], row["place"], row["number"]),
        rows=widened(_table(row["rows"])),
        source=about["of"],
        highs=about["highs"],
        sequence=_data(row["sequence"]),
        arrival=_data(row["arrival"]),
        promises=promises,
        ended=about["ended"],
        now=about["now"],
        late=late,
    )


def _data(value: Any) -> bytes | None:
    return None if value is None else bytes(value)


def in_bytes(table: pa.Table) -> bytes:
    """A table as one binary, which `pa.ipc.open_stream` reads."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _table(data: bytes) -> pa.Table:
    table = pa.ipc.open_stream(data).read_all()
    fields = [field.with_nullable(True) for field in table.schema]  # as Spark finds it out, anew in each plan
    return table.cast(pa.schema(fields, metadata=table.schema.metadata))
