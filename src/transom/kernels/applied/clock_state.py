"""What is kept of windows on the clock: for each partition when its first tuple came, and the partials of its panes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import BESIDE, KEY, PARTITION_NUMBER
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.columns.arrays import Array, Bools, Ints, codes_of, one_chunk, order_of, run_starts
from transom.kernels.state.store import Blocks, pack, unpack

PARTITIONS, PANES = "operator", "panes"


class ClockState:
    """Partitions are numbered as they open, and so is each row of `_known`: keys, number, when it began, and, where they are
    reported, how many tuples and processed windows it has had. `last` is when its latest tuple came."""

    def __init__(self, spec: ExtentSpec, blocks: Blocks) -> None:
        self._spec = spec
        self._keys = [f"{KEY}{name}" for name in spec.window.partition_by]
        self.panes: pa.Table | None = None
        self._known: pa.Table | None = None
        self.clock, self.due, self._opened = 0, None, 0
        self.counts: dict[str, int] = {"used": 0, "outside": 0, "held": 0}
        kept = blocks.read(PARTITIONS)
        if kept is not None:
            self._known, note = unpack(kept, spec.fingerprint)
            self.clock, self.due, self._opened, self.counts = note["clock"], note["due"], note["opened"], note["counts"]
        self._facts = {name: self._column(name) for name in ("number", "base", "last", "came", "processed")}

    def _column(self, name: str) -> Array:
        return np.zeros(0, np.int64) if self._known is None else np.array(one_chunk(self._known[f"{BESIDE}{name}"]))

    def load(self, blocks: Blocks) -> None:
        """Read the panes as well."""
        kept = blocks.read(PANES)
        if kept is not None:
            self.panes = unpack(kept, self._spec.fingerprint)[0]

    def save(self, blocks: Blocks) -> None:
        note = {"clock": self.clock, "due": self.due, "opened": self._opened, "counts": self.counts, "about": self._spec.about}
        keys = {} if self._known is None else {name: self._known[name] for name in self._keys}
        facts = {f"{BESIDE}{name}": pa.array(values) for name, values in self._facts.items()}
        blocks.write(PARTITIONS, pack(pa.table({**keys, **facts}), self._spec.fingerprint, note))
        if self.panes is not None:
            blocks.write(PANES, pack(self.panes, self._spec.fingerprint))

    def is_due(self, now: int) -> bool:
        """Whether the clock causes something."""
        return self.due is not None and self.due <= now

    def base_of(self, numbers: Array) -> Array:
        """When partitions began."""
        return np.asarray(self._facts["base"][self._rows(numbers)])

    def _rows(self, numbers: Array) -> Ints:
        return np.searchsorted(self._facts["number"], numbers)

    def number_processed(self, numbers: Ints) -> Ints:
        """For each window that was processed, in order, how many of its partition were before it."""
        rows = self._rows(numbers)
        earlier, counts = _ranks(rows)
        found = self._facts["processed"][rows] + earlier
        np.add.at(self._facts["processed"], *counts)
        return np.asarray(found)

    def arrive(self, rows: pa.Table, *, empty_after: int | None) -> tuple[Ints, Ints]:
        """The number of the partition of each tuple, and its position there. A partition without a tuple for a whole period,
        which ends its window, begins again."""
        size = 0 if self._known is None else self._known.num_rows
        codes, new = self._codes(rows, size)
        self._add(rows, new)
        self._open(codes, size, empty_after)
        codes = self._in_order_of_numbers(codes)
        numbers = self._facts["number"][codes]
        earlier, counts = _ranks(codes)
        places = self._facts["came"][codes] + earlier
        np.add.at(self._facts["came"], *counts)
        self._facts["last"][codes] = self.clock
        return numbers, np.asarray(places)

    def _codes(self, rows: pa.Table, size: int) -> tuple[Ints, Ints]:
        """The row of each tuple's partition among those that are known, new ones behind them; and the first tuple of each new
        one."""
        if not self._keys:
            return np.zeros(rows.num_rows, np.int64), np.zeros(0 if size else 1, np.int64)
        columns = []
        for name in self._keys:
            own = one_chunk(rows[name])
            own = own.dictionary_decode() if pa.types.is_dictionary(own.type) else own
            columns.append(own if self._known is None else pa.concat_arrays([one_chunk(self._known[name]), own]))
        codes, count = codes_of(columns, size + rows.num_rows)
        place = np.full(count + 1, -1, np.int64)
        place[codes[:size]] = np.arange(size)
        own = codes[size:]
        _, first = np.unique(own, return_index=True)
        new = np.sort(first[place[own[first]] < 0])
        place[own[new]] = size + np.arange(len(new))
        return place[own], new

    def _add(self, rows: pa.Table, new: Ints) -> None:
        """Room for new partitions, given the first tuple of each."""
        if not len(new):
            return
        self._facts = {name: np.append(values, np.zeros(len(new), np.int64)) for name, values in self._facts.items()}
        if not self._keys:
            self._known = pa.table({PARTITION_NUMBER: pa.array(self._facts["number"])})
            return
        keys = pa.table({name: _plain(one_chunk(rows[name]).take(pa.array(new))) for name in self._keys})
        known = self._known
        self._known = keys if known is None else pa.concat_tables([known.select(self._keys), keys]).combine_chunks()

    def _open(self, codes: Ints, size: int, empty_after: int | None) -> None:
        """Number partitions that begin, or begin again, in the order of their first tuples."""
        here, first = np.unique(codes, return_index=True)
        begins = here >= size
        if empty_after is not None:
            begins |= self._are_over(empty_after)[here]
        opened = here[begins][np.argsort(first[begins])]
        self._facts["number"][opened] = self._opened + 1 + np.arange(len(opened))
        self._facts["base"][opened] = self.clock
        self._opened += len(opened)

    def _are_over(self, empty_after: int) -> Bools:
        """Which partitions had no tuple for a whole period; `empty_after` is two: that with the last tuple, and the empty one."""
        base, last, period = self._facts["base"], self._facts["last"], empty_after // 2
        return np.asarray(self.clock >= base + (last - base) // period * period + empty_after)

    def drop_empty(self, empty_after: int) -> None:
        """Forget partitions whose next tuple begins anew."""
        kept = ~self._are_over(empty_after)
        if kept.all() or not self._keys or self._known is None:
            return
        self._facts = {name: values[kept] for name, values in self._facts.items()}
        self._known = self._known.select(self._keys).filter(pa.array(kept)).combine_chunks()

    def _in_order_of_numbers(self, codes: Ints) -> Ints:
        """Keep rows in the order of their numbers."""
        order = np.argsort(self._facts["number"], kind="stable")
        if (order == np.arange(len(order))).all():
            return codes
        self._facts = {name: values[order] for name, values in self._facts.items()}
        if self._keys and self._known is not None:
            self._known = self._known.select(self._keys).take(pa.array(order)).combine_chunks()
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return np.asarray(place[codes])


def _ranks(codes: Ints) -> tuple[Ints, tuple[Any, Any]]:
    """For each code how many equal ones are before it; and each code with how often it is there."""
    order = order_of(codes, int(codes.max(initial=0)) + 1)
    starts = run_starts(codes[order])
    counts = np.diff(starts, append=len(codes))
    earlier = np.empty(len(codes), np.int64)
    earlier[order] = np.arange(len(codes)) - np.repeat(starts, counts)
    return earlier, (codes[order][starts], counts)


def _plain(values: pa.Array) -> pa.Array:
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
