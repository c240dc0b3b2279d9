"""The as-of join: each row of the left input with the last row of the right one, of the same key, that is not after it.

A left row waits until both inputs have passed its timestamp. Of the right input there is one row of each key that matters
beyond that, besides those that the left one has not passed yet.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Bools, Ints, codes_of, one_chunk, search
from transom.kernels.relations.matching import codes_of_both


def last_before(
    left: pa.Table,
    when: Ints,
    right: pa.Table,
    stamped: Ints,
    keys: Sequence[str],
    *,
    strictly: bool = False,
    within: int | None = None,
) -> Ints:
    """For each left row the number of its match, or -1. Right rows are in the order of arrival: of several with one timestamp,
    the last counts."""
    if not right.num_rows:
        return np.full(len(when), -1, np.int64)
    of_left, of_right = codes_of_both(left, right, keys)
    order = np.lexsort((np.arange(len(stamped)), stamped, of_right))
    codes, ordered = of_right[order], stamped[order]
    low, high = np.searchsorted(codes, of_left), np.searchsorted(codes, of_left, side="right")
    high = np.where(of_left < 0, low, high)
    place = search(ordered, low, high, when, right=not strictly) - 1
    found = place >= low
    if within is not None:
        found &= ordered[np.maximum(place, 0)] >= when - within
    return np.where(found, order[np.maximum(place, 0)], -1)


def still_needed(right: pa.Table, stamped: Ints, keys: Sequence[str], passed: int, *, within: int | None = None) -> Bools:
    """Which right rows may still be matched once all left rows before `passed` have been: the last of each key before it, unless
    it is too old, and all that are not before it."""
    ahead = np.asarray(stamped >= passed, bool)
    codes, _ = codes_of([one_chunk(right[name]) for name in keys], right.num_rows)
    order = np.lexsort((np.arange(len(stamped)), stamped, codes))
    behind = order[~ahead[order]]
    last = np.ones(len(behind), bool)
    last[:-1] = codes[behind[1:]] != codes[behind[:-1]]
    needed = ahead.copy()
    needed[behind[last]] = True
    if within is not None:
        needed &= ahead | (stamped >= passed - within)
    return needed
