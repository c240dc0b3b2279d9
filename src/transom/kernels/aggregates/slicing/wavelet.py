"""A wavelet matrix over codes: order statistics of any slice, whatever its length.

Bit by bit from the highest, rows are stably parted by that bit; a slice stays a slice in each part.

needs:  an order
time:   O((rows + slices) log(codes))
space:  O(rows + slices): one level at a time
source: Claude, Navarro and Ordóñez, The wavelet matrix (2015); Gagie, Puglisi and Turpin, Range quantile queries (2009)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from transom.kernels.aggregates.partial import Places
from transom.kernels.aggregates.slicing.chunks import chunks

Small = npt.NDArray[np.int32]
"""Rows and codes of a chunk, of which there are less than 2^31."""


def smallest(codes: Places, starts: Places, ends: Places, rank: Places) -> Places:
    """The code with this rank, from 0 on, among the codes of each slice; the slice must have at least that number."""
    found = np.zeros(len(starts), np.int64)
    for chosen, first, last in chunks(starts, ends):
        own, local = np.unique(codes[first:last], return_inverse=True)
        inside = _small(starts[chosen] - first), _small(ends[chosen] - first)
        found[chosen] = own[_smallest(_small(local), *inside, _small(rank[chosen]))]
    return found


def count_below(codes: Places, starts: Places, ends: Places, limit: Places) -> Places:
    """How many codes of each slice are below its limit; the limit is above the slice's start."""
    count = np.zeros(len(starts), np.int64)
    for chosen, first, last in chunks(starts, ends):
        # Codes up to the chunk's first row are below every limit, so that they need not be told apart.
        local = _small(np.clip(codes[first:last] - first, 0, last - first + 1))
        inside = _small(starts[chosen] - first), _small(ends[chosen] - first)
        count[chosen] = _count_below(local, *inside, _small(limit[chosen] - first))
    return count


def _small(values: Places) -> Small:
    return values.astype(np.int32)


def _levels(codes: Small, most: int) -> Iterator[tuple[int, Small, int]]:
    """For each bit: the bit, how many rows before each row do not have it, and how many there are of these."""
    for bit in reversed(range(most.bit_length())):
        clear = codes & np.int32(1 << bit) == 0
        before = np.zeros(len(codes) + 1, np.int32)
        np.cumsum(clear, out=before[1:])
        yield bit, before, int(before[-1])
        if bit:
            codes = np.concatenate([codes[clear], codes[~clear]])


def _smallest(codes: Small, starts: Small, ends: Small, rank: Small) -> Small:
    found = np.zeros(len(starts), np.int32)
    for bit, before, zeros in _levels(codes, int(codes.max(initial=0))):
        low, high = before.take(starts), before.take(ends)
        clear = high - low
        one = rank >= clear
        found |= one.astype(np.int32) << np.int32(bit)
        rank = np.where(one, rank - clear, rank)
        starts, ends = np.where(one, starts - low + np.int32(zeros), low), np.where(one, ends - high + np.int32(zeros), high)
    return found


def _count_below(codes: Small, starts: Small, ends: Small, limit: Small) -> Small:
    count = np.zeros(len(starts), np.int32)
    for bit, before, zeros in _levels(codes, max(int(codes.max(initial=0)), int(limit.max(initial=0)))):
        low, high = before.take(starts), before.take(ends)
        one = limit & np.int32(1 << bit) != 0
        count += np.where(one, high - low, np.int32(0))
        starts, ends = np.where(one, starts - low + np.int32(zeros), low), np.where(one, ends - high + np.int32(zeros), high)
    return count
