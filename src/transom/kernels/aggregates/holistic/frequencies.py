"""mode and top_k: values by how often they occur."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.holistic.codes import Codes, codes_of
from transom.kernels.aggregates.holistic.rows_of_slices import blocks, extents, without
from transom.kernels.aggregates.partial import Places


def mode(array: pa.Array, starts: Places, ends: Places) -> pa.Array:
    """The most frequent value, of several the smallest."""
    codes, starts, ends = _present(array, starts, ends)
    places = np.zeros(len(starts), np.int64)
    for block in blocks(starts, ends):
        owner, code, _ = _most_frequent(codes, starts[block], ends[block], 1)
        places[block][owner] = codes.row[code]
    return lanes.rows_of(codes.array, places, ends > starts)


def top_k(array: pa.Array, k: int, starts: Places, ends: Places) -> pa.Array:
    """The k most frequent values with their counts, the most frequent first, the smaller of equally frequent ones first."""
    codes, starts, ends = _present(array, starts, ends)
    lengths, items, counts = np.zeros(len(starts), np.int64), [], []
    for block in blocks(starts, ends):
        owner, code, count = _most_frequent(codes, starts[block], ends[block], k)
        lengths[block] = np.bincount(owner, minlength=block.stop - block.start)
        items.append(code)
        counts.append(count)
    none = np.zeros(0, np.int64)
    fields = [codes.values(np.concatenate([none, *items])), pa.array(np.concatenate([none, *counts]))]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(fields, ["item", "count"]))


def _present(array: pa.Array, starts: Places, ends: Places) -> tuple[Codes, Places, Places]:
    rows, starts, ends = without(lanes.valid(array), starts, ends)
    return codes_of(array.take(pa.array(rows))), starts, ends


def _most_frequent(codes: Codes, starts: Places, ends: Places, k: int) -> tuple[Places, Places, Places]:
    """The slice, the code and the count of the k best of each slice, the best first."""
    laid = extents(starts, ends)
    if not len(laid.rows):
        return laid.rows, laid.rows, laid.rows
    keys = np.sort(laid.owner * codes.size + codes.code[laid.rows])
    runs = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    counts = np.diff(runs, append=len(keys))
    owner, code = np.divmod(keys[runs], codes.size)
    order = _best_first(owner, counts)
    owner, code, counts = owner[order], code[order], counts[order]
    begins = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
    best = np.arange(len(owner)) - np.repeat(begins, np.diff(begins, append=len(owner))) < k
    return owner[best], code[best], counts[best]


def _best_first(owner: Places, counts: Places) -> Places:
    """The stable order by slice and falling count. Packed into one number with the place it sorts ten times as fast."""
    most, many = int(counts.max()) + 1, len(owner)
    if (int(owner[-1]) + 1) * most * many >= 2**63:
        return np.lexsort((-counts, owner))
    return np.sort((owner * most + (most - 1 - counts)) * many + np.arange(many)) % many
