"""Joins pictures of one size to an animated PNG, which browsers show as they show a still one."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence

MAGIC = b"\x89PNG\r\n\x1a\n"


def animated(pictures: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """One picture after the other, each for some seconds, again and again. Pixels are taken as they are compressed."""
    first = dict(_chunks(pictures[0]))
    size = struct.unpack(">II", first[b"IHDR"][:8])
    made, number = [MAGIC, _chunk(b"IHDR", first[b"IHDR"]), _chunk(b"acTL", struct.pack(">II", len(pictures), 0))], 0
    for n, (picture, shown) in enumerate(zip(pictures, seconds, strict=True)):
        kinds = list(_chunks(picture))
        if dict(kinds)[b"IHDR"] != first[b"IHDR"]:
            raise ValueError("the pictures differ in size or form")
        made.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, *size, 0, 0, round(1000 * shown), 1000, 0, 0)))
        number += 1
        for data in (data for kind, data in kinds if kind == b"IDAT"):
            made.append(_chunk(b"IDAT", data) if n == 0 else _chunk(b"fdAT", struct.pack(">I", number) + data))
            number += n > 0
    return b"".join([*made, _chunk(b"IEND", b"")])


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(MAGIC)
    while at < len(picture):
        (size,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]
        at += 12 + size


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
