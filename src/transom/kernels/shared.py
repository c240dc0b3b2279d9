"""Several windows over the same panes: one pass, one store, and one slicing structure for all of them.

The operator keeps panes for a window that stands for all: as long as the longest, sliding by one pane. What closes is
then looked up for each window by itself, and all their extents are combined at once.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebra import Algebra
from transom.kernels.arrays import Array, Ints, ranges
from transom.kernels.closing import Extents, Runs, closing, extents
from transom.kernels.free import Free, spread
from transom.kernels.ids import Ids, Reported, ids_of
from transom.kernels.reporting import KeyFrontier
from transom.kernels.results import column, gathered
from transom.kernels.spec import Spec

Found = tuple[int, Extents, Ints]
"""A window by its number, its extents, and from which of its windows on each record counts."""


class Shared(Free):
    """The operator for windows together. Results say in `query` which window they are of."""

    def __init__(self, spec: Spec, ids: Ids, parts: list[Algebra]) -> None:
        super().__init__(spec, ids, parts)
        self.each = [ids_of(window, spec.axis) for window in spec.together]

    def _closed(self, table: pa.Table, runs: Runs, own: pa.Table, before: KeyFrontier, after: KeyFrontier) -> pa.Table | None:
        places = column(table, "a").to_numpy()
        since = self._since(table, places)
        earlier, later = before(own), after(own)
        found: list[Found] = []
        for number, ids in enumerate(self.each):
            low, high = ids.opens(earlier), ids.opens(later)
            if (high > low).any():
                enter = np.maximum(ids.first(places), ids.opens(since))
                run, wid = closing(runs, enter, ids.last(places), low, high, grows=False)
                if len(wid):
                    found.append((number, extents(ids, runs, places, run, wid), enter))
        return self._all(table, own, found, places) if found else None

    def _since(self, table: pa.Table, places: Array) -> Array:
        """The frontier each record had when it came, as far as panes can tell; nothing for what was on time."""
        enter = column(table, "enter").to_numpy()
        late = enter > self.ids.first(places)
        since = np.full(len(places), self.spec.axis.nothing_yet, self.spec.axis.dtype)
        if late.any():
            since[late] = self.ids.report(enter[late] - 1).instant
        return since

    def _all(self, table: pa.Table, own: pa.Table, found: list[Found], places: Array) -> pa.Table:
        """The rows of all windows: whole extents as they are, those that some record came too late for written out."""
        whole: list[tuple[int, Extents]] = []
        rows: list[Ints] = []
        parts: list[tuple[int, Extents]] = []
        taken = 0
        for number, each, enter in found:
            odd = np.cumsum(np.append([0], enter > self.each[number].first(places)))
            affected = odd[each.end] - odd[each.start] > 0
            whole.append((number, each.pick(~affected)))
            if affected.any():
                some = each.pick(affected)
                inside, owner = ranges(some.start, some.end)
                inside, pieces = gathered(some, enter[inside] <= some.wid[owner], inside, owner, None)
                pieces = pieces.pick(pieces.end > pieces.start)
                parts.append((number, Extents(pieces.run, pieces.wid, pieces.start + taken, pieces.end + taken)))
                rows.append(inside)
                taken += len(inside)
        made = [self._reported(table, own, whole)]
        if parts:
            made.append(self._reported(table.take(pa.array(np.concatenate(rows))), own, parts))
        return pa.concat_tables(made)

    def _reported(self, table: pa.Table, own: pa.Table, found: list[tuple[int, Extents]]) -> pa.Table:
        reports = [self._report_of(self.each[number], each.wid) for number, each in found]
        joined = Extents(*(np.concatenate([getattr(each, name) for _, each in found]) for name in ("run", "wid", "start", "end")))
        names = ("start", "end", "instant", "no_start")
        report = Reported(*(np.concatenate([getattr(one, name) for one in reports]) for name in names))
        query = np.concatenate([np.full(len(each.wid), number, np.int32) for number, each in found])
        return self.rows_of(table, own, joined, report, pa.array(joined.wid)).append_column("query", pa.array(query))

    def _report_of(self, ids: Ids, wid: Ints) -> Reported:
        distinct, place = np.unique(wid, return_inverse=True)
        return spread(ids.report(distinct), place)
