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

from transom.kernels.aggregates.partial import Places


def _levels(codes: Places, size: int) -> Iterator[tuple[int, Places, int]]:
    """For each bit: the bit, how many rows before each row do not have it, and how many there are of these."""
    codes = codes.astype(np.int32 if size <= 2**31 else np.int64)
    for bit in reversed(range(max(size - 1, 0).bit_length())):
        clear = (codes >> bit) & 1 == 0
        before = np.zeros(len(codes) + 1, np.int64)
        np.cumsum(clear, out=before[1:])
        yield bit, before, int(before[-1])
        if bit:
            codes = np.concatenate([codes[clear], codes[~clear]])


def smallest(codes: Places, size: int, starts: Places, ends: Places, rank: Places) -> Places:
    """The code with this rank, from 0 on, among the codes of each slice; the slice must have so many."""
    found, rank = np.zeros(len(starts), np.int64), rank.copy()
    for bit, before, zeros in _levels(codes, size):
        low, high = before.take(starts), before.take(ends)
        clear = high - low
        one = rank >= clear
        found |= one.astype(np.int64) << bit
        rank -= np.where(one, clear, 0)
        starts, ends = np.where(one, zeros + starts - low, low), np.where(one, zeros + ends - high, high)
    return found


def count_below(codes: Places, size: int, starts: Places, ends: Places, limit: Places) -> Places:
    """How many codes of each slice are below its limit, which is less than `size`."""
    count = np.zeros(len(starts), np.int64)
    for bit, before, zeros in _levels(codes, size):
        low, high = before.take(starts), before.take(ends)
        one = (limit >> bit) & 1 == 1
        count += np.where(one, high - low, 0)
        starts, ends = np.where(one, zeros + starts - low, low), np.where(one, zeros + ends - high, high)
    return count
