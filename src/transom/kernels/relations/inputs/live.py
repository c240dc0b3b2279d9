"""The rows of one input that are in their window, or will be: kept once, in blocks, until they have left.

A micro-batch appends a block. A block is dropped whole when its last row has left, and written anew when half of it has.
Each row may carry a count, such as how many rows of the other input it is matched with now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Bools, Ints, one_chunk
from transom.kernels.relations.moments import NEVER
from transom.kernels.state.store import Blocks, pack, unpack

SINCE, UNTIL, SERIAL = "since", "until", "serial"
SMALL = 4096
"""Rows of a block that is merged with the next: fewer make more blocks than they are worth."""


@dataclass
class Part:
    """A block in memory, with the counts of its rows, and whether it differs from what is stored."""

    name: str
    table: pa.Table
    until: Ints
    counts: Ints
    changed: bool = False


class Live:
    """The rows of one input. `fingerprint` is that of the operator."""

    def __init__(self, prefix: str, fingerprint: str) -> None:
        self.prefix, self.fingerprint = prefix, fingerprint
        self.parts: list[Part] = []
        self.stored: list[str] = []
        self.next = 0

    @property
    def rows(self) -> int:
        return sum(len(part.until) for part in self.parts)

    def add(self, table: pa.Table, since: Ints, until: Ints) -> None:
        """Rows that have come."""
        if not table.num_rows:
            return
        table = table.append_column(SINCE, pa.array(since)).append_column(SERIAL, pa.array(np.arange(len(since)) + self.next))
        self.parts.append(Part(f"{self.prefix}{self.next}", table, until.copy(), np.zeros(len(since), np.int64), changed=True))
        self.next += len(since)

    def leave(self, serials: Ints, moments: Ints) -> None:
        """Rows that were to stay as far as it was known, and now leave."""
        for part in self.parts:
            own = one_chunk(part.table[SERIAL]).to_numpy()
            at = np.searchsorted(own, serials)
            found = np.flatnonzero(own[np.minimum(at, len(own) - 1)] == serials)
            if len(found):
                part.until[at[found]] = moments[found]
                part.changed = True

    def read(self) -> tuple[pa.Table | None, Ints, Ints, Ints]:
        """All rows, when they enter and leave, and their counts."""
        if not self.parts:
            nothing = np.zeros(0, np.int64)
            return None, nothing, nothing, nothing
        tables = [part.table for part in self.parts]
        table = pa.concat_tables(tables, promote_options="default").unify_dictionaries().combine_chunks()
        since = one_chunk(table[SINCE]).to_numpy()
        until = np.concatenate([part.until for part in self.parts])
        return table, since, until, np.concatenate([part.counts for part in self.parts])

    def forget(self, before: int, counts: Ints, needed: Bools | None = None) -> None:
        """Drop what has left before a moment and is not `needed`, and keep the counts of the rest. `counts` are of all rows, as
        they were read."""
        kept: list[Part] = []
        start = 0
        for part in self.parts:
            own = slice(start, start + len(part.until))
            part.counts, start = counts[own], own.stop
            stays: Bools = part.until >= before if needed is None else (part.until >= before) | needed[own]
            if not stays.any():
                continue
            if 2 * int(stays.sum()) < len(stays):
                part = Part(part.name, part.table.filter(pa.array(stays)), part.until[stays], part.counts[stays], changed=True)
            kept.append(part)
        self.parts = _merged(kept)

    # -- blocks ----------------------------------------------------------------------------------------------

    def save(self, blocks: Blocks) -> dict[str, Any]:
        names = [part.name for part in self.parts]
        for name in set(self.stored) - set(names):
            blocks.remove(name)
        for part in self.parts:
            if part.changed:
                table = part.table.append_column(UNTIL, pa.array(part.until))
                blocks.write(part.name, pack(table, self.fingerprint, narrow=True))
                part.changed = False
        self.stored = names
        counted = np.concatenate([part.counts for part in self.parts]) if self.parts else np.zeros(0, np.int64)
        if counted.any():
            blocks.write(f"{self.prefix}counts", pack(pa.table({"count": pa.array(counted)}), self.fingerprint, narrow=True))
        elif blocks.read(f"{self.prefix}counts") is not None:
            blocks.remove(f"{self.prefix}counts")
        return {"names": names, "next": self.next}

    def load(self, blocks: Blocks, note: dict[str, Any]) -> None:
        self.next, self.stored, self.parts = note["next"], list(note["names"]), []
        counted = blocks.read(f"{self.prefix}counts")
        counts = None if counted is None else one_chunk(unpack(counted, self.fingerprint)[0]["count"]).to_numpy()
        start = 0
        for name in self.stored:
            table, _ = unpack(blocks.read(name) or b"", self.fingerprint)
            until = np.array(one_chunk(table[UNTIL]).to_numpy(), np.int64)
            own = np.zeros(len(until), np.int64) if counts is None else np.array(counts[start : start + len(until)])
            start += len(until)
            self.parts.append(Part(name, table.drop_columns([UNTIL]), until, own))


def _merged(parts: list[Part]) -> list[Part]:
    """Small blocks that follow one another become one. Rows stay in the order of their serials."""
    made: list[Part] = []
    for part in parts:
        last = made[-1] if made else None
        if last is not None and len(last.until) < SMALL and len(part.until) < SMALL:
            table = pa.concat_tables([last.table, part.table], promote_options="default").unify_dictionaries().combine_chunks()
            until, counts = np.concatenate([last.until, part.until]), np.concatenate([last.counts, part.counts])
            made[-1] = Part(last.name, table, until, counts, changed=True)
        else:
            made.append(part)
    return made


def stays(until: Ints) -> Bools:
    """Which rows leave at no moment that is known."""
    return np.asarray(until == NEVER, bool)
