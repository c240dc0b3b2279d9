"""Slices that do not overlap and come in order: one pass.

needs:  associativity; slices disjoint and ascending
time:   O(rows + slices)
space:  O(slices)
source: `reduceat`, the segmented reduction of APL
"""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.partial import Partial, Places, part, put, take
from transom.kernels.aggregates.slicing.combining import Reducing


def are_ascending(starts: Places, ends: Places) -> bool:
    """Whether each slice begins where the one before has ended, or later."""
    return bool((starts[1:] >= ends[:-1]).all())


def slices(monoid: Reducing, partial: Partial, starts: Places, ends: Places) -> Partial:
    filled = np.flatnonzero(ends > starts)
    result = monoid.identity(len(starts))
    if not len(filled):
        return result
    starts, ends = starts[filled], ends[filled]
    apart = np.append(ends[:-1] != starts[1:], False)
    if not apart.any():
        put(result, filled, monoid.reduce(part(partial, 0, int(ends[-1])), starts))
        return result
    # The rows between two slices become segments of their own, whose values nobody reads.
    segment = np.arange(len(starts)) + np.cumsum(apart) - apart
    bounds = np.empty(len(starts) + int(apart.sum()), np.int64)
    bounds[segment] = starts
    bounds[segment[apart] + 1] = ends[apart]
    put(result, filled, take(monoid.reduce(part(partial, 0, int(ends[-1])), bounds), segment))
    return result
