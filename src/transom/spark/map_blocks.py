"""Blocks of state in a Spark MapState."""

from __future__ import annotations

from typing import Any


class MapBlocks:
    """Blocks in a Spark MapState. Every block that was read is read once; only what changed is written."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def read(self, name: str) -> bytes | None:
        found = self._state.getValue((name,))
        return None if found is None else bytes(found[0])

    def write(self, name: str, block: bytes) -> None:
        self._state.updateValue((name,), (block,))

    def remove(self, name: str) -> None:
        self._state.removeKey((name,))
