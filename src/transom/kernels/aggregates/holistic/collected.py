"""collect_list, collect_set and string_agg: everything there is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.holistic.codes import codes_of, previous
from transom.kernels.aggregates.holistic.rows_of_slices import blocks, extents, without
from transom.kernels.aggregates.partial import Places


def collect_list(array: pa.Array, starts: Places, ends: Places) -> pa.Array:
    """The values that are not NULL, in the order of the rows."""
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    return _in_blocks(array.take(pa.array(rows)), starts, ends)


def collect_set(array: pa.Array, starts: Places, ends: Places) -> pa.Array:
    """The different values, ascending, so that the same rows always give the same list."""
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    codes = codes_of(array.take(pa.array(rows)))
    before, found, lengths = previous(codes.code), [np.zeros(0, np.int64)], [np.zeros(1, np.int64)]
    for block in blocks(starts, ends):
        laid = extents(starts[block], ends[block])
        kept = laid.where(before[laid.rows] < np.repeat(starts[block], laid.counts))
        found.append(np.sort(kept.owner * codes.size + codes.code[kept.rows]) % max(codes.size, 1))
        lengths.append(kept.counts)
    offsets = np.cumsum(np.concatenate(lengths)).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), codes.values(np.concatenate(found)))


def string_agg(array: pa.Array, separator: str | bytes, starts: Places, ends: Places) -> pa.Array:
    """The strings that are not NULL in the order of the rows, joined; NULL if there is none."""
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    present = array.take(pa.array(rows))
    joined = [pa.array([], array.type)]
    for block in blocks(starts, ends):
        listed = _lists(present, starts[block], ends[block])
        text = pc.binary_join(listed, pa.scalar(separator, array.type))
        joined.append(pc.if_else(pa.array(ends[block] > starts[block]), text, pa.scalar(None, array.type)))
    return pa.concat_arrays(joined)


def _in_blocks(array: pa.Array, starts: Places, ends: Places) -> pa.Array:
    lists = [_lists(array, starts[block], ends[block]) for block in blocks(starts, ends)]
    return pa.concat_arrays([_lists(array, starts[:0], ends[:0]), *lists])


def _lists(array: pa.Array, starts: Places, ends: Places) -> pa.Array:
    laid = extents(starts, ends)
    return pa.ListArray.from_arrays(pa.array(laid.bounds.astype(np.int32)), array.take(pa.array(laid.rows)))
