"""Ranks of the rows of a relation within groups, at the moments at which a group changes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transom.kernels.columns.arrays import Ints, run_starts
from transom.kernels.relations.groups import extents_of, looks_at


class Moved(NamedTuple):
    """Rows that enter (+1) or leave (-1) at moments, each with its rank."""

    row: Ints
    rank: Ints
    moment: Ints
    change: Ints


def numbered(function: str, start: Ints, end: Ints, peers: Ints) -> Ints:
    """row_number, rank or dense_rank of the rows of extents, which lie end to end in order; `peers` are equal for equal rows."""
    lengths = end - start
    extent = np.repeat(np.arange(len(start)), lengths)
    place = np.arange(len(peers)) - start[extent]
    if function == "row_number":
        return place + 1
    first = run_starts(extent, peers)
    run = np.zeros(len(peers), np.int64)
    run[first[1:]] = 1
    run = np.cumsum(run)
    if function == "rank":
        return place[first][run] + 1
    opened = np.zeros(len(start), np.int64)
    filled = lengths > 0
    opened[filled] = run[start[filled]]
    return run - opened[extent] + 1


class Seen(NamedTuple):
    """Rows that are there when their group is looked at, each with its rank."""

    row: Ints
    rank: Ints
    moment: Ints


def seen(function: str, group: Ints, since: Ints, until: Ints, looked: Ints, moments: Ints, order: Ints, peers: Ints) -> Seen:
    """The ranks in groups at moments."""
    found = extents_of(looks_at(group, since, until, looked, moments), order)
    rank = numbered(function, found.start, found.end, peers[found.rows])
    return Seen(found.rows, rank, np.repeat(found.moment, found.end - found.start))


def moved(
    function: str, limit: int | None, group: Ints, since: Ints, until: Ints, order: Ints, peers: Ints, low: int, high: int
) -> Moved:
    """What changes in ranks from one moment on and before another. `order` is the place of each row among all, by what ranks
    follow. With a limit, rows beyond it are not there, and ranks do not matter."""
    entering = np.flatnonzero((since >= low) & (since < high))
    leaving = np.flatnonzero((until >= low) & (until < high) & (since < high))
    changed = np.unique(np.concatenate([group[entering], group[leaving]]))
    looked = np.concatenate([changed, group[entering], group[leaving]])
    moments = np.concatenate([np.full(len(changed), low - 1), since[entering], until[leaving]])
    found = extents_of(looks_at(group, since, until, looked, moments), order)
    rank = numbered(function, found.start, found.end, peers[found.rows])
    extent = np.repeat(np.arange(len(found.start)), found.end - found.start)
    row = found.rows
    if limit is not None:
        kept = rank <= limit
        row, extent, rank = row[kept], extent[kept], np.zeros(int(kept.sum()), np.int64)
    sorting = np.lexsort((extent, row))
    row, extent, rank = row[sorting], extent[sorting], rank[sorting]
    stays = np.zeros(len(row), bool)  # as the row was in the extent before
    stays[1:] = (row[1:] == row[:-1]) & (extent[1:] == extent[:-1] + 1) & (rank[1:] == rank[:-1])
    goes_on = np.append(stays[1:], False)
    first = np.zeros(len(found.group), bool)
    first[run_starts(found.group)] = True
    last = np.append(first[1:], True)
    enters = np.flatnonzero(~stays & ~first[extent])
    leaves = np.flatnonzero(~goes_on & ~last[extent])
    next_moment = np.append(found.moment[1:], 0)
    which = np.concatenate([leaves, enters])
    moment = np.concatenate([next_moment[extent[leaves]], found.moment[extent[enters]]])
    change = np.concatenate([np.full(len(leaves), -1), np.ones(len(enters), np.int64)])
    by_time = np.lexsort((order[row[which]], change, moment))
    return Moved(row[which][by_time], rank[which][by_time], moment[by_time], change[by_time])
