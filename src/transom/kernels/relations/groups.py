"""Groups of a relation at the moments at which they change.

A group is looked at only when a row of it enters or leaves. The rows that are there then are written out one after the other,
so that every aggregate sees a slice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transom.kernels.columns.arrays import Ints, ranges, run_starts, search


@dataclass(frozen=True)
class Extents:
    """Groups at moments, in order: rows[start:end] are the rows of the relation that are there."""

    group: Ints
    moment: Ints
    rows: Ints
    start: Ints
    end: Ints


def extents_at_changes(group: Ints, since: Ints, until: Ints, low: int, high: int, order: Ints | None = None) -> Extents:
    """The extents of groups at every moment from `low` on and before `high` at which one of their rows enters or leaves.

    `order` is a number of each row that says in which order an extent lists its rows; as they are, if there is none.
    """
    entering = np.flatnonzero((since >= low) & (since < high))
    leaving = np.flatnonzero((until >= low) & (until < high) & (since < high))
    looked = np.concatenate([group[entering], group[leaving]])
    moments = np.concatenate([since[entering], until[leaving]])
    return extents_at(group, since, until, looked, moments, order)


def extents_at(group: Ints, since: Ints, until: Ints, looked: Ints, moments: Ints, order: Ints | None = None) -> Extents:
    """The extents of groups at moments, which may be given more than once."""
    sorting = np.lexsort((moments, looked))
    looked, moments = looked[sorting], moments[sorting]
    starts = run_starts(looked, moments)
    looked, moments = looked[starts], moments[starts]
    count = len(looked)
    first = run_starts(looked)
    bounds = np.append(first, count)
    place = np.searchsorted(looked[first], group)
    known = (place < len(first)) & (looked[first][np.minimum(place, max(len(first) - 1, 0))] == group) if count else group < group
    row = np.flatnonzero(known)
    low_at, high_at = bounds[place[row]], bounds[place[row] + 1]
    begin = search(moments, low_at, high_at, since[row])
    end = search(moments, low_at, high_at, until[row])
    at, owner = ranges(begin, end)
    rows = row[owner]
    ranked = np.lexsort((rows if order is None else order[rows], at))
    at, rows = at[ranked], rows[ranked]
    edges = np.searchsorted(at, np.arange(count + 1))
    return Extents(looked, moments, rows, edges[:-1].astype(np.int64), edges[1:].astype(np.int64))
