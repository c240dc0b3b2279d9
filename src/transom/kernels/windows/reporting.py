"""What all window operators have in common: the rows of extents, and the counts of tuples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import EVENT_TS, KEY, ORDER, OWN, WID, WINDOW_END, WINDOW_START
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, one_chunk, ranges
from transom.kernels.columns.axis import Axis
from transom.kernels.extents.closing import Extents
from transom.kernels.extents.ids import Reported
from transom.kernels.results import column, extreme, gathered, values_of
from transom.kernels.spec import WindowedSpec
from transom.kernels.windows.stateful import NOWHERE, StatefulOperator


class WindowOperator(StatefulOperator):
    """The operator for windows: it gives the rows of those that close."""

    def __init__(self, spec: WindowedSpec, parts: list[Algebra]) -> None:
        super().__init__(spec)
        self.spec, self.parts = spec, parts
        self._ended_at: list[Array] = []

    def boundaries(self) -> Array:
        """The instants of the extents that ended in the last micro-batch, in order; then they are forgotten."""
        found, self._ended_at = self._ended_at, []
        return np.unique(np.concatenate(found)) if found else NOWHERE

    @property
    def axis(self) -> Axis:
        """The axis that windows are reported on."""
        return self.spec.axis

    def passed_on(self, frontier: Any) -> Any:
        if self.spec.stamp == "instant":
            return self._next_instant(frontier)
        return self.axis.nothing_yet if self.spec.has_order else self._oldest_tuple(frontier)

    def _next_instant(self, frontier: Any) -> Any:
        """The first instant that is still to come."""
        return frontier

    def _oldest_tuple(self, frontier: Any) -> Any:
        """As old as a tuple of a window that is not complete can be: results are stamped with one."""
        raise NotImplementedError

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
            self._ended_at.append(np.unique(report.instant))
        made: dict[str, pa.Array] = {
            f"{KEY}{name}": one_chunk(own[f"{KEY}{name}"]).take(pa.array(found.run)) for name in spec.keys
        }
        made[WID] = wid
        if WINDOW_START in spec.reported:
            made[WINDOW_START] = self._on_axis(report.start, report.no_start)
        if WINDOW_END in spec.reported:
            made[WINDOW_END] = self._on_axis(report.end)
        if EVENT_TS in spec.reported:
            made[EVENT_TS] = self._event_ts(table, found, report)
        if not spec.lists_tuples:
            for n, values in enumerate(values_of(spec, table, found, self.parts)):
                made[f"y{n}"] = values
            return pa.table(made)
        rows, owner = ranges(found.start, found.end)
        rows, pieces = gathered(found, None, rows, owner)
        owner = np.repeat(np.arange(len(found.run)), pieces.end - pieces.start)
        listed = pa.table(made).take(pa.array(owner))
        for name in spec.tuples:
            listed = listed.append_column(f"{OWN}{name}", one_chunk(table[f"{OWN}{name}"]).take(pa.array(rows)))
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
            return extreme(table, ORDER, self.spec.stamp, found)
        values = self.spec.axis.values(column(table, "a").to_numpy(), self.spec.axis_type)
        return extreme(pa.table({"a": values}), "a", self.spec.stamp, found)
