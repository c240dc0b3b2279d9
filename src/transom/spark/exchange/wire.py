"""Slices on their way through the exchange: a few rows with a large binary each, so that Spark moves columns, not rows.

The binaries are not larger than the JVM likes: an array of half a region of its heap (a half to two megabytes) has regions of
its own, and each time some were made, G1 marks the whole heap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from transom.kernels.columns.arrays import Bools
from transom.kernels.columns.narrowing import narrowed, widened
from transom.kernels.slices import Slice
from transom.spark.exchange.binaries import joined, parted
from transom.spark.exchange.steps_wire import steps_from_bytes, steps_to_bytes

SCHEMA = "shard INT, source STRING, place BIGINT, number BIGINT, piece BIGINT, part INT, binary BINARY"
"""The place of a slice, its number among all of a micro-batch, and a part of it."""

PART = 1 << 17
"""Bytes of a part: on its way it is copied to arrays of twice the size."""

ARROW = pa.schema(
    [
        ("shard", pa.int32()),
        ("source", pa.string()),
        ("place", pa.int64()),
        ("number", pa.int64()),
        ("piece", pa.int64()),
        ("part", pa.int32()),
        ("binary", pa.binary()),
    ]
)


def encode(label: int, number: int, piece: Slice) -> pa.RecordBatch:
    """A slice, the n-th of a micro-batch, as rows for the shard with this label."""
    about = {"highs": piece.highs, "of": piece.source, "ended": piece.ended, "newest": piece.newest, "now": piece.now}
    about |= {"input": piece.input, "elsewhere": piece.elsewhere}
    binaries: dict[str, Any] = {"rows": in_buffer(narrowed(piece.rows))}
    if piece.late is not None:
        about["late"] = piece.late[0]
        binaries["on_time"] = piece.late[1]
    if piece.partials is not None:
        binaries["partials"] = in_buffer(narrowed(piece.partials))
    if piece.kept is not None:
        about["counted"] = len(piece.kept)
        if not piece.kept.all():
            binaries["kept"] = np.packbits(piece.kept)
    if piece.promises is not None:
        binaries["promises"] = in_buffer(piece.promises)
    if piece.passed is not None:
        binaries["passed"] = in_buffer(piece.passed)
    if piece.sequence is not None:
        binaries["sequence"] = piece.sequence
    if piece.arrival is not None:
        binaries["arrival"] = piece.arrival
    if piece.steps is not None:
        binaries["steps"] = steps_to_bytes(piece.steps)
    binary = joined({"about": json.dumps(about).encode(), **binaries})
    starts = np.arange(0, len(binary), PART, dtype=np.int32)
    ends = np.append(starts, np.int32(len(binary)))
    parts = pa.Array.from_buffers(pa.binary(), len(starts), [None, pa.py_buffer(ends), pa.py_buffer(binary)])
    same = [
        pa.repeat(pa.scalar(value, kind), len(starts))
        for value, kind in zip([label, *piece.order, number], ARROW.types[:5], strict=True)
    ]
    return pa.RecordBatch.from_arrays([*same, pa.array(range(len(starts)), pa.int32()), parts], schema=ARROW)


def decode(rows: list[dict[str, Any]]) -> Slice:
    """The slice of some rows, in whatever order they come."""
    binaries = parted(memoryview(b"".join(row["binary"] for row in sorted(rows, key=itemgetter("part")))))
    about = json.loads(bytes(binaries["about"]))
    return Slice(
        order=(rows[0]["source"], rows[0]["place"], rows[0]["number"]),
        rows=widened(_table(binaries["rows"])),
        source=about["of"],
        input=about["input"],
        elsewhere=about["elsewhere"],
        highs=about["highs"],
        sequence=binaries.get("sequence"),
        arrival=bytes(binaries["arrival"]) if "arrival" in binaries else None,
        promises=_table(binaries["promises"]) if "promises" in binaries else None,
        ended=about["ended"],
        newest=about["newest"],
        now=about["now"],
        partials=widened(_table(binaries["partials"])) if "partials" in binaries else None,
        kept=_flags(binaries.get("kept"), about["counted"]) if "counted" in about else None,
        passed=_table(binaries["passed"]) if "passed" in binaries else None,
        late=(about["late"], bytes(binaries["on_time"])) if "on_time" in binaries else None,
        steps=steps_from_bytes(binaries["steps"]) if "steps" in binaries else None,
    )


def slices_of(frames: Iterable[pd.DataFrame]) -> list[Slice]:
    """The slices of a shard, as a stateful function gets them."""
    names = ARROW.names
    found: dict[int, list[dict[str, Any]]] = {}
    for frame in frames:
        for values in zip(*(frame[name] for name in names), strict=True):
            row = dict(zip(names, values, strict=True))
            found.setdefault(row["piece"], []).append(row)
    return [decode(rows) for rows in found.values()]


def in_buffer(table: pa.Table) -> pa.Buffer:
    """A table as one binary, which `pa.ipc.open_stream` reads."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _flags(data: memoryview | None, count: int) -> Bools:
    """A flag for each row; all are set if none are given."""
    if data is None:
        return np.ones(count, bool)
    return np.unpackbits(np.frombuffer(data, np.uint8), count=count).astype(bool)


def _table(data: memoryview) -> pa.Table:
    table = pa.ipc.open_stream(data).read_all()
    if all(field.nullable for field in table.schema):
        return table
    fields = [field.with_nullable(True) for field in table.schema]  # as Spark finds it out, anew in each plan
    return pa.table(table.columns, schema=pa.schema(fields, metadata=table.schema.metadata))
