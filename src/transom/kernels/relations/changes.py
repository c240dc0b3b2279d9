"""Relations as changes: rows that enter (+1) and leave (-1) at moments; the states they make, and what appeared or
disappeared.

Equal rows are one row with a multiplicity, which is a step function of time. Everything here is computed on the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints, codes_of, one_chunk, ranges, run_starts

Multiplicity = Callable[[Sequence[Ints]], Ints]
"""How often a row is in a result, given how often it is in each input."""


@dataclass(frozen=True)
class MultiplicitySteps:
    """How often each distinct row is in a relation, from one moment to the next.

    `row` names the distinct row, `moment` where a step begins, `before` and `count` the multiplicity up to it and from it on.
    Rows are in order, and in each the moments ascend.
    """

    row: Ints
    moment: Ints
    before: Ints
    count: Ints


def net(row: Ints, moment: Ints, changes: Sequence[Ints], held: Sequence[Ints]) -> tuple[Ints, Ints, list[Ints], list[Ints]]:
    """Changes of the same row at the same moment as one: rows, moments, and for each input the counts before and after.

    `held` are the counts of each distinct row before the first change.
    """
    order = np.lexsort((moment, row))
    row, moment = row[order], moment[order]
    starts = run_starts(row, moment)
    if not len(starts):
        return row, moment, [row for _ in changes], [row for _ in changes]
    owner, at = row[starts], moment[starts]
    first = run_starts(owner)
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(owner))))
    before, now = [], []
    for change, own in zip(changes, held, strict=True):
        total = np.cumsum(np.add.reduceat(change[order], starts))
        step = np.diff(total, prepend=0)
        count = total - (total[first] - step[first])[run] + own[owner[first]][run]
        now.append(count)
        before.append(count - step)
    return owner, at, before, now


def steps_of(row: Ints, moment: Ints, before: Ints, count: Ints) -> MultiplicitySteps:
    """The steps at which something changes."""
    turned = before != count
    return MultiplicitySteps(row[turned], moment[turned], before[turned], count[turned])


def appeared(steps: MultiplicitySteps) -> tuple[Ints, Ints, Ints]:
    """ISTREAM: which rows, at which moments, how often."""
    more = steps.count - steps.before
    which = more > 0
    return steps.row[which], steps.moment[which], more[which]


def disappeared(steps: MultiplicitySteps) -> tuple[Ints, Ints, Ints]:
    """DSTREAM."""
    less = steps.before - steps.count
    which = less > 0
    return steps.row[which], steps.moment[which], less[which]


@dataclass(frozen=True)
class RowStretches:
    """Which distinct row is in a relation, from which moment on, up to which, and how often."""

    row: Ints
    since: Ints
    until: Ints
    count: Ints


def stretches_of(steps: MultiplicitySteps, held: Ints) -> RowStretches:
    """When rows are there, given how often each was before the first step."""
    everything = np.arange(len(held))
    low, high = -(2**63), 2**63 - 1
    row = np.concatenate([everything, steps.row])
    since = np.concatenate([np.full(len(held), low), steps.moment])
    count = np.concatenate([held, steps.count])
    order = np.lexsort((since, row))
    row, since, count = row[order], since[order], count[order]
    until = np.append(since[1:], high)
    until[np.flatnonzero(row[1:] != row[:-1])] = high
    until[-1:] = high
    there = count > 0
    return RowStretches(row[there], since[there], until[there], count[there])


def states(found: RowStretches, instants: Ints) -> tuple[Ints, Ints, Ints]:
    """RSTREAM: which rows are there at each of the instants, which ascend, and how often."""
    at, owner = ranges(np.searchsorted(instants, found.since), np.searchsorted(instants, found.until))
    row = found.row[owner]
    order = np.lexsort((row, at))
    return row[order], instants[at][order], found.count[owner][order]


def last_filled(found: RowStretches, instants: Ints) -> Ints:
    """The last of the instants at which a row is there, if there is one."""
    first, behind = np.searchsorted(instants, found.since), np.searchsorted(instants, found.until)
    seen = behind > first
    return instants[behind[seen].max() - 1 :][:1] if seen.any() else instants[:0]


def repeated(row: Ints, moment: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Each row as often as it is there."""
    return np.repeat(row, count), np.repeat(moment, count)


def distinct_rows(tables: Sequence[pa.Table], names: Sequence[str]) -> tuple[pa.Table, list[Ints]]:
    """The distinct rows of several tables, and for each table which of them its rows are. NULL equals NULL, NaN equals NaN."""
    columns = [pa.concat_arrays([one_chunk(table[name]) for table in tables]) for name in names]
    rows = sum(table.num_rows for table in tables)
    codes, _ = codes_of(columns, rows)
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    made = pa.table({name: column.take(pa.array(first)) for name, column in zip(names, columns, strict=True)})
    if not names:
        made = pa.table({"": pa.nulls(len(first))}).select([])
    edges = np.cumsum([table.num_rows for table in tables])[:-1]
    return made, [np.asarray(part, np.int64) for part in np.split(place, edges)]


def union_all(counts: Sequence[Ints]) -> Ints:
    return np.asarray(sum(counts), np.int64)


def union(counts: Sequence[Ints]) -> Ints:
    return np.asarray(union_all(counts) > 0, np.int64)


def intersect_all(counts: Sequence[Ints]) -> Ints:
    return np.asarray(np.minimum.reduce(list(counts)), np.int64)


def intersect(counts: Sequence[Ints]) -> Ints:
    return np.asarray(intersect_all(counts) > 0, np.int64)


def except_all(counts: Sequence[Ints]) -> Ints:
    return np.asarray(np.maximum(counts[0] - union_all(counts[1:]), 0), np.int64)


def except_(counts: Sequence[Ints]) -> Ints:
    """As sets: rows of the first that none of the others has."""
    return np.asarray((counts[0] > 0) & (union_all(counts[1:]) == 0), np.int64)


MULTIPLICITIES: dict[str, Multiplicity] = {
    "all": union_all,
    "distinct": union,
    "union": union,
    "union all": union_all,
    "intersect": intersect,
    "intersect all": intersect_all,
    "except": except_,
    "except all": except_all,
}
"""How often a row is in the result of each operation. `all` is the relation itself."""
