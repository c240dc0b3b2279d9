"""Pairs of rows of two relations that have equal keys and are there at the same time.

The rows of one side are sorted by key and by the moment they enter. Windows lose rows in the order in which they got them, so
they leave in that order, too, and the rows that are there together with a row of the other side are one slice of its key's
run: no pair is looked at that is not one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Ints, codes_of, is_ascending, one_chunk, order_of, ranges, search
from transom.kernels.relations.moments import NEVER


@dataclass(frozen=True)
class Side:
    """Rows with the moments between which they are there. A row whose key is NULL meets nobody."""

    table: pa.Table
    since: Ints
    until: Ints

    @property
    def rows(self) -> int:
        return len(self.since)


def codes_of_both(left: pa.Table, right: pa.Table, keys: Sequence[str]) -> tuple[Ints, Ints]:
    """Numbers for the keys of both sides, equal where the keys are; -1 where one is NULL."""
    rows = left.num_rows
    columns = [pa.concat_arrays([one_chunk(left[name]), one_chunk(right[name])]) for name in keys]
    codes, _ = codes_of(columns, rows + right.num_rows)
    codes = np.array(codes, np.int64)
    for column in columns:
        if column.null_count:
            codes[np.asarray(column.is_null())] = -1
    return codes[:rows], codes[rows:]


def pairs(left: Side, right: Side, keys: Sequence[str]) -> tuple[Ints, Ints]:
    """Row numbers of the left side and of the right, for each pair of rows that are there at one moment."""
    if not left.rows or not right.rows:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    of_left, of_right = codes_of_both(left.table, right.table, keys)
    if right.rows > left.rows:  # the smaller side is sorted
        found, other = _found(right, of_right, left, of_left)
        return other, found
    return _found(left, of_left, right, of_right)


def _found(probe: Side, probed: Ints, built: Side, codes: Ints) -> tuple[Ints, Ints]:
    """For each row of one side its slice of the other, which is sorted."""
    order, asking = _sorted(codes, built.since), _sorted(probed, probe.since)
    codes, since, until = codes[order], built.since[order], built.until[order]
    probed, asked_since, asked_until = probed[asking], probe.since[asking], probe.until[asking]
    edges = np.searchsorted(codes, np.arange(max(codes[-1], probed[-1]) + 2))
    low, high = np.where(probed < 0, 0, edges[probed]), np.where(probed < 0, 0, edges[probed + 1])
    end = _place(codes, since, low, high, probed, asked_until)
    falls = (until[1:] < until[:-1]) & (codes[1:] == codes[:-1])
    start = low if falls.any() else _place(codes, until, low, high, probed, asked_since + 1)
    place, owner = ranges(start, np.maximum(start, end))
    if falls.any():
        together = until[place] > asked_since[owner]
        place, owner = place[together], owner[together]
    return asking[owner], order[place]


def _sorted(codes: Ints, since: Ints) -> Ints:
    """Rows by key, then by the moment at which they enter. Mostly they come in the order of these moments."""
    if is_ascending(since):
        return order_of(codes + 1, int(codes.max(initial=0)) + 2)
    return np.lexsort((since, codes))


def _place(codes: Ints, moments: Ints, low: Ints, high: Ints, wanted: Ints, limit: Ints) -> Ints:
    """The first row of each key's run whose moment is not below a limit: by one search where key and moment fit into a number."""
    if not len(moments):
        return low
    least, most = int(moments.min()), int(moments.max())
    span = most - least + 2
    if most == NEVER or int(codes.max()) * span >= 2**62:
        return search(moments, low, high, limit)
    joined = codes * span + (moments - least)
    found = np.searchsorted(joined, wanted * span + (np.clip(limit, least, most + 1) - least))
    return np.asarray(np.clip(found, low, high), np.int64)
