"""What all window operators have in common: the rows of extents, and the counts of tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, one_chunk, ranges
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.batch import Batch, Counts, Late, Output
from transom.kernels.extents.closing import Extents
from transom.kernels.extents.ids import Reported
from transom.kernels.spec import Spec
from transom.kernels.state.store import Blocks
from transom.kernels.windows.results import column, extreme, gathered, values_of

KeyFrontier = Callable[[pa.Table], Array]
"""The frontier of each key of a table of keys."""


class Reporting:
    """A window operator: it takes micro-batches in and gives the rows of windows that close."""

    def __init__(self, spec: Spec, parts: list[Algebra]) -> None:
        self.spec, self.parts = spec, parts
        self.counts = Counts()
        self.of_all: Any = None
        self.ended = False
        self.newest: Any = spec.axis.nothing_yet
        self.uniform = False
        self.ended_at: list[Array] = []

    def step(self, batch: Batch, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: Output) -> Late:
        """Take a micro-batch in, close what is complete, forget what is no longer needed."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """What is carried to the next micro-batch, besides blocks."""
        return {}

    def from_json(self, note: dict[str, Any]) -> None:
        """Take it up again."""

    @property
    def axis(self) -> Axis:
        """The axis that windows are reported on."""
        return self.spec.axis

    def reached(self) -> Any:
        """How far an end of the input reaches, where there is a newest tuple: its windows are the last that are closed. It is the
        same in every shard."""
        raise NotImplementedError

    def passed_on(self, frontier: Any) -> Any:
        """The timestamp below which no result is still to come, where the frontier is here."""
        if self.spec.stamp == "instant":
            return self._next_instant(frontier)
        return self.axis.nothing_yet if self.spec.has_order else self._oldest_tuple(frontier)

    def _next_instant(self, frontier: Any) -> Any:
        """The first instant that is still to come."""
        return frontier

    def _oldest_tuple(self, frontier: Any) -> Any:
        """As old as a tuple of a window that is not complete can be: results are stamped with one."""
        raise NotImplementedError

    def load(self, blocks: Blocks) -> None:
        """Blocks are read when they are needed."""

    def save(self, blocks: Blocks) -> None:
        """Blocks are written as they change."""

    @property
    def _uses_order(self) -> bool:
        """Whether the order column is needed beyond the micro-batch."""
        spec = self.spec
        return spec.has_order and not spec.lifted and spec.stamp != "instant"

    # -- results ---------------------------------------------------------------------------------------------

    def rows_of(self, table: pa.Table, own: pa.Table, found: Extents, report: Reported, wid: pa.Array) -> pa.Table:
        """The result rows of extents that are slices of a table."""
        spec = self.spec
        if spec.passes_on and len(report.instant):
            self.ended_at.append(np.unique(report.instant))
        made: dict[str, pa.Array] = {f"k:{name}": one_chunk(own[f"k:{name}"]).take(pa.array(found.run)) for name in spec.keys}
        made["wid"] = wid
        if "window_start" in spec.reported:
            made["window_start"] = self._on_axis(report.start, report.no_start)
        if "window_end" in spec.reported:
            made["window_end"] = self._on_axis(report.end)
        if "event_ts" in spec.reported:
            made["event_ts"] = self._event_ts(table, found, report)
        if not spec.lists_tuples:
            for n, values in enumerate(values_of(spec, table, found, self.parts)):
                made[f"y{n}"] = values
            return pa.table(made)
        rows, owner = ranges(found.start, found.end)
        rows, pieces = gathered(found, None, rows, owner)
        owner = np.repeat(np.arange(len(found.run)), pieces.end - pieces.start)
        listed = pa.table(made).take(pa.array(owner))
        for name in spec.tuples:
            listed = listed.append_column(f"t:{name}", one_chunk(table[f"t:{name}"]).take(pa.array(rows)))
        return listed

    def _on_axis(self, places: Array, empty: Bools | None = None) -> pa.Array:
        kind = pa.int64() if self.ids_are_rows else self.spec.bounds_type
        return self.axis.values(places, kind, empty)

    @property
    def ids_are_rows(self) -> bool:
        return False

    def _event_ts(self, table: pa.Table, found: Extents, report: Reported) -> pa.Array:
        if self.spec.stamp == "instant":
            return self._on_axis(report.instant)
        if self.spec.has_order:
            return extreme(table, "__order", self.spec.stamp, found)
        values = self.spec.axis.values(column(table, "a").to_numpy(), self.spec.axis_type)
        return extreme(pa.table({"a": values}), "a", self.spec.stamp, found)
