"""The instants of an input: when an operator looks at its state.

A window with a SLIDE is evaluated at every slide, whether its extent has changed or not; others when a row enters or leaves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transom.kernels.columns.arrays import Ints, distinct, ranges
from transom.kernels.columns.axis import Axis
from transom.kernels.extents.ids import Ids, ids_of
from transom.kernels.relations.inputs.input_states import InputStates
from transom.kernels.relations.moments import NEVER, at, place_of
from transom.semantics.length import measure
from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import LandmarkEvery
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window


class Instants:
    """Instants at which rows enter or leave. What happens right after an instant is none."""

    def between(self, low: int, high: int, states: InputStates) -> Ints:
        """The moments of instants, from one moment on and before another, in order."""
        _, since, until, _ = states.live.read()
        changing = np.concatenate([since, until[until < NEVER]])
        return distinct(changing[(changing >= low) & (changing < high) & (changing % 2 == 0)])


class ArrivalInstants(Instants):
    """Those at which a tuple arrives: a window that slides by tuple looks at nothing in between."""

    def between(self, low: int, high: int, states: InputStates) -> Ints:
        _, since, _, _ = states.live.read()
        return distinct(since[(since >= low) & (since < high)])


@dataclass
class EvaluatedInstants(Instants):
    """Every slide, as long as a row is there or has just left."""

    ids: Ids

    def between(self, low: int, high: int, states: InputStates) -> Ints:
        _, since, until, _ = states.live.read()
        there = (since < high) & (until >= low)
        if not there.any():
            return np.zeros(0, np.int64)
        starts, ends = _stretches(since[there], until[there])
        last = min(high, int(max(starts.max(), ends[ends < NEVER].max(initial=low))) + 1) if high >= at(2**61) else high
        first_ids = self.ids.opens(place_of(np.maximum(starts, low) - 1)) - 1
        last_ids = self.ids.opens(place_of(np.minimum(ends, last))) + 2
        wid, owner = ranges(first_ids, last_ids)
        found = at(np.asarray(self.ids.report(wid).instant, np.int64))
        inside = (found >= np.maximum(starts, low)[owner]) & (found <= ends[owner]) & (found < last)
        return distinct(found[inside])


@dataclass
class BandInstants(EvaluatedInstants):
    """Every slide up to the end of the band, behind which nothing is looked at any more."""

    behind: int

    def between(self, low: int, high: int, states: InputStates) -> Ints:
        return super().between(low, min(high, self.behind), states)


class HeardInstants(Instants):
    """Those that an operator below has had."""

    def __init__(self) -> None:
        self.waiting: Ints = np.zeros(0, np.int64)

    def hear(self, places: Ints) -> None:
        self.waiting = distinct(np.concatenate([self.waiting, at(places)]))

    def between(self, low: int, high: int, states: InputStates) -> Ints:
        due = self.waiting < high
        found, self.waiting = self.waiting[due], self.waiting[~due]
        return found


def _stretches(since: Ints, until: Ints) -> tuple[Ints, Ints]:
    """The stretches of time in which a row is there, from the first that enters to the last that leaves."""
    order = np.argsort(since, kind="stable")
    since, until = since[order], np.maximum.accumulate(until[order])
    starts = np.flatnonzero(np.append([True], since[1:] > until[:-1]))
    return since[starts], until[np.append(starts[1:], len(since)) - 1]


def instants_of(window: Window | None, axis: Axis) -> Instants:
    """The instants of a window, or of an operator below."""
    if window is None:
        return HeardInstants()
    if isinstance(window, Sliding | Varying | LandmarkEvery):
        return EvaluatedInstants(ids_of(window, axis))
    if isinstance(window, Band):
        return BandInstants(ids_of(window, axis), int(at(axis.number(measure(window.upper)))) + 1)
    return ArrivalInstants() if isinstance(window, SlideByTuple) else Instants()
