"""Columnar block state: named blocks of bytes, each an Arrow table that carries its format and the plan it belongs to."""

from __future__ import annotations

import json
from typing import Any, Protocol

import pyarrow as pa

from transom.errors import CheckpointMismatch

FORMAT = 11


class Blocks(Protocol):
    """Where blocks are kept."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, block: bytes) -> None: ...

    def remove(self, name: str) -> None: ...


class Memory:
    """Blocks kept in memory: for tests, and for a bounded input, which needs no checkpoint."""

    def __init__(self) -> None:
        self.blocks: dict[str, bytes] = {}

    def read(self, name: str) -> bytes | None:
        return self.blocks.get(name)

    def write(self, name: str, block: bytes) -> None:
        self.blocks[name] = block

    def remove(self, name: str) -> None:
        self.blocks.pop(name, None)


def pack(table: pa.Table, fingerprint: str, note: dict[str, Any] | None = None) -> bytes:
    """A table as a block."""
    about = {"format": FORMAT, "plan": fingerprint, "note": note or {}}
    table = table.replace_schema_metadata({b"transom": json.dumps(about).encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def unpack(block: bytes, fingerprint: str) -> tuple[pa.Table, dict[str, Any]]:
    """The table of a block, and the note with it. A block of another query or of another format is refused."""
    table = pa.ipc.open_stream(block).read_all()
    about = json.loads(table.schema.metadata[b"transom"])
    if about["format"] != FORMAT:
        raise CheckpointMismatch(
            "the checkpoint was written in another format",
            given=f"format {about['format']}",
            exists=[f"format {FORMAT}"],
            remedy="start with a new checkpoint, or with the version of Transom that wrote it",
        )
    if about["plan"] != fingerprint:
        _check_shards(fingerprint, about["plan"])
        raise CheckpointMismatch(
            "the checkpoint belongs to another query",
            given=f"a query with fingerprint {fingerprint}",
            exists=[f"state of {about['plan']}"],
            remedy="give the changed query a checkpoint of its own, or run the old one",
        )
    return table, about["note"]


def _check_shards(now: str, then: str) -> None:
    """Fingerprints that Spark is given end with the numbers of shards and of partitions."""
    query, *here = now.rsplit("-", 2)
    other, *there = then.rsplit("-", 2)
    if query == other and len(here) == len(there) == 2:
        raise CheckpointMismatch(
            "the number of shards is fixed by the checkpoint",
            given=f"{here[0]} shards, spark.sql.shuffle.partitions={here[1]}",
            exists=[f"{there[0]} shards, spark.sql.shuffle.partitions={there[1]}"],
            remedy=f"go on with to_df(shards={there[0]}) and as many partitions, or start with a new checkpoint",
        )
