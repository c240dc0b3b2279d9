"""State for another number of shards: the state of a shard is split by key, and the parts of a new shard are merged.

A part is a state by itself: `split` makes several of one, `merge` one of several, and neither needs the plan. What all shards
have alike (progress) goes to every part; what is only added up (counts) goes to the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.errors import CheckpointDamaged, CheckpointMismatch, NotSupported
from transom.kernels.columns.arrays import Ints, one_chunk
from transom.kernels.columns.sharding import shards_of
from transom.kernels.state.migration import QUERY, Migrated
from transom.kernels.state.store import Memory, opened, pack
from transom.kernels.state.summary import APPLIED

State = Mapping[str, bytes]
Note = dict[str, Any]
Kept = dict[str, tuple[pa.Table, Note]]
"""Blocks by name, as tables with their notes."""

WHOLE = "restore the checkpoint from a copy"


class Opened:
    """The state of a shard: its head, its other blocks, the plan it belongs to, and the text of the query."""

    def __init__(self, state: State) -> None:
        memory = Memory()
        memory.blocks = dict(state)
        migrated = Migrated(memory)
        self.query = state.get(QUERY)
        if APPLIED in state:
            raise NotSupported(
                "the state of operators of transom.windowing cannot be rescaled",
                given=f"{len(state) - 1} keys",
                remedy="keep the number of shards, or start with a new checkpoint",
            )
        if "head" not in state:
            raise CheckpointDamaged("a shard has no head", given=", ".join(sorted(state)) or "no blocks", remedy=WHOLE)
        self.promises, about = opened(migrated.read("head") or b"")
        self.head, self.plan = about["note"], about["plan"]
        if not self.head.get("operator"):
            raise CheckpointMismatch(
                "the state was written in an earlier format, which does not say how it is spread",
                given=f"plan {self.plan}",
                remedy="run the query with this version until a micro-batch has ended, stop it, and try again",
            )
        self.kept: Kept = {}
        for name in state:
            if name not in ("head", QUERY):
                table, about = opened(migrated.read(name) or b"")
                self.kept[name] = table, about["note"]

    @property
    def shard_by(self) -> list[str]:
        return list(self.head["operator"]["shard_by"])

    @property
    def is_controlled(self) -> bool:
        """Whether a controller makes its progress: earlier versions said so by its state alone."""
        return bool(self.head["operator"].get("controlled") or self.head.get("progress", {}).get("controllers"))

    @property
    def is_relational(self) -> bool:
        return "inputs" in self.head

    def state(self, plan: str) -> dict[str, bytes]:
        """As blocks again."""
        made = {} if self.query is None else {QUERY: self.query}
        made["head"] = pack(self.promises, plan, self.head)
        return made | {name: pack(table, plan, note) for name, (table, note) in self.kept.items()}


def is_spread(state: State) -> bool:
    """Whether an operator's rows are spread over shards at all."""
    return bool(Opened(state).shard_by)


def split(state: State, shards: int) -> list[dict[str, bytes]]:
    """The state of a shard as those of several: the same operator, as far as the keys of each go."""
    made = []
    for shard in range(shards):
        part = Opened(state)
        _check_known(part)
        if not part.shard_by and shards > 1:
            raise NotSupported("the operator works in one shard", given=f"{shards} shards", remedy="leave it in one")
        if shards > 1:
            _keep_rows(part, shard, shards)
        if shard:
            _without_sums(part)
        made.append(part.state(part.plan))
    return made


def merge(states: Sequence[State], plan: str | None = None) -> dict[str, bytes]:
    """The states of several shards as one, of the plan with this fingerprint."""
    parts = [Opened(state) for state in states]
    first = parts[0]
    if any(part.plan != first.plan for part in parts):
        raise CheckpointDamaged(
            "shards belong to different queries", given=", ".join(sorted({part.plan for part in parts})), remedy=WHOLE
        )
    if len(parts) > 1:
        _check_known(first)
        _merge(parts)
    return first.state(first.plan if plan is None else plan)


def _check_known(part: Opened) -> None:
    if part.is_relational:
        raise NotSupported(
            "the state of joins, groups and set operations over relations cannot be rescaled yet",
            given=part.head["operator"]["kind"],
            remedy="keep the number of shards, or start with a new checkpoint",
        )


# -- splitting -----------------------------------------------------------------------------------------------


def _keep_rows(part: Opened, shard: int, shards: int) -> None:
    """Of all blocks, the rows whose keys belong to a shard. What has no keys stays as it is."""
    for name, (table, note) in list(part.kept.items()):
        if set(part.shard_by) <= set(table.column_names):
            own = np.flatnonzero(shards_by_key(table, part.shard_by, shards) == shard)
            part.kept[name] = table.take(pa.array(own)), _rows_of_note(note, own)
    _keep_buffers(part)


def shards_by_key(table: pa.Table, columns: Sequence[str], shards: int) -> Ints:
    """The shard of each row, as bucket finds it."""
    return shards_of([one_chunk(table[name]) for name in columns], table.num_rows, shards)


def _rows_of_note(note: Note, own: Ints) -> Note:
    """`places` has one for each row."""
    return {**note, "places": [note["places"][row] for row in own.tolist()]} if "places" in note else note


def _keep_buffers(part: Opened) -> None:
    """Lists of blocks say how many rows each has; one without rows is not kept. Bounds of windows stay bounds."""
    kind = part.head["kind"]
    for buffers in _lists(kind):
        for buffer in list(buffers):
            rows = part.kept[buffer[0]][0].num_rows
            buffer[1] = rows
            if not rows:
                del part.kept[buffer[0]]
                buffers.remove(buffer)
    if "store" in kind:
        kind["store"]["nodes"] = [node for node in kind["store"]["nodes"] if node[1]]


def _lists(kind: Note) -> list[list[list[Any]]]:
    """The lists of blocks of an operator: name, rows, and bounds of each."""
    if "store" in kind:
        return [buffers for _, buffers in kind["store"]["nodes"]]
    return [kind["waiting"]] if "waiting" in kind else []


def _without_sums(part: Opened) -> None:
    """Counts are added up over shards, and are those of one of them."""
    part.head["counts"] = dict.fromkeys(part.head["counts"], 0)
    part.head["ages"] = []
    for name, (table, note) in part.kept.items():
        if "provisional" in note:
            part.kept[name] = table, {**note, "provisional": [0, 0]}


# -- merging -------------------------------------------------------------------------------------------------


def _merge(parts: list[Opened]) -> None:
    """All parts into the first."""
    first, heads = parts[0], [part.head for part in parts]
    first.head = _merged_heads(heads)
    first.promises = _merged_promises([part.promises for part in parts])
    listed = [{buffer[0] for buffers in _lists(head["kind"]) for buffer in buffers} for head in heads]
    names = dict.fromkeys(name for part, own in zip(parts, listed, strict=True) for name in part.kept if name not in own)
    kept: Kept = {name: _merged_block(name, [part for part in parts if name in part.kept], first.shard_by) for name in names}
    if "store" in first.head["kind"]:
        kept |= _merged_store(parts, first.head["kind"])
    elif "waiting" in first.head["kind"]:
        kept |= _merged_waiting(parts, heads, first.head["kind"])
    first.kept = kept


def _merged_heads(heads: list[Note]) -> Note:
    first = heads[0]
    for head in heads[1:]:
        if head["progress"] != first["progress"]:
            raise CheckpointDamaged(
                "shards have come to different places",
                given=f"{head['progress']['frontier']} and {first['progress']['frontier']}",
                remedy=WHOLE,
            )
    ages: Counter[str | int] = Counter()
    for head in heads:
        ages.update(dict(head["ages"]))
    kind = dict(first["kind"])
    if "closed" in kind:
        kind["closed"] = max(head["kind"]["closed"] for head in heads)
    return {
        **first,
        "arrived": max(head["arrived"] for head in heads),
        "ages": list(ages.items()),
        "counts": {name: sum(head["counts"][name] for head in heads) for name in first["counts"]},
        "kind": kind,
    }


def _merged_promises(tables: list[pa.Table]) -> pa.Table:
    """Promises to groups: all of them, and to each group the largest."""
    found = [table for table in tables if table.num_rows]
    if not found:
        return tables[0]
    whole = joined(found)
    names = [name for name in whole.column_names if name != "x"]
    largest = whole.group_by(names, use_threads=False).aggregate([("x", "max")])
    return largest.rename_columns({"x_max": "x"}).select(whole.column_names)


def _merged_block(name: str, parts: list[Opened], shard_by: Sequence[str]) -> tuple[pa.Table, Note]:
    """The rows of all parts; what has no keys is the same in all of them."""
    tables, notes = [part.kept[name][0] for part in parts], [part.kept[name][1] for part in parts]
    keyed = [table for table in tables if set(shard_by) <= set(table.column_names)]
    if not keyed:
        return tables[0], notes[0]
    note = dict(notes[0])
    if "provisional" in note:
        note["provisional"] = [sum(pair) for pair in zip(*(own["provisional"] for own in notes), strict=True)]
    if "places" in note:
        note["places"] = [place for own in notes for place in own["places"]]
    return joined(keyed), note


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Tables of the same columns, one after the other."""
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()


def _merged_store(parts: list[Opened], kind: Note) -> Kept:
    """P-nodes with the buffers of all parts, in their order: those that follow one another and have the same columns are one."""
    nodes: dict[int, list[tuple[pa.Table, int, int]]] = {}
    for part in parts:
        for number, buffers in part.head["kind"]["store"]["nodes"]:
            for name, _, first, last in buffers:
                _append(nodes.setdefault(number, []), (part.kept[name][0], first, last))
    kept: Kept = {}
    made = []
    for number, pieces in nodes.items():
        buffers = []
        for table, first, last in pieces:
            name = f"b{len(kept) + 1}"
            kept[name] = table, {}
            buffers.append([name, table.num_rows, first, last])
        made.append([number, buffers])
    kind["store"] = {"nodes": made, "serial": len(kept)}
    return kept


def _append(pieces: list[tuple[pa.Table, int, int]], piece: tuple[pa.Table, int, int]) -> None:
    if pieces and pieces[-1][0].column_names == piece[0].column_names:
        table, first, last = pieces[-1]
        pieces[-1] = joined([table, piece[0]]), min(first, piece[1]), max(last, piece[2])
    else:
        pieces.append(piece)


def _merged_waiting(parts: list[Opened], heads: list[Note], kind: Note) -> Kept:
    """Blocks of rows that wait for an instant."""
    kept: Kept = {}
    waiting = []
    for part, head in zip(parts, heads, strict=True):
        for name, rows, first in head["kind"]["waiting"]:
            made = f"b{len(kept) + 1}"
            kept[made] = part.kept[name]
            waiting.append([made, rows, first])
    kind |= {"waiting": waiting, "serial": len(kept)}
    return kept


# -- all shards ----------------------------------------------------------------------------------------------


def rescaled(states: Sequence[State], shards: int, plan: str | None = None) -> list[dict[str, bytes]]:
    """The states of all shards of an operator, for another number of them. What works in one shard stays in one."""
    if not is_spread(states[0]):
        return [merge(states[:1], plan)]
    parts = [split(state, shards) for state in states]
    return [merge([own[shard] for own in parts], plan) for shard in range(shards)]
