"""Segmented reduction by combining neighbours, again and again.

needs:  associativity
time:   O(rows), in log2(longest segment) rounds
space:  O(rows)
source: Blelloch, Prefix sums and their applications (1990), section 1.5: the up-sweep, in segments
"""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.partial import Partial, Places, part, put, take
from transom.kernels.aggregates.slicing.combining import Combining


def reduce(monoid: Combining, partial: Partial, starts: Places) -> Partial:
    partial = part(partial, int(starts[0])) if len(starts) else part(partial, 0, 0)
    starts = starts - starts[:1]
    lengths = np.diff(starts, append=len(partial[0]))
    while len(lengths) and lengths.max() > 1:
        halves = (lengths + 1) // 2
        ends = np.cumsum(halves)
        # The i-th half of a segment is made of its elements 2i and 2i + 1; the last may stand alone.
        left = 2 * (np.arange(ends[-1]) - np.repeat(ends - halves, halves)) + np.repeat(starts, halves)
        alone = (ends - 1)[lengths % 2 == 1]
        paired = np.ones(len(left), np.bool_)
        paired[alone] = False
        halved = take(partial, left)
        pairs = np.flatnonzero(paired)
        put(halved, pairs, monoid.combine(take(halved, pairs), take(partial, left[pairs] + 1)))
        partial, lengths, starts = halved, halves, ends - halves
    return partial
