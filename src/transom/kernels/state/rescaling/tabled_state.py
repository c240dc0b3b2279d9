"""The state of windows with policies that keep tables, for another number of shards: of tuples cut by a delta, or of panes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np
import pyarrow as pa

from transom.column_names import BESIDE, PARTITION_NUMBER, PARTITION_OF
from transom.errors import CheckpointDamaged
from transom.kernels.applied.clock_state import PANES, PARTITIONS
from transom.kernels.applied.delta_operator import OPEN
from transom.kernels.columns.arrays import Ints, one_chunk
from transom.kernels.state.rescaling.opened import reader
from transom.kernels.state.rescaling.shard_state import (
    WHOLE,
    Blocks,
    Note,
    ShardState,
    State,
    earlier_format,
    joined,
    shards_by_key,
)
from transom.kernels.state.store import pack

BASE = f"{BESIDE}base"


class TabledState(ShardState):
    """One table with a row for each tuple or partition, and a note beside it."""

    ends_of_plan = 1

    def __init__(self, state: State) -> None:
        self.read = reader(state)
        self.table, about = self.read(OPEN)
        self.plan, self.note = about["plan"], about["note"]
        if "about" not in self.note:
            raise earlier_format(self.plan)
        self.kind = self.note["about"]["kind"]

    @property
    def is_spread(self) -> bool:
        return self.note["about"]["alone"] is None

    def blocks(self, plan: str) -> Blocks:
        return {OPEN: pack(self.table, plan, self.note)}

    def split(self, shards: int) -> list[Blocks]:
        owners = shards_by_key(self.table, self.note["about"]["keys"], shards) if self.table.num_rows else np.zeros(0, np.int64)
        made = []
        for shard in range(shards):
            part = self._part(np.flatnonzero(owners == shard))
            if shard:
                part.note["counts"] = {**dict.fromkeys(self.note["counts"], 0), "held": part.note["counts"]["held"]}
            made.append(part.blocks(part.plan))
        return made

    def _part(self, own: Ints) -> Self:
        """Some rows of the table, and what belongs to them."""
        part = copy(self)
        part.table = self.table.take(pa.array(own))
        part.note = {**self.note, "counts": {**self.note["counts"], "held": part.held}}
        return part

    @property
    @abstractmethod
    def held(self) -> int:
        """How many tuples or partials are kept."""

    def merge(self, others: Sequence[Self]) -> None:
        parts = [self, *others]
        if others:
            counts = {name: sum(part.note["counts"][name] for part in parts) for name in self.note["counts"]}
            self.table = joined([part.table for part in parts if part.table.num_rows] or [self.table])
            self.note = {**self.note, "counts": counts}


class CutState(TabledState):
    """The tuples of open windows that a delta cuts."""

    @property
    def held(self) -> int:
        return int(self.table.num_rows)


class ClockedState(TabledState):
    """Partitions by number, with the panes of each."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.panes: pa.Table | None = self.read(PANES)[0] if PANES in state else None

    def blocks(self, plan: str) -> Blocks:
        return super().blocks(plan) | ({} if self.panes is None else {PANES: pack(self.panes, plan)})

    @property
    def held(self) -> int:
        return 0 if self.panes is None else int(self.panes.num_rows)

    def _part(self, own: Ints) -> Self:
        part = copy(self)
        part.table = self.table.take(pa.array(own))
        if self.panes is not None:
            part.panes = self.panes.filter(
                pa.array(np.isin(_numbers(self.panes, PARTITION_OF), _numbers(part.table, PARTITION_NUMBER)))
            )
        due = self.note["due"] if part.held else None
        part.note = {**self.note, "due": due, "counts": {**self.note["counts"], "held": part.held}}
        return part

    def merge(self, others: Sequence[Self]) -> None:
        parts = [self, *others]
        if not others:
            return
        numbers = _renumbered([part.table for part in parts])
        clocks, dues = [part.note["clock"] for part in parts], [part.note["due"] for part in parts]
        panes = [
            _with(part.panes, PARTITION_OF, _found(_numbers(part.panes, PARTITION_OF), part.table, new))
            for part, new in zip(parts, numbers, strict=True)
            if part.panes is not None and part.panes.num_rows
        ]
        for part, new in zip(parts, numbers, strict=True):
            part.table = _with(part.table, PARTITION_NUMBER, new)
        super().merge(others)
        self.table = self.table.take(pa.array(np.argsort(_numbers(self.table, PARTITION_NUMBER))))
        self.panes = joined(panes) if panes else self.panes
        due = min((at for at in dues if at is not None), default=None)
        self.note = {**self.note, "clock": max(clocks), "due": due, "opened": self.table.num_rows}


def _renumbered(tables: Sequence[pa.Table]) -> list[Ints]:
    """New numbers for the partitions of several shards: in the order in which they began."""
    began = np.concatenate([_numbers(table, BASE) for table in tables])
    numbers = np.concatenate([_numbers(table, PARTITION_NUMBER) for table in tables])
    made = np.empty(len(began), np.int64)
    made[np.lexsort((numbers, began))] = 1 + np.arange(len(began))
    return np.split(made, np.cumsum([table.num_rows for table in tables])[:-1])


def _found(numbers: Ints, table: pa.Table, new: Ints) -> Ints:
    """The new numbers in place of the old ones, which ascend in the table."""
    known = _numbers(table, PARTITION_NUMBER)
    place = np.searchsorted(known, numbers)
    if not np.isin(numbers, known).all():
        raise CheckpointDamaged("a pane belongs to no partition", given=PARTITIONS, remedy=WHOLE)
    return np.asarray(new[place], np.int64)


def _numbers(table: pa.Table, name: str) -> Ints:
    return np.asarray(one_chunk(table[name]).to_numpy(), np.int64) if name in table.column_names else np.zeros(0, np.int64)


def _with(table: pa.Table, name: str, values: Ints) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, pa.array(values)) if name in table.column_names else table


def tabled_state(state: State) -> TabledState:
    """The state of a window that keeps tables."""
    _, about = reader(state)(OPEN)
    found: Note = about["note"]
    return ClockedState(state) if "clock" in found else CutState(state)
