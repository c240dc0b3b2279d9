"""Groups of a relation at the moments at which they change.

A group is looked at only when a row of it enters or leaves. Most aggregates are computed from where rows are there; for the
others the rows that are there at each look are written out one after the other, so that every aggregate sees a slice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transom.kernels.aggregates.coming_and_going import Stays
from transom.kernels.columns.arrays import Ints, ranges, run_starts, search


@dataclass(frozen=True)
class Looks:
    """Groups at moments, in order; the rows of these groups that are there at some of them, and at which."""

    group: Ints
    moment: Ints
    row: Ints
    stays: Stays


@dataclass(frozen=True)
class GroupExtents:
    """Groups at moments, in order: rows[start:end] are the rows of the relation that are there."""

    group: Ints
    moment: Ints
    rows: Ints
    start: Ints
    end: Ints


def looks_at_changes(group: Ints, since: Ints, until: Ints, low: int, high: int) -> Looks:
    """Groups at every moment from `low` on and before `high` at which one of their rows enters or leaves."""
    entering = np.flatnonzero((since >= low) & (since < high))
    leaving = np.flatnonzero((until >= low) & (until < high) & (since < high))
    looked = np.concatenate([group[entering], group[leaving]])
    moments = np.concatenate([since[entering], until[leaving]])
    return looks_at(group, since, until, looked, moments)


def looks_at(group: Ints, since: Ints, until: Ints, looked: Ints, moments: Ints) -> Looks:
    """Groups at moments, which may be given more than once."""
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
    there = np.flatnonzero(begin < end)
    stays = Stays(begin[there], end[there], np.repeat(first, np.diff(bounds)))
    return Looks(looked, moments, row[there], stays)


def extents_of(looks: Looks, order: Ints | None = None) -> GroupExtents:
    """The rows that are there at each look. `order` is a number of each row that says in which order an extent lists them; as
    they are, if there is none."""
    at, owner = ranges(looks.stays.begin, looks.stays.end)
    rows = looks.row[owner]
    ranked = np.lexsort((rows if order is None else order[rows], at))
    at, rows = at[ranked], rows[ranked]
    edges = np.searchsorted(at, np.arange(len(looks.group) + 1))
    return GroupExtents(looks.group, looks.moment, rows, edges[:-1].astype(np.int64), edges[1:].astype(np.int64))
