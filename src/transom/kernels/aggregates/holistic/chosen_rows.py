"""Aggregates that choose a row of each slice: first, last, min_by, max_by, and min and max of types without a lane."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.holistic.codes import codes_of
from transom.kernels.aggregates.holistic.rows_of_slices import without
from transom.kernels.aggregates.monoids.extremum import Extremum
from transom.kernels.aggregates.partial import Places


def first(array: pa.Array, starts: Places, ends: Places, ignore_nulls: bool) -> pa.Array:
    """The first value, or the first that is not NULL."""
    array, starts, ends = _counting(array, starts, ends, ignore_nulls)
    return lanes.rows_of(array, np.where(ends > starts, starts, 0), ends > starts)


def last(array: pa.Array, starts: Places, ends: Places, ignore_nulls: bool) -> pa.Array:
    """The last value, or the last that is not NULL."""
    array, starts, ends = _counting(array, starts, ends, ignore_nulls)
    return lanes.rows_of(array, np.where(ends > starts, ends - 1, 0), ends > starts)


def _counting(array: pa.Array, starts: Places, ends: Places, ignore_nulls: bool) -> tuple[pa.Array, Places, Places]:
    if not ignore_nulls or not array.null_count:
        return array, starts, ends
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    return array.take(pa.array(rows)), starts, ends


def extreme_by(array: pa.Array, ranks: pa.Array, largest: bool, starts: Places, ends: Places) -> pa.Array:
    """The value in the row with the smallest or the largest rank, in the first of them if there are several."""
    rows, starts, ends = without(lanes.valid(ranks), starts, ends)
    codes = codes_of(ranks.take(pa.array(rows)))
    n = max(len(rows), 1)
    # The rank and the row in one number, such that of equal ranks the first row is the extreme one.
    place = np.arange(len(rows))
    numbers = codes.code * n + (n - 1 - place if largest else place)
    (best,) = Extremum(np.dtype(np.int64), largest).slices((numbers,), starts, ends)
    present = ends > starts
    chosen = np.where(present, best % n, 0)
    chosen = n - 1 - chosen if largest else chosen
    return lanes.rows_of(array, rows[chosen] if len(rows) else chosen, present)
