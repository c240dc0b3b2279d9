"""DISTINCT: of equal rows in a slice only the first counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.counting import all_present
from transom.kernels.aggregates.holistic.codes import previous, tuple_codes
from transom.kernels.aggregates.holistic.rows_of_slices import blocks, extents, without
from transom.kernels.aggregates.partial import Places
from transom.kernels.aggregates.slicing import wavelet

Aggregate = Callable[[Sequence[pa.Array], Places, Places], pa.Array]


def count_distinct(args: Sequence[pa.Array], starts: Places, ends: Places) -> pa.Array:
    """How many different combinations without NULL: those rows of a slice whose like came last before it began."""
    rows, starts, ends = without(all_present(args), starts, ends)
    before = previous(tuple_codes(args)[rows]) + 1
    return pa.array(wavelet.count_below(before, starts, ends, starts + 1))


def of_distinct(aggregate: Aggregate, args: Sequence[pa.Array], starts: Places, ends: Places) -> pa.Array:
    """An aggregate of the different rows of each slice, in the order of their first occurrence."""
    before = previous(tuple_codes(args))
    results = []
    for block in blocks(starts, ends):
        laid = extents(starts[block], ends[block])
        kept = laid.where(before[laid.rows] < np.repeat(starts[block], laid.counts))
        taken = [arg.take(pa.array(kept.rows)) for arg in args]
        results.append(aggregate(taken, kept.bounds[:-1], kept.bounds[1:]))
    return pa.concat_arrays(results) if results else aggregate(args, starts, ends)
