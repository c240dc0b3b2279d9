"""Stored checkpoints: what every transcript leaves behind half way, so that later code must resume from it."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.engines.kernels import KernelEngine
from tests.engines.relation_kernels import KernelRelations
from transom.errors import NotSupported, TransomError
from transom.kernels.state.store import FORMAT
from transom.reference.history import End
from transom.testing import load_transcript
from transom.testing.relation_transcript import load_relation_transcript

HERE = Path(__file__).parent
TRANSCRIPTS = HERE.parent / "transcripts"
SHARDS = 2


def names() -> list[str]:
    """The transcripts, those over several streams last."""
    found = [path.stem for path in sorted(TRANSCRIPTS.glob("*.yaml"))]
    return found + [f"relations/{path.stem}" for path in sorted((TRANSCRIPTS / "relations").glob("*.yaml"))]


class Half:
    """A transcript on the kernels, and what arrives in either half of it. The end comes in the second."""

    def __init__(self, name: str) -> None:
        if name.startswith("relations/"):
            relation = load_relation_transcript(TRANSCRIPTS / f"{name}.yaml")
            if relation.tables:
                raise NotSupported("joins with tables are Spark's")
            self.execution: Any = KernelRelations(SHARDS).start(relation.plan, {})
            self.items: list[Any] = list(relation.items)
            self.running = self.execution.top
            if any(type(side).__name__ != "_StreamSide" for side in self.running.sides):
                raise NotSupported("operators below have a state of their own")
            end: list[Any] = []
        else:
            one = load_transcript(TRANSCRIPTS / f"{name}.yaml")
            self.execution = KernelEngine(SHARDS).start(one.query, one.stream)
            self.items = list(one.items)
            self.running = self.execution._main
            end = [] if any(isinstance(item, End) for item in self.items) else [End()]
        middle = len(self.items) // 2
        self.first, self.second = self.items[:middle], self.items[middle:] + end

    @property
    def blocks(self) -> list[dict[str, bytes]]:
        """The state of each shard."""
        return [memory.blocks for memory in self.running.state]

    @blocks.setter
    def blocks(self, kept: list[dict[str, bytes]]) -> None:
        for memory, own in zip(self.running.state, kept, strict=True):
            memory.blocks = dict(own)


def halves() -> Iterator[tuple[str, Half]]:
    """Every transcript that the kernels answer by themselves and whose state is that of one operator."""
    for name in names():
        try:
            half = Half(name)
        except TransomError:
            continue
        yield name, half


def write(path: Path) -> int:
    """Store what all of them keep; how many they are."""
    count = 0
    with tarfile.open(path, "w:xz") as archive:
        _add(archive, "about.json", json.dumps({"format": FORMAT, "shards": SHARDS}).encode())
        for name, half in halves():
            half.execution.feed(half.first)
            for shard, blocks in enumerate(half.blocks):
                for block, content in sorted(blocks.items()):
                    _add(archive, f"{name}/{shard}/{block}", content)
            count += 1
    return count


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    """An entry without owner and date, so that archives of the same content are the same."""
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def read(path: Path) -> dict[str, list[dict[str, bytes]]]:
    """The blocks of each transcript, by shard."""
    found: dict[str, list[dict[str, bytes]]] = {}
    with tarfile.open(path, "r:xz") as archive:
        for entry in archive:
            content = archive.extractfile(entry)
            assert content is not None
            if entry.name == "about.json":
                continue
            name, shard, block = entry.name.rsplit("/", 2)
            shards = found.setdefault(name, [])
            while len(shards) <= int(shard):
                shards.append({})
            shards[int(shard)][block] = content.read()
    return found
