"""Blocks of earlier formats: migrated when they are read, one format after the other.

To change what a block holds: raise `store.FORMAT`, and add here the function that makes the new form of the old one. The
stored checkpoints of `tests/upgrades` show that it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from transom.kernels.state.store import FORMAT, Blocks, check_format, opened, pack

Note = dict[str, Any]
Migration = Callable[[str, pa.Table, Note], tuple[pa.Table, Note]]
"""From the name of a block, its table and its note to the two as the next format has them."""

QUERY = "query"
"""The one block that is a text: which query the state of a shard is of."""


def _from_11(name: str, table: pa.Table, note: Note) -> tuple[pa.Table, Note]:
    """Format 12 says in the head of a shard what its operator is."""
    return table, {**note, "operator": None} if name == "head" else note


def _from_12(name: str, table: pa.Table, note: Note) -> tuple[pa.Table, Note]:
    """Format 13 keeps the rows of relations in narrow columns, and each column once. What they hold is the same."""
    return table, note


MIGRATIONS: dict[int, Migration] = {11: _from_11, 12: _from_12}
"""By the format that they start from. None may be missing in between."""

OLDEST = min(MIGRATIONS)
"""The oldest format that can be read."""


def migrated(name: str, block: bytes) -> bytes:
    """A block in the format of now."""
    table, about = opened(block)
    if about["format"] == FORMAT:
        return block
    check_format(about["format"], oldest=OLDEST)
    note = about["note"]
    for number in range(about["format"], FORMAT):
        table, note = MIGRATIONS[number](name, table, note)
    return pack(table, about["plan"], note)


class Migrated:
    """Blocks that are in the format of now, whatever they are kept in. What is written stays as it is."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def read(self, name: str) -> bytes | None:
        block = self._blocks.read(name)
        return block if block is None or name == QUERY else migrated(name, block)

    def write(self, name: str, block: bytes) -> None:
        self._blocks.write(name, block)

    def remove(self, name: str) -> None:
        self._blocks.remove(name)
