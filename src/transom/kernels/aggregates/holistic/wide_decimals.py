"""sum and avg of decimals of more than 18 digits, in Python's integers.

needs:  an inverse that is exact
time:   O(rows + slices), an object each
space:  O(rows)
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import decimals, lanes
from transom.kernels.aggregates.partial import Field, Places


def total(array: pa.Array, starts: Places, ends: Places, ansi: bool = True) -> pa.Array:
    sums, counts = _sums(array, starts, ends)
    return decimals.from_integers(sums, counts > 0, decimals.type_of_sum(array.type), ansi)


def average(array: pa.Array, starts: Places, ends: Places, ansi: bool = True) -> pa.Array:
    sums, counts = _sums(array, starts, ends)
    kind = decimals.type_of_average(array.type)
    scaled = sums * 10 ** (kind.scale - array.type.scale)
    return decimals.from_integers(decimals.rounded(scaled, np.maximum(counts, 1)), counts > 0, kind, ansi)


def _sums(array: pa.Array, starts: Places, ends: Places) -> tuple[Field, Places]:
    before = np.concatenate([np.zeros(1, object), np.cumsum(decimals.integers(array))])
    counted = np.concatenate([[0], np.cumsum(lanes.valid(array))])
    return before[ends] - before[starts], counted[ends] - counted[starts]
