"""Tuples of which a controller's verdict is known before it has spoken: those of the newest panes of their slice.

A slice brings a frontier nowhere above its own largest tuple. Where it stays behind by a delay, it comes not even there, and the
slice may tell how long the delay is at least. So no tuple of the slice brings it beyond the pane of a tuple that is not
farther below: of its windows, only those are complete that were so before the slice began. That is the same for all of a
pane, so bucket adds these tuples up, and only the others cross the exchange one by one.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from transom.column_names import KEY
from transom.disorder.controllers import is_never_ahead
from transom.disorder.dratio.delay_bound import at_least
from transom.disorder.generator import Generator
from transom.kernels.columns.arrays import Array, Bools, codes_of, one_chunk, run_starts
from transom.kernels.columns.sequence import Sequence
from transom.kernels.extents.ids import ids_of
from transom.kernels.panes.lifting import panes, panes_of
from transom.kernels.spec import Spec, WindowedSpec

SAMPLE = 1024
"""So many tuples are looked at."""


def settles(spec: Spec) -> bool:
    """Whether bucket adds up what is settled. The last window of a band may be complete inside a pane, and nothing is."""
    control, lifting = spec.generating.control, spec.lifts
    if lifting is None or control is None:
        return False
    return is_never_ahead(control) and not ids_of(lifting.window, spec.axis).ends


def adds_up(spec: WindowedSpec, rows: pa.Table, a: Array) -> bool:
    """Whether partials would be fewer than tuples, by half at least; the first tuples tell."""
    seen = min(len(a), SAMPLE)
    codes, _ = codes_of([one_chunk(rows[f"{KEY}{name}"].slice(0, seen)) for name in spec.keys], seen)
    pane = panes_of(spec, a[:seen])
    order = np.lexsort((pane, codes))
    return 2 * len(run_starts(codes[order], pane[order])) <= seen


def settled(spec: WindowedSpec, a: Array, sequence: Sequence | None = None) -> Bools:
    """Which tuples are; those without a place are in no window, whatever happens.

    Where panes are whole units of the sequence, it tells of those with a place: how far the maximum is inside its pane.
    """
    assert spec.width is not None
    assert spec.generating.control is not None
    if not len(a):
        return np.zeros(0, bool)
    origin, grain = ids_of(spec.window, spec.axis).origin, spec.generating.grain
    if sequence is not None and len(sequence) and spec.width % grain == origin % grain == 0:
        below, rises_at, rises = sequence.maxima
        reached = reached_at_most(spec.generating.control, sequence)
        inside = (reached - origin // grain) % (spec.width // grain) + rises - reached
        inside = inside.astype(below.dtype) if inside.max() <= np.iinfo(below.dtype).max else inside
        told = np.asarray(below <= np.repeat(inside, np.diff(rises_at, append=len(sequence))))
        if len(told) == len(a):
            return told
        found = np.ones(len(a), bool)
        found[a > spec.axis.nothing_yet] = told
        return found
    pane = panes(a, origin, spec.width)
    return np.asarray((pane == np.maximum.accumulate(pane)) | (a <= spec.axis.nothing_yet))


def reached_at_most(control: Generator, sequence: Sequence) -> Array:
    """As far as a slice has brought the frontier, at most, when it has raised the maximum: less far than that by the delay that
    is kept at least, but perhaps as far as the maximum was before that was known."""
    below, rises_at, rises = sequence.maxima
    start, delay = at_least(control, below)
    known = int(np.searchsorted(rises_at, start))
    if not delay or known == len(rises):
        return rises
    return np.concatenate([rises[:known], np.maximum(rises[known:] - delay, rises[known - 1])])
