"""The rows of extents that are slices of one table: groups with their aggregates, or tuples, and punctuation behind each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AGGREGATE, KEY, KIND, OWN, PICK, WHICH
from transom.kernels.applied.applied_spec import PUNCTUATION, TUPLE
from transom.kernels.applied.extent_spec import ExtentSpec
from transom.kernels.columns.arrays import Ints, codes_of, flags, one_chunk, ranges, run_starts
from transom.kernels.extents.closing import Extents
from transom.kernels.results import gathered, unfolded, values_of


def results(spec: ExtentSpec, table: pa.Table, extents: Extents, beside: dict[str, pa.Array]) -> pa.Table:
    """The rows of the extents in their order. `beside` is what each extent says of itself."""
    window = spec.window
    count = len(extents.wid)
    if window.keys != window.partition_by or PICK in table.column_names:
        table, extents = _by_group(table, extents, [f"{KEY}{name}" for name in window.keys])
    return aggregated(spec, table, extents, beside, count)


def aggregated(spec: ExtentSpec, table: pa.Table, extents: Extents, beside: dict[str, pa.Array], count: int) -> pa.Table:
    """The rows of slices that are groups of extents; `wid` is the number of the extent, of which there are `count`."""
    window, which = spec.window, extents.wid
    made: dict[str, Any] = {
        f"{KEY}{name}": one_chunk(table[f"{KEY}{name}"]).take(pa.array(extents.start)) for name in window.keys
    } | {name: values.take(pa.array(which)) for name, values in beside.items()}
    made[WHICH] = pa.array(which)
    if window.lists_tuples:
        rows = _listed(window.tuples, table, extents, pa.table(made))
    else:
        for n, values in enumerate(values_of(window, table, extents, spec.parts)):
            made[f"y{n}"] = values
        rows = unfolded(pa.table(made), window.aggregates)
    kinds = pa.array(np.full(rows.num_rows, TUPLE, np.int8))
    columns = [one_chunk(rows[_inner(field.name, rows.column_names)]).cast(field.type) for field in spec.schema]
    found = pa.Table.from_arrays([kinds, *columns], schema=pa.schema([(KIND, pa.int8()), *spec.schema]))
    return _punctuated(found, one_chunk(rows[WHICH]).to_numpy(), count) if spec.passes_on else found


def _listed(names: tuple[str, ...], table: pa.Table, extents: Extents, made: pa.Table) -> pa.Table:
    """The tuples of each extent."""
    rows, owner = ranges(extents.start, extents.end)
    rows, pieces = gathered(extents, None, rows, owner)
    repeats = np.repeat(np.arange(len(extents.wid)), pieces.end - pieces.start)
    listed = made.take(pa.array(repeats))
    for name in names:
        listed = listed.append_column(f"{OWN}{name}", one_chunk(table[f"{OWN}{name}"]).take(pa.array(rows)))
    return listed


def _by_group(table: pa.Table, extents: Extents, names: list[str]) -> tuple[pa.Table, Extents]:
    """Extents written out one after the other, each sorted by its groups; tuples that WHERE leaves out are in none."""
    rows, owner = ranges(extents.start, extents.end)
    owner = extents.wid[owner]
    if PICK in table.column_names:
        picked = flags(one_chunk(table[PICK]))[rows]
        rows, owner = rows[picked], owner[picked]
    part = table.take(pa.array(rows))
    codes, _ = codes_of([one_chunk(part[name]) for name in names], part.num_rows)
    order = np.lexsort((codes, owner))
    part, codes, owner = part.take(pa.array(order)), codes[order], owner[order]
    first = run_starts(owner, codes)
    ends = np.append(first[1:], len(owner)).astype(np.int64)
    return part, Extents(np.arange(len(first)), owner[first], first, ends)


def _punctuated(made: pa.Table, which: Ints, extents: int) -> pa.Table:
    """With a window punctuation behind the rows of each extent."""
    marks = pa.Table.from_arrays(
        [pa.array(np.full(extents, PUNCTUATION, np.int8)), *(pa.nulls(extents, field.type) for field in list(made.schema)[1:])],
        schema=made.schema,
    )
    order = np.lexsort((np.append(np.zeros(len(which)), np.ones(extents)), np.append(which, np.arange(extents))))
    return pa.concat_tables([made, marks]).take(pa.array(order))


def _inner(name: str, names: list[str]) -> str:
    """The name here of a column that comes out."""
    if name.startswith(AGGREGATE):
        return name[2:]
    return next(one for one in (name, f"{KEY}{name}", f"{OWN}{name}") if one in names)
