"""median, percentile and approx_percentile: by rank, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from transom.errors import BadExpression
from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.holistic.codes import codes_of
from transom.kernels.aggregates.holistic.rows_of_slices import without
from transom.kernels.aggregates.partial import Places
from transom.kernels.aggregates.slicing import wavelet


def percentile(array: pa.Array, percentages: Any, starts: Places, ends: Places) -> pa.Array:
    """The value at a share of the way through the values in order, interpolated between neighbours."""
    return _of_each(percentages, lambda p: _interpolated(array, p, starts, ends))


def approx_percentile(array: pa.Array, percentages: Any, starts: Places, ends: Places) -> pa.Array:
    """The smallest value that at least this share of the values does not exceed."""
    return _of_each(percentages, lambda p: _element(array, p, starts, ends))


def _of_each(percentages: Any, one: Callable[[float], pa.Array]) -> pa.Array:
    """Of one percentage a value, of several a list of them."""
    if not isinstance(percentages, Sequence):
        return one(_checked(percentages))
    columns = [one(_checked(p)) for p in percentages]
    slices, several = len(columns[0]), len(columns)
    across = (np.arange(slices)[:, None] + slices * np.arange(several)).reshape(-1)
    items = pa.concat_arrays(columns).take(pa.array(across))
    mask = columns[0].is_null()
    return pa.ListArray.from_arrays(pa.array(np.arange(slices + 1, dtype=np.int32) * several), items, mask=mask)


def _checked(percentage: Any) -> float:
    p = float(percentage)
    if not 0 <= p <= 1:
        raise BadExpression("a percentile lies between 0 and 1", given=percentage, remedy="for the 90th percentile write 0.9")
    return p


def _interpolated(array: pa.Array, p: float, starts: Places, ends: Places) -> pa.Array:
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    codes = codes_of(array.take(pa.array(rows)))
    filled = np.flatnonzero(ends > starts)
    first, end = starts[filled], ends[filled]
    place = p * (end - first - 1)
    below = np.floor(place).astype(np.int64)
    between = np.flatnonzero(place != below)
    both = np.concatenate([np.arange(len(filled)), between])
    found = wavelet.smallest(codes.code, first[both], end[both], np.concatenate([below, below[between] + 1]))
    numbers = lanes.doubles(codes.values(np.arange(codes.size)))[found]
    low, high = numbers[: len(filled)], numbers[len(filled) :]
    start, share = low[between], place[between] - below[between]
    with np.errstate(invalid="ignore"):
        low[between] = np.where(start == high, start, start * (1.0 - share) + high * share)
    values = np.zeros(len(starts))
    values[filled] = low
    return lanes.array_of(values, ends > starts, pa.float64())


def _element(array: pa.Array, p: float, starts: Places, ends: Places) -> pa.Array:
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    codes = codes_of(array.take(pa.array(rows)))
    present = ends > starts
    first, end = starts[present], ends[present]
    rank = np.maximum(np.ceil(p * (end - first)).astype(np.int64) - 1, 0)
    places = np.zeros(len(starts), np.int64)
    places[present] = codes.row[wavelet.smallest(codes.code, first, end, rank)]
    return lanes.rows_of(codes.array, places, present)
