"""Results as a table: keys, the window's own columns, and the aggregates or the tuples of each extent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.column_names import ROW_NUM
from transom.kernels.aggregates import Call, aggregate
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, Ints, is_ascending, one_chunk, order_of
from transom.kernels.extents.closing import Extents
from transom.kernels.spec import Computed, Spec, WindowedSpec


def unfolded(table: pa.Table, computed: Sequence[Computed]) -> pa.Table:
    """One row for each that users' aggregates returned: of several aggregates, each row with each."""
    for n, item in enumerate(computed):
        call = item.call
        name = f"y{n}"
        if call.is_sequential and name in table.column_names:
            values = column(table, name)
            rows = pc.list_parent_indices(values)
            table = table.take(rows).set_column(table.column_names.index(name), name, values.flatten())
    return table


def column(table: pa.Table, name: str) -> pa.Array:
    """A column by name, whole."""
    return one_chunk(table[name])


def lifted_name(item: int, part: int) -> str:
    return f"y{item}.{part}"


def as_lifted(values: Array) -> pa.Array:
    """A field of partials as a column: numbers, or the text of a state."""
    return pa.array(values, pa.string()) if values.dtype == object else pa.array(values)


def lifted_parts(table: pa.Table, item: int, algebra: Algebra) -> tuple[Array, ...]:
    """The partials of an aggregate, as they are kept in a table."""
    return tuple(
        column(table, lifted_name(item, part)).to_numpy(zero_copy_only=False) for part in range(len(algebra.identity(0)))
    )


def gathered(extents: Extents, keep: Bools | None, rows: Ints, owner: Ints) -> tuple[Ints, Extents]:
    """Extents that overlap, written out one after the other: the rows to take, and the slices in what was taken."""
    if keep is not None:
        rows, owner = rows[keep], owner[keep]
    counts = np.bincount(owner, minlength=len(extents.run))
    ends = np.cumsum(counts).astype(np.int64)
    return rows, replace(extents, start=ends - counts, end=ends)


def values_of(spec: WindowedSpec, table: pa.Table, extents: Extents, parts: Sequence[Algebra]) -> list[pa.Array]:
    """Each aggregate over each extent, in the order of the table: that of the window, ties by arrival."""
    out = []
    for n, item in enumerate(spec.computed):
        if spec.lifted:
            algebra = parts[n]
            out.append(algebra.lower(algebra.slices(lifted_parts(table, n, algebra), extents.start, extents.end)))
        else:
            out.append(aggregate(item.call, [column(table, name) for name in item.args], extents.start, extents.end))
    return out


def extreme(table: pa.Table, name: str, stamp: str, extents: Extents) -> pa.Array:
    """The smallest or largest order value of each extent: TIMESTAMP MIN | MAX."""
    return aggregate(Call(stamp), [instants(column(table, name))], extents.start, extents.end)


def instants(values: pa.Array) -> pa.Array:
    """Values of the order column as results report them: dates as timestamps, and NULL for what is no point on an axis."""
    if pa.types.is_date(values.type):
        return values.cast(pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
    if pa.types.is_floating(values.type):
        return pc.if_else(pc.is_finite(values), values, pa.scalar(None, values.type))
    return values


def needs_row_num(spec: Spec) -> bool:
    """Whether an aggregate or a listed column is the row number itself."""
    return ROW_NUM in spec.tuples or any(ROW_NUM in item.args for item in spec.aggregates)


def sorted_by(codes: Ints, size: int, *within: Array) -> Ints:
    """Rows by code, then by places; if the places of each code ascend already, only the codes are sorted."""
    if len(within) == 1:
        order = order_of(codes, size)
        if is_ascending(within[0]) or _ascend_in_runs(codes[order], within[0][order]):
            return order
    return np.lexsort((*reversed(within), codes))


def _ascend_in_runs(codes: Ints, places: Array) -> bool:
    return bool(((places[1:] >= places[:-1]) | (codes[1:] != codes[:-1])).all())
