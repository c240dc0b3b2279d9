"""Partial aggregates of tuples that have been judged: by key, pane, and window from which on they count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebra import Algebra
from transom.kernels.arrays import Array, Bools, Ints, codes_of, flags, one_chunk, order_of, run_starts
from transom.kernels.ids import FOREVER, Ids, ids_of
from transom.kernels.results import column, lifted_name
from transom.kernels.spec import Spec


def lifted(spec: Spec, parts: Sequence[Algebra], rows: pa.Table, a: Array, late: Bools, frontier: Array) -> pa.Table:
    """One row for each key, pane, and window from which on its tuples count."""
    assert spec.width is not None
    assert spec.window is not None
    ids: Ids = ids_of(spec.window, spec.axis)
    nothing = spec.axis.nothing_yet
    enter = np.full(len(a), -FOREVER, np.int64)
    if late.any():
        enter[late] = ids.opens(frontier[late])
    pane = (a - ids.origin) // spec.width
    counts = (a > nothing) & (ids.first(a) <= ids.last(a))
    picked = flags(column(rows, "__pick")) if "__pick" in rows.column_names else np.ones(len(a), bool)
    codes, size = codes_of([one_chunk(rows[f"k:{name}"]) for name in spec.keys], len(a))
    codes, size = _joined(codes, size, pane)
    if late.any():
        codes, size = _joined(codes, size, np.where(late, enter - enter[late].min() + 1, 0))
    for which in (picked, counts):
        if not which.all():
            codes, size = _joined(codes, size, which.astype(np.int64))
    order = order_of(codes, size)
    starts = run_starts(codes[order])
    first = order[starts]
    names = [name for name in rows.column_names if name.startswith("k:") or name == "__pick"]
    made = {name: _plain(one_chunk(rows[name]).take(pa.array(first))) for name in names}
    made["__axis"] = pa.array(np.where(counts[first], pane[first] * spec.width + ids.origin, nothing))
    made["__high"] = pa.array(np.full(len(first), nothing, np.int64))
    made["__enter"] = pa.array(enter[first])
    made["__index"] = pa.array(first)
    made["__rows"] = pa.array(np.diff(np.append(starts, len(a))))
    for n, (item, algebra) in enumerate(zip(spec.computed, parts, strict=True)):
        values = algebra.lift([column(rows, name) for name in item.args], len(a))
        for part, reduced in enumerate(algebra.reduce(tuple(field[order] for field in values), starts)):
            made[lifted_name(n, part)] = pa.array(reduced)
    return pa.table(made)


def _plain(values: pa.Array) -> pa.Array:
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def _joined(codes: Ints, size: int, more: Array) -> tuple[Ints, int]:
    """Codes for codes together with numbers."""
    if not len(more):
        return codes, size
    low, high = int(more.min()), int(more.max())
    if size * (high - low + 1) < 2**62 and high - low < 2 * len(more) + 1024:
        return codes * (high - low + 1) + (more - low), size * (high - low + 1)
    joined, count = codes_of([pa.array(codes), pa.array(more)], len(codes))
    return joined, count
