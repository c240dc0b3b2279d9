"""The rows of slices: without those that do not count, and laid end to end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from transom.kernels.aggregates.partial import Mask, Places

MOST = 1 << 22
"""How many rows are laid end to end at a time."""


@dataclass(frozen=True)
class SliceRows:
    """The rows of consecutive slices, laid end to end, and how many each slice has."""

    rows: Places
    counts: Places

    @property
    def owner(self) -> Places:
        """The slice of each row."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @property
    def bounds(self) -> Places:
        """Where slices end and the next begin, from 0 on."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    def where(self, keep: Mask) -> SliceRows:
        """Only some of the rows."""
        kept = np.concatenate([[0], np.cumsum(keep)])
        return SliceRows(self.rows[keep], np.diff(kept[self.bounds]))


def extents(starts: Places, ends: Places) -> SliceRows:
    """All rows of all slices."""
    counts = ends - starts
    shift = starts - (np.cumsum(counts) - counts)
    return SliceRows(np.arange(int(counts.sum())) + np.repeat(shift, counts), counts)


def without(present: Mask, starts: Places, ends: Places) -> tuple[Places, Places, Places]:
    """The rows that are present, and the slices as slices of those."""
    if present.all():
        return np.arange(len(present)), starts, ends
    before = np.concatenate([[0], np.cumsum(present)])
    return np.flatnonzero(present), before[starts], before[ends]


def blocks(starts: Places, ends: Places, most: int = MOST) -> Iterator[slice]:
    """Runs of slices with about `most` rows together, so that memory is bounded."""
    reached = np.cumsum(ends - starts)
    start = 0
    while start < len(starts):
        before = int(reached[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(reached, before + most, side="right")))
        yield slice(start, end)
        start = end
