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

from transom.kernels.columns.arrays import Bools, Ints, codes_of, one_chunk, ranges, search


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
    order = np.lexsort((built.since, codes))
    order = order[codes[order] >= 0]
    codes, since, until = codes[order], built.since[order], built.until[order]
    low, high = np.searchsorted(codes, probed), np.searchsorted(codes, probed, side="right")
    high = np.where(probed < 0, low, high)
    end = search(since, low, high, probe.until)
    falls = (until[1:] < until[:-1]) & (codes[1:] == codes[:-1])
    start = low if falls.any() else search(until, low, high, probe.since, right=True)
    place, owner = ranges(start, np.maximum(start, end))
    if falls.any():
        together = until[place] > probe.since[owner]
        place, owner = place[together], owner[together]
    return owner, order[place]


def without(rows: Ints, among: int) -> Bools:
    """Which of so many rows are not listed."""
    mask = np.ones(among, bool)
    mask[rows] = False
    return mask
