"""Several binaries as one, each with its name: for a cell of a DataFrame, and for the state of a shard."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, TypeVar

Bytes = TypeVar("Bytes", bytes, memoryview)

HEAD = struct.Struct("<HQ")
"""The lengths of a name and of what it names."""


def joined(binaries: Mapping[str, Any]) -> bytes:
    """For each its name, its length, and itself. Whatever has bytes will do."""
    parts = []
    for name, binary in binaries.items():
        label = name.encode()
        parts += [HEAD.pack(len(label), len(binary)), label, binary]
    return b"".join(parts)


def parted(value: Bytes) -> dict[str, Bytes]:
    """The binaries again: those of a view are views."""
    binaries: dict[str, Bytes] = {}
    place = 0
    while place < len(value):
        label, length = HEAD.unpack_from(value, place)
        place += HEAD.size
        name = bytes(value[place : place + label]).decode()
        place += label
        binaries[name] = value[place : place + length]
        place += length
    return binaries
