"""Partial aggregates of tuples that have been judged: by key, pane, and window from which on they count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from transom.column_names import AXIS, ENTER, KEY, PICK, ROW_COUNT
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, Ints, codes_of, flags, is_ascending, one_chunk
from transom.kernels.extents.ids import FOREVER, Ids, ids_of
from transom.kernels.panes.group_partials import CodedGroups
from transom.kernels.results import as_lifted, column, lifted_name
from transom.kernels.spec import WindowedSpec


def lifted(
    spec: WindowedSpec,
    parts: Sequence[Algebra],
    rows: pa.Table,
    a: Array,
    late: Bools,
    frontier: Array,
    *,
    without: Ints | None = None,
) -> pa.Table:
    """One row for each key, pane, and window from which on its tuples count; some may be left out, by their numbers.

    Whether a place is in any window at all is the same for all of a pane, but for those beyond the last place of a band.
    """
    assert spec.width is not None
    ids: Ids = ids_of(spec.window, spec.axis)
    nothing = spec.axis.nothing_yet
    pane = panes(a, ids.origin, spec.width)
    if without is not None and len(without):
        pane[without] = pane.max()  # a pane far below the others would take codes
    codes, size = codes_of([one_chunk(rows[f"{KEY}{name}"]) for name in spec.keys], len(a))
    codes, size = _joined(codes, size, pane)
    if ids.ends:
        codes, size = _joined(codes, size, (ids.first(a) <= ids.last(a)).astype(np.int64))
    if PICK in rows.column_names:
        codes, size = _joined(codes, size, flags(column(rows, PICK)).astype(np.int64))
    enter = None
    if late.any():
        few = np.flatnonzero(late)
        enter = np.full(len(a), -FOREVER, np.int64)
        enter[few] = ids.opens(frontier[few])
        own, count = codes_of([pa.array(codes[few]), pa.array(enter[few])], len(few))
        codes = codes.copy()
        codes[few] = size + own
        size += count
    if without is not None:
        codes[without] = size
    groups = CodedGroups(codes, size)
    first = groups.first
    names = [name for name in rows.column_names if name.startswith(KEY) or name == PICK]
    made = {name: _plain(one_chunk(rows[name]).take(pa.array(first))) for name in names}
    there = a[first]
    counts = (there > nothing) & (ids.first(there) <= ids.last(there))
    made[AXIS] = pa.array(np.where(counts, pane[first] * spec.width + ids.origin, nothing))
    made[ENTER] = pa.array(np.full(len(first), -FOREVER, np.int64) if enter is None else enter[first])
    made[ROW_COUNT] = pa.array(groups.rows)
    args = {name: column(rows, name) for item in spec.computed for name in item.args}
    for n, (item, algebra) in enumerate(zip(spec.computed, parts, strict=True)):
        for part, values in enumerate(groups.partials(algebra, [args[name] for name in item.args])):
            made[lifted_name(n, part)] = as_lifted(values)
    return pa.table(made)


def panes_of(spec: WindowedSpec, a: Array) -> Array:
    """The pane of each place."""
    assert spec.width is not None
    return panes(a, ids_of(spec.window, spec.axis).origin, spec.width)


def places_of_panes(spec: WindowedSpec, pane: Array) -> Array:
    """Where panes begin."""
    assert spec.width is not None
    return np.asarray(pane * spec.width + ids_of(spec.window, spec.axis).origin)


def panes(a: Array, origin: int, width: int) -> Array:
    """The pane of each place; of places in order, by looking for where each pane begins."""
    if not len(a) or not is_ascending(a) or a[-1] - a[0] > len(a) * width:
        return np.asarray((a - origin) // width)
    numbers = np.arange((a[0] - origin) // width, (a[-1] - origin) // width + 1)
    bounds = np.append(np.searchsorted(a, numbers * width + origin), len(a))
    return np.repeat(numbers, np.diff(bounds))


def _plain(values: pa.Array) -> pa.Array:
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def _joined(codes: Ints, size: int, more: Array) -> tuple[Ints, int]:
    """Codes for codes together with numbers."""
    if not len(more):
        return codes, size
    low, high = int(more.min()), int(more.max())
    if size * (high - low + 1) < 2**62 and high - low < 2 * len(more) + 1024:
        joined = codes * (high - low + 1)
        joined += more
        joined -= low
        return joined, size * (high - low + 1)
    return codes_of([pa.array(codes), pa.array(more)], len(codes))
