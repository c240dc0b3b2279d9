"""Which windows a set of records closes, and which records each of them holds.

Records are sorted by key and place, so that every extent is a slice: rows start .. end of one key's run. A window is
listed for a key only if it holds a record of that key: the cost follows the results, not the windows there could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transom.kernels.columns.arrays import Array, Bools, Ints, ranges, run_starts, running_max, search
from transom.kernels.extents.ids import Ids


@dataclass(frozen=True)
class Extents:
    """Windows by key: `run` is the key's run, rows start .. end are the extent."""

    run: Ints
    wid: Ints
    start: Ints
    end: Ints

    def pick(self, which: Ints | Bools) -> Extents:
        return Extents(self.run[which], self.wid[which], self.start[which], self.end[which])


@dataclass(frozen=True)
class Runs:
    """Where the records of each key begin and end."""

    start: Ints
    end: Ints

    @staticmethod
    def of(codes: Ints) -> Runs:
        starts = run_starts(codes)
        return Runs(starts, np.append(starts[1:], len(codes)).astype(np.int64))

    @cached_property
    def of_row(self) -> Ints:
        return np.repeat(np.arange(len(self.start)), self.end - self.start)


def closing(runs: Runs, enter: Ints, last: Ints, low: Ints, high: Ints, *, grows: bool) -> tuple[Ints, Ints]:
    """The windows low .. high - 1 of each run that hold one of its records: run and id, each pair once.

    A record is in the windows enter .. last. Of windows that grow, only those that a record enters are reported.
    """
    run = runs.of_row
    rises = enter[1:] >= enter[:-1]
    if not (rises | (run[1:] != run[:-1])).all():
        order = np.lexsort((enter, run))
        enter, last = enter[order], last[order]
    if grows:
        keep = (enter >= low[run]) & (enter < high[run]) & (enter <= last)
        run, enter = run[keep], enter[keep]
        first = run_starts(run, enter)
        return run[first], enter[first]
    covered = np.empty_like(last)
    covered[1:] = _so_far(last, runs)[:-1]
    begin = enter.copy()
    inside = np.ones(len(enter), bool)
    inside[runs.start] = False
    begin[inside] = np.maximum(begin[inside], covered[inside] + 1)
    wids, owner = ranges(np.maximum(begin, low[run]), np.minimum(last + 1, high[run]))
    return run[owner], wids


def together(partitions: Ints, run: Ints, wid: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Of windows that grow: all runs of a partition for each window that any of them differs in, while it is closing for them."""
    if len(np.unique(partitions)) == len(partitions):
        return run, wid
    order = np.lexsort((wid, partitions[run]))
    first = order[run_starts(partitions[run][order], wid[order])]
    changed_in, changed = partitions[run][first], wid[first]
    begin, end = np.searchsorted(changed_in, partitions), np.searchsorted(changed_in, partitions, side="right")
    which, owner = ranges(search(changed, begin, end, low), search(changed, begin, end, high))
    return owner, changed[which]


def _so_far(last: Ints, runs: Runs) -> Array:
    """The largest id reached so far in each run; ids rise with places, so mostly there is nothing to do."""
    falls = last[1:] < last[:-1]
    falls[runs.start[1:] - 1] = False
    return running_max(last, runs.start) if falls.any() else last


def extents(ids: Ids, runs: Runs, places: Array, run: Ints, wid: Ints) -> Extents:
    """The slices of windows."""
    if not len(wid):
        nothing = np.zeros(0, np.int64)
        return Extents(nothing, nothing, nothing, nothing)
    base = int(wid.min())
    width = int(wid.max()) - base + 1
    if width <= 4 * len(wid) + 1024:
        lower, upper = ids.bounds(np.arange(base, base + width))
        lower, upper = lower[wid - base], upper[wid - base]
    else:
        distinct, place = np.unique(wid, return_inverse=True)
        lower, upper = ids.bounds(distinct)
        lower, upper = lower[place], upper[place]
    start, end = within(runs, places, run, lower), within(runs, places, run, upper)
    return Extents(run, wid, start, np.maximum(start, end))


def first_missed(found: Extents, runs: Runs, first: Ints, enter: Ints) -> Ints:
    """The first record of each extent that came too late for it, being in windows from `first` on, but counting from `enter` on;
    where none did, the extent's end. Extents are in order by run and window."""
    late = np.flatnonzero(enter > first)
    run = runs.of_row[late]
    begin, end = np.searchsorted(found.run, run), np.searchsorted(found.run, run, side="right")
    low, high = search(found.wid, begin, end, first[late]), search(found.wid, begin, end, enter[late])
    which, owner = ranges(low, high)
    cut = found.end.copy()
    np.minimum.at(cut, which, late[owner])
    return np.maximum(cut, found.start)


def within(runs: Runs, places: Array, run: Ints, bound: Array) -> Ints:
    """The first row of a run at or above a bound."""
    low, high = runs.start[run], runs.end[run]
    if _consecutive(runs, places):
        return np.asarray(np.clip(low + (bound - places[low]), low, high), np.int64)
    span = _span(places)
    if span is not None and len(runs.start) * span < 2**62:
        least = places.min()
        joined = runs.of_row * span + (places - least)
        wanted = run * span + np.clip(bound - least, 0, span - 1)
        return np.asarray(np.clip(np.searchsorted(joined, wanted), low, high), np.int64)
    return search(places, low, high, bound)


def _consecutive(runs: Runs, places: Array) -> bool:
    """Whether each run holds consecutive numbers: rows do."""
    if places.dtype != np.int64 or not len(places):
        return False
    steps = places[1:] - places[:-1] == 1
    steps[runs.start[1:] - 1] = True
    return bool(steps.all())


def _span(places: Array) -> int | None:
    """One more than the numbers that records lie among; the first of it stands for all that is below, the last for above."""
    return int(places.max()) - int(places.min()) + 3 if places.dtype == np.int64 and len(places) else None
