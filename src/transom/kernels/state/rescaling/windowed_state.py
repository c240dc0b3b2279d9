"""The state of windows for another number of shards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints
from transom.kernels.state.rescaling.opened import Kept, Opened
from transom.kernels.state.rescaling.shard_state import Blocks, Note, joined, merged_progress, merged_promises, shards_by_key


class WindowedState(Opened):
    """The state of a window, or of several in step."""

    @property
    def is_controlled(self) -> bool:  # type: ignore[override]
        """Earlier versions said so by the controller's state alone."""
        return bool(self.head["operator"].get("controlled") or self.head.get("progress", {}).get("controllers"))

    def split(self, shards: int) -> list[Blocks]:
        made = []
        for shard in range(shards):
            part = self.twin()
            if shards > 1:
                _keep_rows(part, shard, shards)
            if shard:
                _without_sums(part)
            made.append(part.blocks(part.plan))
        return made

    def merge(self, others: Sequence[Self]) -> None:
        if others:
            _merge([self, *others])


# -- splitting -----------------------------------------------------------------------------------------------


def _keep_rows(part: Opened, shard: int, shards: int) -> None:
    """Of all blocks, the rows whose keys belong to a shard. What has no keys stays as it is."""
    for name, (table, note) in list(part.kept.items()):
        if set(part.shard_by) <= set(table.column_names):
            own = np.flatnonzero(shards_by_key(table, part.shard_by, shards) == shard)
            part.kept[name] = table.take(pa.array(own)), _rows_of_note(note, own)
    _keep_buffers(part)


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
    first.of_head = merged_promises([part.of_head for part in parts])
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
    ages: Counter[str | int] = Counter()
    for head in heads:
        ages.update(dict(head["ages"]))
    kind = dict(first["kind"])
    if "closed" in kind:
        kind["closed"] = max(head["kind"]["closed"] for head in heads)
    return {
        **first,
        "progress": merged_progress([head["progress"] for head in heads]),
        "arrived": max(head["arrived"] for head in heads),
        "ages": list(ages.items()),
        "counts": {name: sum(head["counts"][name] for head in heads) for name in first["counts"]},
        "kind": kind,
    }


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
