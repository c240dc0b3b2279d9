"""Suffixes and prefixes of aligned blocks of 2^k rows; a slice is one suffix followed by one prefix, and nothing overlaps.

A slice belongs to the level of the highest bit in which its first and its last row differ. Blocks longer than the longest
slice are never needed, for it lies in two neighbours (van Herk). Nothing is ever subtracted, so an infinity spoils only the
slices that contain it, and no error accumulates from one slice to the next.

needs:  associativity
time:   O(rows log(longest slice) + slices)
space:  O(rows + slices): one level at a time
source: van Herk, A fast algorithm for local minimum and maximum filters (1992); the levels are the "disjoint sparse table"
        of competitive programming, after Alon and Schieber, Optimal preprocessing for answering on-line product queries (1987)
"""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.partial import Field, Partial, Places, concat, part, put, take
from transom.kernels.aggregates.slicing.bits import bit_length
from transom.kernels.aggregates.slicing.chunks import chunks
from transom.kernels.aggregates.slicing.combining import Combining

TILE = 8
"""Up to blocks of 2^8 rows the i-th rows of all blocks lie together, so that even short blocks are long vectors."""


def slices(monoid: Combining, partial: Partial, starts: Places, ends: Places) -> Partial:
    result = monoid.identity(len(starts))
    for chosen, low, high in chunks(starts, ends):
        put(result, chosen, _slices(monoid, part(partial, low, max(low, high)), starts[chosen] - low, ends[chosen] - low))
    return result


def _slices(monoid: Combining, partial: Partial, starts: Places, ends: Places) -> Partial:
    result = monoid.identity(len(starts))
    filled = np.flatnonzero(ends > starts)
    if not len(filled):
        return result
    first, last = starts[filled], ends[filled] - 1
    top = int((last - first).max()).bit_length()
    levels = np.minimum(bit_length(first ^ last), top + 1)
    present = np.bincount(levels, minlength=top + 2)
    single = levels == 0
    put(result, filled[single], take(partial, first[single]))
    table = _Table(monoid, partial, top)
    for level in range(top + 1):
        if level:
            table.grow()
        if present[level + 1]:
            chosen = np.flatnonzero(levels == level + 1)
            put(result, filled[chosen], monoid.combine(table.suffix(first[chosen]), table.prefix(last[chosen])))
    return result


class _Table:
    """The prefixes and the suffixes of all blocks, from blocks of one row on."""

    def __init__(self, monoid: Combining, partial: Partial, top: int) -> None:
        self.monoid, self.top, self.level = monoid, top, 0
        self.tile = min(top, TILE)
        rows = len(partial[0])
        padded = concat([partial, monoid.identity(-rows % (1 << top))])
        self.columns = len(padded[0]) >> self.tile
        self.prefixes = tuple(_transposed(field, self.columns) for field in padded)
        self.suffixes = tuple(field.copy() for field in self.prefixes)

    def grow(self) -> None:
        """Blocks of twice the size: the right half of the prefixes and the left half of the suffixes change."""
        if self.level == self.tile:
            self.prefixes = tuple(_transposed(field, 1 << self.tile) for field in self.prefixes)
            self.suffixes = tuple(_transposed(field, 1 << self.tile) for field in self.suffixes)
        inner = self.columns if self.level < self.tile else 1
        shape = (-1, 2, (1 << self.level), inner)
        before, after = _shaped(self.prefixes, shape), _shaped(self.suffixes, shape)
        grown = self.monoid.combine(tuple(f[:, 0, -1:] for f in before), tuple(f[:, 1] for f in before))
        for field, values in zip(before, grown, strict=True):
            field[:, 1] = values
        grown = self.monoid.combine(tuple(f[:, 0] for f in after), tuple(f[:, 1, :1] for f in after))
        for field, values in zip(after, grown, strict=True):
            field[:, 0] = values
        self.level += 1

    def prefix(self, last: Places) -> Partial:
        return take(self.prefixes, self._place(last))

    def suffix(self, first: Places) -> Partial:
        return take(self.suffixes, self._place(first))

    def _place(self, row: Places) -> Places:
        if self.level > self.tile:
            return row
        return (row & ((1 << self.tile) - 1)) * self.columns + (row >> self.tile)


def _transposed(field: Field, rows: int) -> Field:
    return np.ascontiguousarray(field.reshape(rows, -1).T).reshape(-1)


def _shaped(partial: Partial, shape: tuple[int, ...]) -> Partial:
    return tuple(field.reshape(shape) for field in partial)
