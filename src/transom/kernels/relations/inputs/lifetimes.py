"""Lifetimes: from which moment and up to which a tuple is in the state of a window on an attribute.

A window with a SLIDE has a state from one evaluation instant until the next, so a tuple lives from the first evaluation of an
extent that holds it until the first one after the last. Where windows come and go with tuples, it lives for RANGE.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transom.errors import NotSupported
from transom.kernels.columns.arrays import Array, Ints, ranges, run_starts
from transom.kernels.columns.axis import Axis
from transom.kernels.extents.ids import FOREVER, Ids, ids_of
from transom.kernels.relations.moments import NEVER, after, at
from transom.semantics.length import measure
from transom.semantics.windows.band import Band
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.landmark import LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.window import Window


@dataclass(frozen=True)
class Lifetimes:
    """Lifetimes of tuples: `row` is the tuple, which has none if no window holds it, and several where there are holes."""

    row: Ints
    since: Ints
    until: Ints


def is_closed(window: Window, axis: Axis, frontier: Any) -> bool:
    """Whether the state at the frontier holds tuples of that place itself, which may still come."""
    if isinstance(window, EveryInstant):
        return not window.lags
    if isinstance(window, LandmarkUntil):
        return bool(frontier >= axis.number(measure(window.until)))
    if isinstance(window, Band):
        return bool(frontier >= axis.number(measure(window.upper)))
    return isinstance(window, Now | Session | SlideByTuple)


def lifetimes(window: Window, axis: Axis, places: Array) -> Lifetimes:
    """The lifetimes of tuples at the given places."""
    if axis.factor is None:
        raise NotSupported(
            "relations that change at instants are on time, integers or decimals",
            given="a window on a column of doubles",
            remedy="cast the column to a DECIMAL",
        )
    rows = np.arange(len(places))
    if isinstance(window, Now):
        return Lifetimes(rows, at(places), after(places))
    if isinstance(window, EveryInstant | SlideByTuple):
        length = int(axis.number(measure(window.range)))
        lag = getattr(window, "lag", None)
        since = places + (0 if lag is None else int(axis.number(measure(lag))))
        return Lifetimes(rows, at(since), at(since + length))
    return _evaluated(ids_of(window, axis), places)


def _evaluated(ids: Ids, places: Array) -> Lifetimes:
    first, last = ids.first(places), ids.last(places)
    row = np.flatnonzero(first <= last)
    first, last = first[row], last[row]
    if not ids.is_exact:
        row, first, last = _without_holes(ids, places, row, first, last)
    return Lifetimes(row, at(_instants(ids, first)), _ends(ids, last))


def _without_holes(ids: Ids, places: Array, row: Ints, first: Ints, last: Ints) -> tuple[Ints, Ints, Ints]:
    """Of windows whose length varies, the runs of those that hold a tuple."""
    wid, owner = ranges(first, last + 1)
    distinct, place = np.unique(wid, return_inverse=True)
    lower, upper = ids.bounds(distinct)
    a = places[row][owner]
    held = (a >= lower[place]) & (a < upper[place])
    wid, owner = wid[held], row[owner[held]]
    starts = run_starts(owner, wid - np.arange(len(wid)))
    ends = np.append(starts[1:], len(wid)) - 1
    return owner[starts], wid[starts], wid[ends[: len(starts)]]


def _ends(ids: Ids, last: Ints) -> Ints:
    """When a tuple leaves: at the instant after its last window, or never, where windows grow until they are fixed."""
    stays = last >= FOREVER if not ids.ends else np.ones(len(last), bool)
    until = np.full(len(last), NEVER, np.int64)
    until[~stays] = at(_instants(ids, last[~stays] + 1))
    return until


def _instants(ids: Ids, wid: Ints) -> Ints:
    distinct, place = np.unique(wid, return_inverse=True)
    return np.asarray(ids.report(distinct).instant, np.int64)[place]
