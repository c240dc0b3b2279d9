"""What becomes of each tuple, or partial, of a context-free window: from which window on it counts, if it does at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transom.column_names import ENTER, ROW_COUNT
from transom.kernels.columns.arrays import Array, Bools, Ints, ranges
from transom.kernels.columns.batch import Batch, LateRows
from transom.kernels.extents.ids import FOREVER, Ids
from transom.kernels.results import column
from transom.kernels.spec import WindowedSpec


@dataclass
class Verdicts:
    """The first window each is in, and the first it counts in; which are kept, which missed a window, and how many fared how."""

    first: Ints
    enter: Ints
    kept: Bools
    late: LateRows
    counts: dict[str, int]


def judged(spec: WindowedSpec, ids: Ids, batch: Batch) -> Verdicts:
    """Generous: a late tuple counts in every window not complete yet. Consistent: in none."""
    a = np.where(batch.valid, batch.a, 0)
    first, last = ids.first(a), ids.last(a)
    opens = np.full(batch.rows, -FOREVER, np.int64)
    behind = batch.valid & (batch.a < batch.of_group)
    if behind.any():
        opens[behind] = ids.opens(batch.of_group[behind])
    enter = np.maximum(first, opens)
    if spec.lifts:
        enter = np.maximum(enter, column(batch.table, ENTER).to_numpy())
    inside, missed, dropped = _fates(ids, a, first, np.where(batch.valid, last, first - 1), opens)
    missed = missed & inside
    dropped = (inside & (enter > last)) if spec.lifts else dropped & inside
    excluded = batch.of_group
    if spec.consistent:
        left_out = inside & batch.late
        missed, dropped = left_out, left_out
        excluded = batch.of_tuple
    gone = np.flatnonzero(missed & batch.pick)
    kept = inside & ~dropped & batch.pick
    return Verdicts(first, enter, kept, LateRows(gone, excluded[gone]), _counts(spec, batch, inside, dropped))


def _counts(spec: WindowedSpec, batch: Batch, inside: Bools, dropped: Bools) -> dict[str, int]:
    """A partial counts for its tuples; which of those were late, it does not tell."""
    weight = column(batch.table, ROW_COUNT).to_numpy() if spec.lifts else np.ones(batch.rows, np.int64)
    counted = inside & batch.pick
    found = {"used": counted & ~dropped, "dropped": counted & dropped, "outside": ~counted}
    late = {} if spec.lifts else {"late": int(batch.late.sum())}
    return {**{name: int(weight[which].sum()) for name, which in found.items()}, **late}


def _fates(ids: Ids, a: Array, first: Ints, last: Ints, opens: Ints) -> tuple[Bools, Bools, Bools]:
    """Whether a place is in a window at all, in one that is complete, and in none that is open."""
    if ids.is_exact:
        inside = first <= last
        return inside, opens > first, opens > last
    inside = np.zeros(len(a), bool)
    missed, still = inside.copy(), inside.copy()
    within = first <= last
    if within.any():
        spans = np.unique(np.stack([first[within], last[within] + 1]), axis=1)
        known = np.unique(ranges(spans[0], spans[1])[0])
        lower, _ = ids.bounds(known)
        for step in range(int((last - first).max()) + 1):
            w = first + step
            place = np.minimum(np.searchsorted(known, w), len(known) - 1)
            holds = (w <= last) & (lower[place] <= a)
            inside |= holds
            missed |= holds & (w < opens)
            still |= holds & (w >= opens)
    return inside, missed, ~still
