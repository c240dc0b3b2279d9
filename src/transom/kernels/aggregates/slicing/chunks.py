"""Short slices of many rows, a stretch of rows at a time: what fits into the processor's cache is several times as fast."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from transom.kernels.aggregates.partial import Field, Places

CHUNK = 1 << 15
"""The rows in which the slices of a chunk begin."""


def chunks(starts: Places, ends: Places, size: int = CHUNK) -> Iterator[tuple[slice | Places, int, int]]:
    """Which slices, and from which row to which they reach. Long slices are not divided up: their rows would be many times."""
    if not len(starts):
        return
    rows = int(ends.max())
    if rows <= 2 * size or int((ends - starts).max()) > size:
        yield slice(None), 0, rows
        return
    stretch: Field = (starts // size).astype(np.uint16 if rows // size < 2**16 else np.int64)
    ascending = bool((stretch[1:] >= stretch[:-1]).all())
    order = None if ascending else np.argsort(stretch, kind="stable")
    cuts = [0, *np.cumsum(np.bincount(stretch)).tolist()]
    for first, end in pairwise(cuts):
        if first < end:
            chosen = slice(first, end) if order is None else order[first:end]
            yield chosen, int(starts[chosen].min()), int(ends[chosen].max())
