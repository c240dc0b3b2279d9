"""Where a file source stands: which files it has taken.

A smaller name may turn up later, so the last name alone does not tell what was taken; and a source of Spark's Python API
has no folder of its own to keep a list in, only its offset, of which a restart gets the last one and nothing else. So the
offset carries the whole set, packed: names in order, each without what it shares with the one before, compressed. Numbered
names take about a byte each (ten thousand files: some ten kilobytes), random ones what is random in them. A micro-batch is
the difference between two offsets: whoever replays it reads the same files.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

Offset = dict[str, Any]


def offset_of(names: Iterable[str]) -> Offset:
    """The offset behind these files.

    >>> taken_by(offset_of({"b.csv", "a.csv"})) == {"a.csv", "b.csv"}
    True
    """
    ordered = sorted(names)
    return {"files": len(ordered), "names": _pack(ordered)}


def taken_by(offset: Offset) -> frozenset[str]:
    return _unpack(offset["names"])


def _pack(names: list[str]) -> str:
    lines, before = [], ""
    for name in names:
        shared = _shared(before, name)
        lines.append(f"{shared}/{name[shared:]}")
        before = name
    return base64.b85encode(zlib.compress("\0".join(lines).encode("utf-8", "surrogateescape"), 9)).decode()


def _shared(one: str, other: str) -> int:
    """How many characters two names begin with in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@lru_cache(maxsize=4)
def _unpack(packed: str) -> frozenset[str]:
    text = zlib.decompress(base64.b85decode(packed)).decode("utf-8", "surrogateescape")
    names, before = [], ""
    for line in text.split("\0") if text else []:
        shared, _, rest = line.partition("/")
        before = before[: int(shared)] + rest
        names.append(before)
    return frozenset(names)
