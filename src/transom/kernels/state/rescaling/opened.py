"""State that is Arrow tables: a head, which says what it belongs to, and blocks."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Self

import pyarrow as pa

from transom.errors import CheckpointDamaged
from transom.kernels.state.migration import QUERY, Migrated
from transom.kernels.state.rescaling.shard_state import WHOLE, Blocks, Note, ShardState, State, earlier_format
from transom.kernels.state.store import Memory, opened, pack

Kept = dict[str, tuple[pa.Table, Note]]
"""Blocks by name, as tables with their notes."""


class Opened(ShardState):
    """The head of a shard, with the table in it, its other blocks, and the text of the query."""

    def __init__(self, state: State) -> None:
        read = reader(state)
        self.query = state.get(QUERY)
        if "head" not in state:
            raise CheckpointDamaged("a shard has no head", given=", ".join(sorted(state)) or "no blocks", remedy=WHOLE)
        self.of_head, about = read("head")
        self.head: Note = about["note"]
        self.plan = about["plan"]
        if not self.head.get("operator"):
            raise earlier_format(self.plan)
        self.kind = self.head["operator"]["kind"]
        self.kept: Kept = {}
        for name in state:
            if name not in ("head", QUERY):
                table, about = read(name)
                self.kept[name] = table, about["note"]

    @property
    def shard_by(self) -> list[str]:
        return list(self.head["operator"]["shard_by"])

    @property
    def is_spread(self) -> bool:
        return bool(self.shard_by)

    def twin(self) -> Self:
        """Another like it, which may be changed; tables do not change."""
        made = copy(self)
        made.head, made.kept = deepcopy(self.head), dict(self.kept)
        return made

    def blocks(self, plan: str) -> Blocks:
        made = {} if self.query is None else {QUERY: self.query}
        made["head"] = pack(self.of_head, plan, self.head)
        return made | {name: pack(table, plan, note) for name, (table, note) in self.kept.items()}


def reader(state: State) -> Callable[[str], tuple[pa.Table, Note]]:
    """A function that gives the table of a block, and what the block says of itself, in the format of now."""
    memory = Memory()
    memory.blocks = dict(state)
    migrated = Migrated(memory)
    return lambda name: opened(migrated.read(name) or b"")
