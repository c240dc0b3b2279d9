"""What the window of a tuple stamps on it, where each tuple is in one extent alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.column_names import VALUE, WID, WINDOW_END, WINDOW_START
from transom.kernels.columns.arrays import one_chunk
from transom.kernels.extents.ids import ids_of
from transom.kernels.relations.inputs.inputs import Input


def stamped(table: pa.Table, about: Input) -> pa.Table:
    """A table on its way to bucket, with the columns that its window stamps on; NULL for a tuple that is in no window."""
    if not about.stamps or not table.num_rows:
        return table
    assert about.window is not None
    axis = about.spec.axis
    places, known = axis.numbers(one_chunk(table[VALUE]))
    ids = ids_of(about.window, axis)
    first, last = ids.first(places), ids.last(places)
    known = known & (first <= last)
    wid, place = np.unique(np.where(known, first, 0), return_inverse=True)
    report = ids.report(wid)
    found = {WINDOW_START: report.start, WINDOW_END: report.end, WID: wid}
    for name, stamp in about.stamps:
        number = table.column_names.index(name)
        values = found[stamp][place]
        kind = table.schema.field(name).type
        made = pa.array(values, mask=~known).cast(kind) if stamp == WID else axis.values(values, kind, ~known)
        table = table.set_column(number, name, made)
    return table
