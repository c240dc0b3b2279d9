"""What an operator reports of one micro-batch while somebody watches it: tuples by window, samples of results and of late tuples.

Nothing of this is computed for nobody (`Operator.inspects`). All of it is bounded, so that it can travel in a progress report.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AGGREGATE, BESIDE, ENTER, KEY, ROW_COUNT
from transom.kernels.columns.arrays import Array, Ints, codes_of, one_chunk, plain
from transom.kernels.columns.axis import Axis
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.extents.ids import Ids
from transom.kernels.windows.context_free import ContextFreeWindow

SAMPLED = 1 << 14
"""Tuples that are counted by window; of more, every n-th is, and stands for n."""
SPANS = 400
"""Most spans of windows that are reported, for all keys and for each key."""
KEYS = 12
"""Keys with the most tuples of a shard's micro-batch, which are reported one by one."""
ROWS, TUPLES = 6, 12
"""Results, and late tuples, that are shown of a shard's micro-batch."""
LONGEST = 80
"""Characters of a value."""


def inspected(kind: Any, batch: Batch, late: LateRows, out: OperatorOutput, axis: Axis) -> dict[str, Any]:
    """Tuples by the windows they are in, where these follow from the place alone; results; and tuples that missed a window."""
    found: dict[str, Any] = {}
    if type(kind) is ContextFreeWindow and batch.rows:
        found |= _by_window(kind.ids, batch)
        late = _with_partials(kind.ids, batch, late)
    if len(late.rows):
        found["missed"] = _those(batch, late, axis)
    counted = _counted(batch, late)
    if len(counted.rows):
        found["late"] = _those(batch, counted, axis)
    return found | sampled(out.rows)


def sampled(results: pa.Table | None) -> dict[str, Any]:
    """Some results, and how many there are."""
    if results is None or not results.num_rows:
        return {}
    return {"results": {"count": results.num_rows, "rows": _sample(results, ROWS)}}


def _by_window(ids: Ids, batch: Batch) -> dict[str, Any]:
    """How many tuples are in the windows from one to another, for each such span: of all keys, and of the largest keys."""
    step = -(-batch.rows // SAMPLED)
    table = batch.table if step == 1 else batch.table.take(pa.array(np.arange(0, batch.rows, step)))
    a, valid = batch.a[::step], batch.valid[::step] & batch.pick[::step]
    weight = np.full(len(a), step, np.int64)
    places = np.where(valid, a, 0)
    first, last = ids.first(places), ids.last(places)
    behind = valid & (a < batch.of_group[::step])
    if behind.any():
        first = first.copy()
        first[behind] = np.maximum(first[behind], ids.opens(batch.of_group[::step][behind]))
    if ENTER in table.column_names:
        first = np.maximum(first, one_chunk(table[ENTER]).to_numpy())
        weight = weight * one_chunk(table[ROW_COUNT]).to_numpy()
    inside = valid & (first <= last)
    found: dict[str, Any] = {"windows": _spans(first[inside], last[inside], weight[inside])}
    names = [name for name in table.column_names if name.startswith(KEY)]
    if names:
        found["keys"] = _by_key(table.select(names), inside, first, last, weight)
    return found


def _by_key(keys: pa.Table, inside: Array, first: Ints, last: Ints, weight: Ints) -> list[Any]:
    codes, size = codes_of([one_chunk(keys[name]) for name in keys.column_names], keys.num_rows)
    tuples = np.bincount(codes[inside], weights=weight[inside], minlength=size)
    largest = [int(code) for code in np.argsort(-tuples, kind="stable")[:KEYS] if tuples[code] > 0]
    found = []
    for code in largest:
        own = np.flatnonzero(inside & (codes == code))
        found.append([_key(keys, int(own[0])), _spans(first[own], last[own], weight[own])])
    return found


def _spans(first: Ints, last: Ints, weight: Ints) -> list[list[int]]:
    """The last SPANS of them, in order."""
    if not len(first):
        return []
    low, wide = first.min(), (last - first).max() + 1
    if (first.max() - low + 1) > 2**62 // wide:
        return []  # farther apart than numbers can say, which no picture shows
    codes, which = np.unique((first - low) * wide + (last - first), return_inverse=True)
    counts = np.bincount(which, weights=weight).astype(np.int64)
    starts = low + codes // wide
    return [[int(a), int(b), int(n)] for a, b, n in zip(starts, starts + codes % wide, counts, strict=True)][-SPANS:]


def _with_partials(ids: Ids, batch: Batch, late: LateRows) -> LateRows:
    """Also the partials that bucket has found too late by their slice alone: the frontier was at least where the last window ends
    that they missed."""
    if ENTER not in batch.table.column_names:
        return late
    enter = one_chunk(batch.table[ENTER]).to_numpy()
    places = np.where(batch.valid, batch.a, 0)
    first = ids.first(places)
    rows = np.flatnonzero(batch.valid & batch.pick & (enter > first))
    rows = rows[first[rows] <= ids.last(places[rows])]
    rows = rows[~np.isin(rows, late.rows)][:SPANS]
    _, ends = ids.bounds(enter[rows] - 1)
    return LateRows(np.concatenate([late.rows, rows]), np.concatenate([late.frontier, ends]).astype(batch.a.dtype))


def _counted(batch: Batch, missed: LateRows) -> LateRows:
    """Late tuples that still count in every window they are in. Of partials only the operator's count is known."""
    if ROW_COUNT in batch.table.column_names:
        return LateRows(missed.rows[:0], missed.frontier[:0])
    rows = np.flatnonzero(batch.late & batch.pick)
    rows = rows[~np.isin(rows, missed.rows)]
    return LateRows(rows, batch.of_tuple[rows])


def _those(batch: Batch, late: LateRows, axis: Axis) -> dict[str, Any]:
    """Late tuples: where they are, and the frontier that they are behind. A partial stands for several tuples."""
    weight = one_chunk(batch.table[ROW_COUNT]).to_numpy()[late.rows] if ROW_COUNT in batch.table.column_names else None
    some = _evenly(len(late.rows), TUPLES)
    rows = late.rows[some]
    names = [name for name in batch.table.column_names if name.startswith(KEY)]
    keys = batch.table.select(names).take(pa.array(rows))
    size = axis.factor or 1
    tuples = [
        [plain(batch.a[row]) / size, plain(by) / size, _key(keys, n)]
        for n, (row, by) in enumerate(zip(rows, late.frontier[some], strict=True))
        if by < axis.everything
    ]
    return {"count": len(late.rows) if weight is None else int(weight.sum()), "tuples": tuples, "by_pane": weight is not None}


def _sample(table: pa.Table, count: int) -> list[dict[str, Any]]:
    some = table.take(pa.array(_evenly(table.num_rows, count)))
    names = [name for name in some.column_names if not name.startswith(BESIDE) or name.startswith(AGGREGATE)]
    return [{name: shown(value) for name, value in row.items()} for row in some.select(names).to_pylist()]


def _evenly(rows: int, count: int) -> Ints:
    return np.unique(np.linspace(0, rows - 1, min(rows, count)).astype(np.int64))


def _key(keys: pa.Table, row: int) -> str:
    return ", ".join(str(shown(keys[name][row].as_py())) for name in keys.column_names)


def shown(value: Any) -> Any:
    """A value as JSON has it; what JSON has no form for, as text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
