"""Several windows over the same panes: one pass, one store, and one slicing structure for all of them.

The operator keeps panes for a window that stands for all: as long as the longest, sliding by one pane. What closes is
then looked up for each window by itself, and all their extents are combined at once.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Ints
from transom.kernels.extents.closing import Extents, Runs, closing, extents, first_missed
from transom.kernels.extents.ids import Ids, Reported, ids_of
from transom.kernels.progress.advance import KeyFrontier
from transom.kernels.results import column
from transom.kernels.spec import TogetherSpec
from transom.kernels.windows.context_free import ContextFreeWindow, spread
from transom.kernels.windows.partly import partly

Found = tuple[int, Extents, Ints, Ints]
"""A window by its number, its extents, from which of its windows on each record counts, and the first that missed each."""


class WindowsTogether(ContextFreeWindow):
    """The operator for windows together. Results say in `query` which window they are of."""

    def __init__(self, spec: TogetherSpec, ids: Ids, parts: list[Algebra]) -> None:
        super().__init__(spec, ids, parts)
        self.each = [ids_of(window, spec.axis) for window in spec.together]

    def reached(self) -> Any:
        return max(self._reached_in(ids) for ids in self.each)

    def _closed(self, table: pa.Table, runs: Runs, own: pa.Table, before: KeyFrontier, after: KeyFrontier) -> pa.Table | None:
        places = column(table, "a").to_numpy()
        since = self._since(table, places)
        earlier, later = before(own), after(own)
        found: list[Found] = []
        for number, ids in enumerate(self.each):
            low, high = ids.opens(earlier), ids.opens(later)
            if (high > low).any():
                first = ids.first(places)
                enter = np.maximum(first, ids.opens(since))
                run, wid = closing(runs, enter, ids.last(places), low, high, grows=False)
                if len(wid):
                    each = extents(ids, runs, places, run, wid)
                    found.append((number, each, enter, first_missed(each, runs, np.maximum(first, low[runs.of_row]), enter)))
        return self._all(table, own, found) if found else None

    def _since(self, table: pa.Table, places: Array) -> Array:
        """The frontier each record had when it came, as far as panes can tell; nothing for what was on time."""
        enter = column(table, "enter").to_numpy()
        late = enter > self.ids.first(places)
        since = np.full(len(places), self.spec.axis.nothing_yet, self.spec.axis.dtype)
        if late.any():
            since[late] = self.ids.report(enter[late] - 1).instant
        return since

    def _all(self, table: pa.Table, own: pa.Table, found: list[Found]) -> pa.Table:
        """The rows of all windows: whole extents as they are, those that some record came too late for written out."""
        made = [self._reported(table, own, [(number, each.pick(cut == each.end)) for number, each, _, cut in found])]
        for number, each, enter, cut in found:
            affected = cut < each.end
            if affected.any():
                records, rest = partly(table, each.pick(affected), cut[affected], enter, self.parts)
                made.append(self._reported(records, own, [(number, rest)]))
        return pa.concat_tables(made)

    def _reported(self, table: pa.Table, own: pa.Table, found: list[tuple[int, Extents]]) -> pa.Table:
        reports = [self._report_of(self.each[number], each.wid) for number, each in found]
        joined = Extents(*(np.concatenate([getattr(each, one.name) for _, each in found]) for one in fields(Extents)))
        names = ("start", "end", "instant", "no_start")
        report = Reported(*(np.concatenate([getattr(one, name) for one in reports]) for name in names))
        query = np.concatenate([np.full(len(each.wid), number, np.int32) for number, each in found])
        return self.rows_of(table, own, joined, report, pa.array(joined.wid)).append_column("query", pa.array(query))

    def _report_of(self, ids: Ids, wid: Ints) -> Reported:
        distinct, place = np.unique(wid, return_inverse=True)
        return spread(ids.report(distinct), place)
