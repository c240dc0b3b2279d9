"""Columnar block state: named blocks of bytes, each an Arrow table that carries its format and the plan it belongs to."""

from __future__ import annotations

import json
from typing import Any, Protocol

import pyarrow as pa

from transom.errors import CheckpointDamaged, CheckpointMismatch
from transom.kernels.columns.narrowing import narrowed, widened

FORMAT = 13
"""The version of what blocks hold. Blocks of versions since `migration.OLDEST` are migrated when they are read."""


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


def pack(table: pa.Table, fingerprint: str, note: dict[str, Any] | None = None, *, narrow: bool = False) -> bytes:
    """A table as a block, whose numbers may be `narrow`: that takes a while, and less room."""
    about = {"format": FORMAT, "plan": fingerprint, "note": note or {}}
    table = narrowed(table.replace_schema_metadata(None)) if narrow else table.replace_schema_metadata(None)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), b"transom": json.dumps(about).encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def unpack(block: bytes, fingerprint: str) -> tuple[pa.Table, dict[str, Any]]:
    """The table of a block, and the note with it. A block of another query or of another format is refused."""
    table, about = opened(block)
    check_format(about["format"], oldest=FORMAT)
    if about["plan"] != fingerprint:
        _check_shards(fingerprint, about["plan"])
        raise CheckpointMismatch(
            "the checkpoint belongs to another query",
            given=f"a query with fingerprint {fingerprint}",
            exists=[f"state of {about['plan']}"],
            remedy="restore the query; or run the changed one beside it, with a checkpoint of its own, until its windows are "
            "whole",
        )
    return table, about["note"]


def opened(block: bytes) -> tuple[pa.Table, dict[str, Any]]:
    """The table of a block, of any format, and what the block says of itself: `format`, `plan`, `note`."""
    try:
        table = pa.ipc.open_stream(block).read_all()
        return widened(table), dict(json.loads(table.schema.metadata[b"transom"]))
    except (pa.ArrowInvalid, OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointDamaged(
            "a block of state cannot be read" if block else "a block of state is missing",
            given=f"{len(block)} bytes: {str(error).splitlines()[0]}",
            remedy="restore the checkpoint from a copy, or start with a new one (what was read is then read again)",
        ) from None


def check_format(found: int, *, oldest: int) -> None:
    """Refuse blocks that this version cannot read."""
    if found > FORMAT:
        raise CheckpointMismatch(
            "the checkpoint was written in another format, by a newer version of Transom",
            given=f"format {found}",
            exists=[f"format {FORMAT}"],
            remedy="resume with that version, or start with a new checkpoint",
        )
    if found < oldest:
        raise CheckpointMismatch(
            "the checkpoint was written in another format, by a version of Transom that is too old",
            given=f"format {found}",
            exists=[f"format {number}" for number in range(oldest, FORMAT + 1)],
            remedy="start with a new checkpoint, or resume with the version that wrote it",
        )


def _check_shards(now: str, then: str) -> None:
    """Fingerprints that Spark is given end with the numbers of shards and of partitions."""
    query, *here = now.rsplit("-", 2)
    other, *there = then.rsplit("-", 2)
    if query == other and len(here) == len(there) == 2:
        raise CheckpointMismatch(
            "the number of shards is fixed by the checkpoint",
            given=f"{here[0]} shards, spark.sql.shuffle.partitions={here[1]}",
            exists=[f"{there[0]} shards, spark.sql.shuffle.partitions={there[1]}"],
            remedy=f"resume with to_df(shards={there[0]}) and spark.sql.shuffle.partitions={there[1]}, or stop the query and "
            f"change the checkpoint: transom rescale CHECKPOINT --shards {here[0]}",
        )
