"""The state of a window at an instant: seed 002 (section 4), CQL, and the table of states in the documentation, row by row.

A window over a stream is a relation that changes at instants. Time is dense: where a window is empty right after an instant
(NOW, sessions), that moment is `Instant(x, after=True)`, between x and everything later.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import Number, rows
from transom.semantics.tuples import Rank, Tuple, Tuples, axis_value
from transom.semantics.windows.band import Band
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.landmark import LandmarkEvery, LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.partitioned import Partition, partitions, substream
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Wid, Window


@dataclass(frozen=True, order=True)
class Instant:
    """A place on the axis, or the moment right after it."""

    at: Number
    after: bool = False


@dataclass(frozen=True)
class Extent:
    """What a window, or one of its partitions, holds at an instant: the window's id, instant, bounds and tuples."""

    wid: Wid
    at: Number
    start: Number | None
    end: Number
    tuples: tuple[Tuple, ...]
    partition: Partition = ()


Found = tuple[Wid, Number, Number | None, Number, list[Tuple]]
"""A window's id, instant and bounds, and its tuples."""


class Arrivals:
    """Which arrivals count: all of them. Whoever knows of lateness says otherwise."""

    def takes(self, t: Tuple) -> bool:
        """Whether a tuple is in any window at all."""
        return True

    def admits(self, w: Wid, t: Tuple) -> bool:
        """Whether a tuple had come when a window was evaluated."""
        return True

    def ids(self, base: Window, tuples: Tuples) -> list[Wid]:
        """The windows that tuples are in."""
        return base.windows(tuples)


@dataclass(frozen=True)
class States:
    """The states of a window over tuples in the order of arrival. `order` is the column that orders the stream.

    >>> from transom.semantics import Now, number_arrivals
    >>> states = States(Now(wattr="x"), number_arrivals([{"x": 3}, {"x": 5}]), "x")
    >>> [(one.at, one.after, len(states.state(one))) for one in states.changes()]
    [(3, False, 1), (3, True, 0), (5, False, 1), (5, True, 0)]
    """

    window: Window
    tuples: Tuples
    order: str
    arrivals: Arrivals = field(default_factory=Arrivals)

    @property
    def axis(self) -> str:
        """The column that instants are places on."""
        return axis_of(self.window, self.order)

    def instants(self) -> list[Instant]:
        """The instants of the window: where it is evaluated."""
        found = {Instant(x) for partition in self._partitions() for x in self._instants(self._members(partition))}
        return sorted(found)

    def changes(self) -> list[Instant]:
        """The instants, and the moments at which a state ends that lasts for one instant alone."""
        instants = self.instants()
        vanishing = isinstance(base_of(self.window), Now | Session)
        return sorted({*instants, *(Instant(one.at, after=True) for one in instants if vanishing)})

    def state(self, instant: Instant) -> list[Extent]:
        """The state at an instant, partition by partition: the union of their tuples is the relation."""
        found = []
        for partition in self._partitions():
            extent = self._extent(self._members(partition), instant)
            if extent is not None:
                wid, at, start, end, tuples = extent
                kept = tuple(t for t in tuples if not isinstance(self.window, Filtered) or self.window.picks(t))
                found.append(Extent(wid, at, start, end, kept, partition))
        return found

    def evaluates(self, partition: Partition, instant: Instant) -> bool:
        """Whether a partition is evaluated at an instant, and does not just keep the state it had."""
        return not instant.after and instant.at in self._instants(self._members(partition))

    def _partitions(self) -> list[Partition]:
        return partitions(self.tuples, partition_columns(self.window))

    def _members(self, partition: Partition) -> list[Tuple]:
        """The tuples of a partition that count. Windows of rows number those alone; elsewhere row_num counts all arrivals."""
        pattr, takes = partition_columns(self.window), self.arrivals.takes
        if isinstance(base_of(self.window), RowWindow):
            return substream([t for t in self.tuples if takes(t)], pattr, partition)
        return [t for t in substream(self.tuples, pattr, partition) if takes(t)]

    def _instants(self, tuples: list[Tuple]) -> Iterable[Number]:
        base = base_of(self.window)
        if isinstance(base, RowWindow):
            return [instant for instant, _ in self._row_windows(base, tuples)]
        return [_instant(base, w, tuples) for w in self._evaluated(base, tuples)]

    def _extent(self, tuples: list[Tuple], instant: Instant) -> Found | None:
        base = base_of(self.window)
        if isinstance(base, RowWindow):
            return self._last_row_window(base, tuples, instant)
        if isinstance(base, Now | Session):
            here = [w for w in base.windows(tuples) if _instant(base, w, tuples) == instant.at and not instant.after]
            return self._of(base, here[-1], tuples) if here else None
        if isinstance(base, EveryInstant) or (isinstance(base, SlideByTuple) and base.slide == rows(1)):
            return self._of(base, instant.at, tuples)
        past = [w for w in self._evaluated(base, tuples) if _instant(base, w, tuples) <= instant.at]
        return self._of(base, max(past, key=lambda w: (_instant(base, w, tuples), w)), tuples) if past else None

    def _of(self, base: Window, w: Wid, tuples: list[Tuple]) -> Found:
        return (w, _instant(base, w, tuples), *base.span(w, tuples), self._admitted(base, w, tuples))

    def _admitted(self, base: Window, w: Wid, tuples: list[Tuple]) -> list[Tuple]:
        return [t for t in base.extent(w, tuples) if self.arrivals.admits(w, t)]

    def _evaluated(self, base: Window, tuples: list[Tuple]) -> list[Wid]:
        """The windows that hold a tuple or come from one, and the first empty one after each: that a state ends is a change."""
        if base.ids_from_tuples:
            return base.windows(tuples)
        holding = [w for w in self.arrivals.ids(base, tuples) if self._admitted(base, w, tuples)]
        if not isinstance(base, Sliding | Varying | LandmarkEvery):
            return holding
        return sorted({*holding, *(w + 1 for w in holding)})

    def _row_windows(self, base: RowWindow, tuples: list[Tuple]) -> list[tuple[Number, Wid]]:
        """The windows whose last row has come, each with its instant: the largest timestamp of the rows up to there."""
        positions = base.positions(tuples)
        inside = sorted(positions, key=lambda t: positions[t])
        ended: list[tuple[Number, Wid]] = []
        for w in base.windows(tuples):
            end = base.bounds(w).upper
            places = [axis_value(t[self.axis], self.axis) for t in inside if positions[t] < end]
            if any(positions[t] >= end - 1 for t in inside) and places:
                ended.append((max(a for a in places if a is not None), w))
        return ended

    def _last_row_window(self, base: RowWindow, tuples: list[Tuple], instant: Instant) -> Found | None:
        past = [(w, at) for at, w in self._row_windows(base, tuples) if at <= instant.at]
        return (*past[-1], *base.span(past[-1][0], tuples), base.extent(past[-1][0], tuples)) if past else None


def _instant(base: Window, w: Wid, tuples: list[Tuple]) -> Number:
    instant = base.instant(w, tuples)
    assert instant is not None
    return instant


def axis_of(window: Window, order: str) -> str:
    """The column that the instants of a window are places on: rows end at the timestamp of their last."""
    base = base_of(window)
    if isinstance(base, RowWindow):
        return base.wattr.attribute if isinstance(base.wattr, Rank) else order
    return str(base.attribute)


def is_final(window: Window, instant: Instant, frontier: Number) -> bool:
    """Whether no tuple that may still come can change the state at an instant, or right after it: there a window that does not
    take in the tuples of its own instant holds what it held at it."""
    if frontier == math.inf:
        return True
    return frontier > instant.at if _takes_in(base_of(window), instant.at) else frontier >= instant.at


def _takes_in(base: Window, x: Number) -> bool:
    """Whether the state at x holds tuples of x itself."""
    if isinstance(base, Band):
        return base.instant(base.last) <= x
    if isinstance(base, LandmarkUntil):
        return base.holds_whole(x)
    if isinstance(base, EveryInstant):
        return not base.lags
    return isinstance(base, SlideByTuple | Now | Session | RowWindow)
