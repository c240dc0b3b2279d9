"""Prefixes, and the difference of two of them.

needs:  an inverse that is exact
time:   O(rows + slices)
space:  O(rows)
source: Li et al., seed 000; as "subtract-on-evict" in Tangwongsan et al., General incremental sliding-window aggregation (2015)
"""

from __future__ import annotations

from transom.kernels.aggregates.partial import Partial, Places, take
from transom.kernels.aggregates.slicing.combining import Invertible


def slices(monoid: Invertible, partial: Partial, starts: Places, ends: Places) -> Partial:
    before = monoid.scan(partial)
    return monoid.remove(take(before, ends), take(before, starts))
