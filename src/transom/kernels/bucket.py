"""Bucket: what a slice of a micro-batch tells by itself (seed 000, section 4).

It has no state and does not know what came before its slice. So it finds places on the axis, tells how far the slice
alone had come before each tuple, adds up partial aggregates by key, pane and that, and sends to every shard what every
shard must know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebra import Algebra
from transom.kernels.arrays import Array, Bools, Ints, codes_of, flags, one_chunk, order_of, run_starts, take
from transom.kernels.ids import FOREVER, Ids, ids_of
from transom.kernels.progress import Slice
from transom.kernels.results import as_lifted, column, lifted_name
from transom.kernels.sharding import shards_of
from transom.kernels.spec import Spec
from transom.semantics.row_window import RowWindow

CARRIED = ("k:", "g:", "x", "t:")
"""How the columns begin that go on to the window operator."""


@dataclass
class Bucket:
    """The bucket of one operator. `width` is the length of a pane on the axis, where partials are added up."""

    spec: Spec
    shards: int = 1
    parts: tuple[Algebra, ...] = ()
    width: int | None = None

    def slices(self, table: pa.Table, order: tuple[Any, ...]) -> Iterator[tuple[int, Slice]]:
        """The slices to send, each with its shard. Rows of several substreams are taken one after the other."""
        ended, ticks = _told(table, "__end"), _told(table, "__tick")
        if ended.any() or ticks.any():
            yield from self._slice(table.slice(0, 0), order, ended=bool(ended.any()), now=_now(table))
            table = take(table, ~(ended | ticks))
        for place, part in self._by_source(table, order):
            yield from self._slice(part, place)

    def _by_source(self, table: pa.Table, order: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], pa.Table]]:
        placed, named = "__position" in table.column_names, "__source" in table.column_names
        if not (placed or named) or not table.num_rows:
            yield order, table
            return
        position = column(table, "__position").to_numpy() if placed else np.arange(table.num_rows)
        codes = codes_of([column(table, "__source")], table.num_rows)[0] if named else np.zeros(table.num_rows, np.int64)
        if (codes[1:] != codes[:-1]).any() or (position[1:] < position[:-1]).any():
            turned = np.lexsort((position, codes))
            table, codes = table.take(pa.array(turned)), codes[turned]
        starts = run_starts(codes) if named else run_starts(position)
        for start, end in zip(starts, [*starts[1:], table.num_rows], strict=True):
            part = table.slice(start, end - start)
            place = part["__position"][0].as_py() if placed else 0
            yield ((part["__source"][0].as_py() or "") if named else "", place, order[-1]), part

    def _slice(
        self, table: pa.Table, order: tuple[Any, ...], *, ended: bool = False, now: int | None = None
    ) -> Iterator[tuple[int, Slice]]:
        table = table.append_column("__index", pa.array(np.arange(table.num_rows)))
        promises, table = self._promises(table)
        now = now if now is not None else _now(table)
        a, valid = self._places(table)
        known = valid & ~flags(column(table, "__ahead")) if "__ahead" in table.column_names else valid
        highs, before = self._highs(table, a, known)
        sequence, numbers = self._sequence(a, known)
        about = {"highs": highs, "sequence": sequence, "promises": promises, "ended": ended, "now": now}
        rows = self._rows(table, np.where(valid, a, self.spec.axis.nothing_yet), before, numbers)
        keep = np.ones(len(a), bool)
        if "__keep" in rows.column_names and self.spec.generating.per is None:
            keep = flags(column(rows, "__keep"))
            rows = take(rows.drop_columns(["__keep"]), keep)
        late = None
        if self.spec.lifted and not isinstance(self.spec.window, RowWindow):
            late = self._late(rows)
            rows = self._lifted(rows)
        keys = [one_chunk(rows[f"k:{name}"]) for name in self.spec.shard_by]
        shards = shards_of(keys, rows.num_rows, self.shards) if self.shards > 1 else None
        for shard in range(self.shards):
            own = rows if shards is None else take(rows, shards == shard)
            yield shard, Slice(order, own, late=late if shard == 0 else None, **about)  # type: ignore[arg-type]

    def _promises(self, table: pa.Table) -> tuple[pa.Table | None, pa.Table]:
        """The rows that are punctuations, and those that are tuples."""
        if "__punct" not in table.column_names:
            return None, table
        are = flags(column(table, "__punct"))
        rows = take(table, are)
        x, given = self.spec.axis.numbers(column(rows, "__px"))
        names = [name for name in rows.column_names if name.startswith("g:")]
        promises = rows.select(["__index", *names]).append_column("__x", pa.array(x.astype(self.spec.axis.dtype)))
        return promises.filter(pa.array(given)), take(table, ~are)

    def _places(self, table: pa.Table) -> tuple[Array, Bools]:
        if "__value" not in table.column_names:
            return np.zeros(table.num_rows, self.spec.axis.dtype), np.ones(table.num_rows, bool)
        return self.spec.axis.numbers(column(table, "__value"))

    def _highs(self, table: pa.Table, a: Array, known: Bools) -> tuple[dict[str, Any], Array]:
        """The largest value of the slice, and the largest before each tuple."""
        nothing = self.spec.axis.nothing_yet
        if self.spec.generating.slack is None:
            return {}, np.full(len(a), nothing, self.spec.axis.dtype)
        sofar = np.maximum.accumulate(np.where(known, a, nothing)) if len(a) else a
        before = np.append([nothing], sofar[:-1]).astype(self.spec.axis.dtype) if len(a) else a
        name = ""
        if self.spec.generating.per_source:
            name = (table["__source"][0].as_py() if table.num_rows else "") or ""
        return ({name: sofar[-1].item()} if len(a) and sofar[-1] > nothing else {}), before

    def _sequence(self, a: Array, known: Bools) -> tuple[Array | None, Ints | None]:
        """Where rows are counted: the whole sequence, and how many of it came before each tuple."""
        if self.spec.generating.rows is None:
            return None, None
        return a[known], np.cumsum(known) - known

    def _rows(self, table: pa.Table, a: Array, before: Array, numbers: Ints | None) -> pa.Table:
        kept = ("__index", "__order", "__pick", "__keep", "__ahead", "__source")
        names = [name for name in table.column_names if name in kept or name.startswith(CARRIED)]
        if not self.spec.generating.per_source and "__source" in names:
            names.remove("__source")
        rows = table.select(names).append_column("__axis", pa.array(a))
        if self.spec.generating.slack is not None:
            rows = rows.append_column("__high", pa.array(before))
        return rows if numbers is None else rows.append_column("__seq", pa.array(numbers))

    # -- partial aggregates ----------------------------------------------------------------------------------

    def _local(self, rows: pa.Table) -> tuple[Array, Bools, Array]:
        """Places, which tuples are late by the slice alone, and the frontier of the slice before each."""
        nothing = self.spec.axis.nothing_yet
        a, high = column(rows, "__axis").to_numpy(), column(rows, "__high").to_numpy()
        frontier = np.where(high <= nothing, nothing, high - self.spec.generating.slack)
        return a, (a > nothing) & (a < frontier), frontier

    def _late(self, rows: pa.Table) -> tuple[int, Array]:
        a, late, _ = self._local(rows)
        on_time = a[~late & (a > self.spec.axis.nothing_yet)]
        return int(late.sum()), np.sort(on_time)

    def _lifted(self, rows: pa.Table) -> pa.Table:
        """One row for each key, pane, and window from which on its tuples count."""
        assert self.width is not None
        assert self.spec.window is not None
        ids: Ids = ids_of(self.spec.window, self.spec.axis)
        a, late, frontier = self._local(rows)
        enter = np.full(len(a), -FOREVER, np.int64)
        if late.any():
            enter[late] = ids.opens(frontier[late])
        origin = ids.origin
        pane = (a - origin) // self.width
        counts = (a > self.spec.axis.nothing_yet) & (ids.first(a) <= ids.last(a))
        picked = flags(column(rows, "__pick")) if "__pick" in rows.column_names else np.ones(len(a), bool)
        keys = [one_chunk(rows[f"k:{name}"]) for name in self.spec.keys]
        codes, size = codes_of(keys, len(a))
        codes, size = _joined(codes, size, pane)
        if late.any():
            codes, size = _joined(codes, size, enter)
        for which in (picked, counts):
            if not which.all():
                codes, size = _joined(codes, size, which.astype(np.int64))
        order = order_of(codes, size)
        starts = run_starts(codes[order])
        first = order[starts]
        names = [name for name in rows.column_names if name.startswith("k:") or name == "__pick"]
        made = {name: one_chunk(rows[name]).take(pa.array(first)) for name in names}
        nothing = self.spec.axis.nothing_yet
        made["__axis"] = pa.array(np.where(counts[first], pane[first] * self.width + origin, nothing))
        made["__high"] = pa.array(np.full(len(first), nothing, np.int64))
        made["__enter"] = pa.array(enter[first])
        made["__index"] = pa.array(first)
        made["__rows"] = pa.array(np.diff(np.append(starts, len(a))))
        for n, (item, algebra) in enumerate(zip(self.spec.computed, self.parts, strict=True)):
            lifted = algebra.lift([column(rows, name) for name in item.args], len(a))
            for part, values in enumerate(algebra.reduce(tuple(field[order] for field in lifted), starts)):
                made[lifted_name(n, part)] = as_lifted(values)
        return pa.table(made)


def _told(table: pa.Table, name: str) -> Bools:
    """Which rows are no tuples but say something: that the input has ended, or that time goes on."""
    return flags(column(table, name)) if name in table.column_names else np.zeros(table.num_rows, bool)


def _now(table: pa.Table) -> int | None:
    """The time of the micro-batch, where it matters."""
    return table["__now"][0].as_py() if "__now" in table.column_names and table.num_rows else None


def _joined(codes: Ints, size: int, more: Array) -> tuple[Ints, int]:
    """Codes for codes together with numbers."""
    if not len(more):
        return codes, size
    low, high = int(more.min()), int(more.max())
    if size * (high - low + 1) < 2**62 and high - low < 2 * len(more) + 1024:
        return codes * (high - low + 1) + (more - low), size * (high - low + 1)
    joined, count = codes_of([pa.array(codes), pa.array(more)], len(codes))
    return joined, count
