"""The state of joins, groups, set operations and ranks for another number of shards.

Every input has its rows in blocks, in the order in which they came; with them go counts, one for each row, and what their window
keeps. A partition that is counted has its key under another name, which the head says. What the operator keeps besides has keys,
too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
import pyarrow as pa

from transom.errors import CheckpointDamaged, NotSupported
from transom.kernels.columns.arrays import Ints, one_chunk
from transom.kernels.columns.nested import text_of
from transom.kernels.relations.inputs.live import SERIAL, SMALL
from transom.kernels.relations.inputs.stretches import TUPLE
from transom.kernels.state.rescaling.opened import Kept, Opened
from transom.kernels.state.rescaling.shard_state import (
    WHOLE,
    Blocks,
    Note,
    State,
    earlier_format,
    joined,
    merged_progress,
    merged_promises,
    shards_by_key,
)

OPEN_JOIN = "OpenJoinOperator"
"""The kind of operator that numbers the rows of a shard."""
COUNT = "count"
"""The column of the counts of an input's rows."""


class RelationalState(Opened):
    """The state of an operator on relations."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        if self.head["operator"]["kind"] == OPEN_JOIN:
            raise NotSupported(
                "an outer, semi or anti join that others follow cannot be rescaled: its rows refer to each other by number",
                given=OPEN_JOIN,
                remedy="keep the number of shards, or start with a new checkpoint",
            )
        if "called" not in self.head:
            raise earlier_format(self.plan)

    @property
    def is_controlled(self) -> bool:  # type: ignore[override]
        return bool(self.head["operator"].get("controlled"))

    def split(self, shards: int) -> list[Blocks]:
        if shards == 1:
            return [self.blocks(self.plan)]
        owners = dict(self._owners(shards))
        made = []
        for shard in range(shards):
            part = self.twin()
            part.kept = dict(_of_shard(self.kept, owners, shard))
            for about in part.head["inputs"]:
                live = about["states"]["live"]
                live["names"] = [name for name in live["names"] if name in part.kept]
                if shard:
                    about["counts"] = dict.fromkeys(about["counts"], 0)
            made.append(part.blocks(part.plan))
        return made

    def merge(self, others: Sequence[Self]) -> None:
        if others:
            _merge([self, *others])

    # -- which row is whose ----------------------------------------------------------------------------------

    def _owners(self, shards: int) -> Iterator[tuple[str, Ints]]:
        """The shard of each row of each block that has rows of keys."""
        of_inputs = set()
        for number, about in enumerate(self.head["inputs"]):
            prefix, names = f"i{number}", about["states"]["live"]["names"]
            own = {name: self._of_rows(name, prefix, shards) for name in names}
            yield from own.items()
            counts, there = f"{prefix}counts", f"{prefix}-there"
            if counts in self.kept:
                yield counts, self._alike(counts, np.concatenate([*own.values(), np.zeros(0, np.int64)]))
            for name in (one for one in self.kept if one.startswith(f"{prefix}-") and one != f"{prefix}-promises"):
                if name != there:
                    yield name, self._of_rows(name, prefix, shards)
                else:
                    yield there, self._alike(there, self._of_rows(f"{prefix}-numbers", prefix, shards))
            of_inputs |= {*names, counts, *(one for one in self.kept if one.startswith(f"{prefix}-"))}
        for name in self.kept:
            if name not in of_inputs:
                yield name, self._of_rows(name, name, shards)

    def _of_rows(self, name: str, whose: str, shards: int) -> Ints:
        """The shard of each row of a block, by its keys, or by the columns that are the keys under other names."""
        if name not in self.kept:
            raise CheckpointDamaged("a block of state is missing", given=name, remedy=WHOLE)
        table, _ = self.kept[name]
        called = self.head["called"].get(whose, {})
        columns = {}
        for key in self.shard_by:
            found = key if key in table.column_names else called.get(key)
            if found not in table.column_names:
                raise CheckpointDamaged("a block does not say which keys its rows have", given=f"{name}: {key}", remedy=WHOLE)
            columns[key] = self._as_key(one_chunk(table[found]), key)
        return shards_by_key(pa.table(columns), self.shard_by, shards)

    def _as_key(self, column: pa.Array, key: str) -> pa.Array:
        """A column in the type that its key has where bucket spreads rows: nested values are text there."""
        if pa.types.is_nested(column.type):
            return text_of(column)
        kind = self.of_head.schema.field(key).type
        plain = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        return column if plain == kind or pa.types.is_nested(kind) else column.cast(kind)

    def _alike(self, name: str, owners: Ints) -> Ints:
        """The shards of a block whose rows are those of others, one by one."""
        rows = self.kept[name][0].num_rows
        if rows != len(owners):
            raise CheckpointDamaged("blocks do not fit together", given=f"{name}: {rows} rows of {len(owners)}", remedy=WHOLE)
        return owners


def _of_shard(kept: Kept, owners: dict[str, Ints], shard: int) -> Iterator[tuple[str, tuple[pa.Table, Note]]]:
    """The blocks of one shard: of those with keys its own rows, if there are any."""
    for name, (table, note) in kept.items():
        if name not in owners:
            yield name, (table, note)
            continue
        own = np.flatnonzero(owners[name] == shard)
        if len(own):
            yield name, (table.take(pa.array(own)), note)


# -- merging -------------------------------------------------------------------------------------------------


def _merge(parts: Sequence[RelationalState]) -> None:
    """All parts into the first."""
    first = parts[0]
    if any(part.head["low"] != first.head["low"] for part in parts):
        lows = sorted({part.head["low"] for part in parts})
        raise CheckpointDamaged("shards have come to different places", given=", ".join(map(str, lows)), remedy=WHOLE)
    kept: Kept = {}
    inputs = []
    listed: set[str] = set()
    for number in range(len(first.head["inputs"])):
        prefix, abouts = f"i{number}", [part.head["inputs"][number] for part in parts]
        counts = f"{prefix}counts"
        listed |= {counts, *(name for about in abouts for name in about["states"]["live"]["names"])}
        live, blocks = _live(prefix, [_rows(part, number) for part in parts])
        if any(counts in part.kept for part in parts):
            blocks[counts] = pa.table({COUNT: np.concatenate([_counts(part, number) for part in parts])}), {}
        kept |= blocks
        inputs.append(_input(abouts, live))
    for name in dict.fromkeys(name for part in parts for name in part.kept if name not in listed):
        tables = [part.kept[name][0] for part in parts if name in part.kept]
        kept[name] = merged_promises(tables) if name.endswith("-promises") else joined(tables), {}
    first.head = {**first.head, "inputs": inputs}
    first.kept = kept


def _input(abouts: Sequence[Note], live: Note) -> Note:
    """What the head says of an input."""
    counts = {name: sum(about["counts"][name] for about in abouts) for name in abouts[0]["counts"]}
    return {
        **abouts[0],
        "progress": merged_progress([about["progress"] for about in abouts]),
        "counts": counts,
        "heard": max(about.get("heard", 0) for about in abouts),
        "instants": sorted({instant for about in abouts for instant in about["instants"]}),
        "states": {**abouts[0]["states"], "live": live},
    }


def _rows(part: RelationalState, number: int) -> list[pa.Table]:
    """The blocks with the rows of an input, in their order."""
    return [part.kept[name][0] for name in part.head["inputs"][number]["states"]["live"]["names"]]


def _counts(part: RelationalState, number: int) -> Ints:
    """A count for each row of an input; where none is kept they are zero."""
    name = f"i{number}counts"
    if name in part.kept:
        return np.asarray(one_chunk(part.kept[name][0][COUNT]).to_numpy(), np.int64)
    return np.zeros(sum(table.num_rows for table in _rows(part, number)), np.int64)


def _live(prefix: str, parts: Sequence[Sequence[pa.Table]]) -> tuple[Note, Kept]:
    """The rows of all shards, one shard after the other, numbered anew; small blocks that follow one another are one."""
    tables: list[pa.Table] = []
    rows = tuples = 0
    for blocks in parts:
        known = _tuples(blocks)
        for table in blocks:
            table = _with(table, SERIAL, np.arange(rows, rows + table.num_rows))
            if known is not None:
                table = _with(table, TUPLE, np.searchsorted(known, one_chunk(table[TUPLE]).to_numpy()) + tuples)
            rows += table.num_rows
            if tables and table.num_rows < SMALL and tables[-1].num_rows < SMALL:
                tables[-1] = joined([tables[-1], table])
            else:
                tables.append(table)
        tuples += 0 if known is None else len(known)
    kept: Kept = {f"{prefix}{one_chunk(table[SERIAL])[0].as_py()}": (table, {}) for table in tables}
    return {"names": list(kept), "next": rows}, kept


def _tuples(blocks: Sequence[pa.Table]) -> Ints | None:
    """The numbers of the tuples that rows are stretches of, where they are numbered."""
    numbers = [one_chunk(table[TUPLE]).to_numpy() for table in blocks if TUPLE in table.column_names]
    return np.unique(np.concatenate(numbers)) if numbers else None


def _with(table: pa.Table, name: str, values: Ints) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, pa.array(values))
