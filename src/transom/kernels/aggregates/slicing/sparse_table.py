"""A table of all stretches of 2^k rows; a slice is the union of two of them that may overlap.

needs:  idempotence
time:   O(rows log(longest slice) + slices)
space:  O(rows + slices): one level at a time
source: Bender and Farach-Colton, The LCA problem revisited (2000), section 3
"""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.partial import Partial, Places, part, put, take
from transom.kernels.aggregates.slicing.bits import bit_length
from transom.kernels.aggregates.slicing.combining import Combining


def slices(monoid: Combining, partial: Partial, starts: Places, ends: Places) -> Partial:
    result = monoid.identity(len(starts))
    levels = bit_length(ends - starts)
    present = np.bincount(levels, minlength=1)
    table = partial
    for level in range(1, len(present)):
        reach = 1 << (level - 1)
        if level > 1:
            table = monoid.combine(part(table, 0, -reach // 2), part(table, reach // 2))
        if present[level] == len(starts):  # slices of about one length, as most are
            return monoid.combine(take(table, starts), take(table, ends - reach))
        if present[level]:
            chosen = np.flatnonzero(levels == level)
            left = take(table, starts[chosen])
            put(result, chosen, monoid.combine(left, take(table, ends[chosen] - reach)) if reach > 1 else left)
    return result
