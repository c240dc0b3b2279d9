"""Several binaries as one, each with its name: for a cell of a DataFrame, and for the state of a shard."""

from __future__ import annotations

import struct
from collections.abc import Mapping

HEAD = struct.Struct("<HQ")
"""The lengths of a name and of what it names."""


def joined(binaries: Mapping[str, bytes]) -> bytes:
    """For each its name, its length, and itself."""
    parts = []
    for name, binary in binaries.items():
        label = name.encode()
        parts += [HEAD.pack(len(label), len(binary)), label, binary]
    return b"".join(parts)


def parted(value: bytes) -> dict[str, bytes]:
    """The binaries again."""
    binaries: dict[str, bytes] = {}
    place = 0
    while place < len(value):
        label, length = HEAD.unpack_from(value, place)
        place += HEAD.size
        name = value[place : place + label].decode()
        place += label
        binaries[name] = value[place : place + length]
        place += length
    return binaries
