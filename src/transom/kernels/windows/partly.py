"""Extents that some records came too late for, written out: what is left of each, one after the other.

What is below the first record that came too late is whole. Of partials it is added up first, so that the cost follows how
late records are, and not how long windows are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Ints, ranges
from transom.kernels.extents.closing import Extents
from transom.kernels.results import as_lifted, gathered, lifted_name, lifted_parts


def partly(table: pa.Table, found: Extents, cut: Ints, enter: Ints, parts: Sequence[Algebra]) -> tuple[pa.Table, Extents]:
    """The records, and the extents among them, but for empty ones. Records count from the window on that they `enter`; `cut` is
    the first of each extent that came too late for it. There are `parts` if records are partials."""
    whole = np.arange(len(cut)) if parts else np.zeros(0, np.int64)
    rows, owner = ranges(cut if parts else found.start, found.end)
    keep = np.concatenate([(cut > found.start)[whole], enter[rows] <= found.wid[owner]])
    rows, owner = np.concatenate([whole, len(whole) + rows]), np.concatenate([whole, owner])
    order = np.argsort(owner, kind="stable")
    rows, pieces = gathered(found, keep[order], rows[order], owner[order])
    if parts:
        table = pa.concat_tables([_added_up(table, found.start, cut, parts), table], promote_options="default")
    return table.take(pa.array(rows)), pieces.pick(pieces.end > pieces.start)


def _added_up(table: pa.Table, start: Ints, end: Ints, parts: Sequence[Algebra]) -> pa.Table:
    """One record for each slice of partials."""
    made = {}
    for n, algebra in enumerate(parts):
        for part, values in enumerate(algebra.slices(lifted_parts(table, n, algebra), start, end)):
            made[lifted_name(n, part)] = as_lifted(values)
    return pa.table(made)
