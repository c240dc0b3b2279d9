"""Aggregates over rows that come and go: their values at many places in time, at a cost that follows the changes.

Rows are there from one place and before another; the places of a group stand side by side. What can be subtracted is what
has come less what has gone. Of minimum and maximum each row is noted at the few nodes of a tree over the places that make up
its stay, and a place is the combination of the nodes above it. Other aggregates are left to who writes out the rows.

needs:  an exact inverse, idempotence, or doubles whose sum is exact in fixed point
time:   O(rows + places), and times log(places) for the tree
space:  O(rows + places)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.algebras.double_sum import DoubleSum
from transom.kernels.aggregates.call import Call
from transom.kernels.aggregates.catalogue import algebra_of, canonical
from transom.kernels.aggregates.partial import Partial, Places, take
from transom.kernels.aggregates.slicing import fixed_point

NOT_OF_ORDER = ("count", "count_if", "sum", "avg", "min", "max", "bool_and", "bool_or")
"""Aggregates that do not depend on the order of rows, and whose partials are added up or compared."""


@dataclass(frozen=True)
class Stays:
    """Where rows are there: from place `begin` and before place `end`, one at least. `first` is the first place of each place's
    group."""

    begin: Places
    end: Places
    first: Places

    @property
    def places(self) -> int:
        return len(self.first)

    def counts(self) -> Places:
        """How many rows are there at each place."""
        change = np.bincount(self.begin, minlength=self.places + 1) - np.bincount(self.end, minlength=self.places + 1)
        return np.asarray(np.cumsum(change)[: self.places], np.int64)


def aggregate_of_stays(call: Call, args: Sequence[pa.Array], stays: Stays) -> pa.Array | None:
    """The value at each place; None where the rows that are there have to be looked at."""
    if call.user is not None or canonical(call.function) not in NOT_OF_ORDER:
        return None
    args = [arg.dictionary_decode() if pa.types.is_dictionary(arg.type) else arg for arg in args]
    algebra = algebra_of(call, [arg.type for arg in args])
    if algebra is None:
        return None
    if isinstance(algebra, DoubleSum):
        found = _doubles(args[0], stays)
    elif algebra.invertible:
        found = _less_gone(algebra, algebra.lift(args, len(stays.begin)), stays)
    else:
        found = _by_tree(algebra, algebra.lift(args, len(stays.begin)), stays) if algebra.idempotent else None
    return None if found is None else algebra.lower(found)


def _less_gone(algebra: Algebra, lifted: Partial, stays: Stays) -> Partial:
    """What has come since the first place of the group, less what has gone."""
    here = np.arange(stays.places)
    coming, going = np.argsort(stays.begin, kind="stable"), np.argsort(stays.end, kind="stable")
    begin, end = stays.begin[coming], stays.end[going]
    come = algebra.slices(take(lifted, coming), np.searchsorted(begin, stays.first), np.searchsorted(begin, here, side="right"))
    gone = algebra.slices(
        take(lifted, going), np.searchsorted(end, stays.first, side="right"), np.searchsorted(end, here, side="right")
    )
    return algebra.remove(come, gone)


def _doubles(arg: pa.Array, stays: Stays) -> Partial | None:
    """Sums of doubles, where they are exact, so that what has gone leaves nothing behind."""
    values = np.asarray(arg.to_numpy(zero_copy_only=False), np.float64)
    if arg.null_count or not len(values) or not np.isfinite(values).all():
        return None
    order = np.argsort(np.concatenate([stays.end, stays.begin]), kind="stable")
    at = np.concatenate([stays.end, stays.begin])[order]
    signed = np.concatenate([-values, values])[order]
    change = np.repeat([-1, 1], len(values))[order]
    # what goes at the first place of a group is of the group before, and comes before what begins there
    before = np.searchsorted(at, stays.first) + _going_at(at, change, stays.first)
    after = np.searchsorted(at, np.arange(stays.places), side="right")
    sums = fixed_point.slices([signed], before, after)
    if sums is None:
        return None
    total = np.append(0, np.cumsum(change))
    nothing = np.zeros(stays.places, np.bool_)
    return total[after] - total[before], *sums, nothing, nothing, nothing


def _going_at(at: Places, change: Places, places: Places) -> Places:
    """How many rows go at each of some places."""
    low, high = np.searchsorted(at, places), np.searchsorted(at, places, side="right")
    gone = np.append(0, np.cumsum(change < 0))
    return np.asarray(gone[high] - gone[low], np.int64)


def _by_tree(algebra: Algebra, lifted: Partial, stays: Stays) -> Partial:
    """Each row at the nodes that make up its stay, from the leaves up; each place from all nodes above it."""
    found = algebra.identity(stays.places)
    row, begin, end = np.arange(len(stays.begin)), stays.begin, stays.end
    place = np.arange(stays.places)
    while len(row):
        left, right = (begin & 1) == 1, (end & 1) == 1
        node = np.concatenate([begin[left], end[right] - 1])
        held = np.concatenate([row[left], row[right]])
        if len(node):
            order = np.argsort(node, kind="stable")
            node, held = node[order], held[order]
            starts = np.flatnonzero(np.append([True], node[1:] != node[:-1]))
            noted = algebra.reduce(take(lifted, held), starts)
            own = np.searchsorted(node[starts], place)
            there = np.flatnonzero(node[starts][np.minimum(own, len(starts) - 1)] == place)
            combined = algebra.combine(take(found, there), take(noted, own[there]))
            for field, value in zip(found, combined, strict=True):
                field[there] = value
        begin, end, place = (begin + left) >> 1, (end - right) >> 1, place >> 1
        open_ = begin < end
        row, begin, end = row[open_], begin[open_], end[open_]
    return found
