"""A row of a state, and the state of a window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from transom.column_names import EVENT_TS, WID, WINDOW_END, WINDOW_START
from transom.plan.nodes.windowed import Cut
from transom.reference.lateness import Frontiers, Verdict, judge, made_of_tuples
from transom.reference.outcome import Fate, LateTuple
from transom.reference.query import Late
from transom.reference.relations.heard import Heard
from transom.reference.rows import columns_of_tuple
from transom.scalar.value_types import value_on_axis
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.keys import key
from transom.semantics.length import Number
from transom.semantics.states import Arrivals, Extent, Instant, States, is_final
from transom.semantics.tuples import Tuple, Tuples, axis_value
from transom.semantics.windows.partitioned import partition_of
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Wid, Window


@dataclass(frozen=True)
class Held:
    """A row that a state holds: its columns, what its window stamps on it, and the timestamp of what it is made of.

    Rows made of the same tuples have the same `identity`; `partition` distinguishes rows of partitioned windows.
    """

    values: Mapping[str, Any]
    stamps: Mapping[str, Any]
    ts: Number | None
    identity: tuple[Any, ...]
    partition: tuple[Any, ...] = ()
    passing: bool = field(default=False, compare=False)
    """Whether it is a row for want of a match: it is news only when its tuple leaves."""
    order: tuple[Any, ...] = field(default=(), compare=False)
    """What aggregates see rows in the order of: the timestamp, and the tuples a row is made of; nothing, where it is of none."""


class OnTime(Arrivals):
    """Late tuples are left out altogether."""

    def __init__(self, heard: Heard) -> None:
        self.taken = {t.arrival for t in heard.tuples if heard.fate_on_time(t) is Fate.USED}

    def takes(self, t: Tuple) -> bool:
        return t.arrival in self.taken


class Judged(Arrivals):
    """A late tuple counts in the windows that are not complete yet, or in none: the rule of a window by itself."""

    def __init__(self, heard: Heard, window: Window, late: Late) -> None:
        self.window, self.verdicts, self.frontiers = window, {}, {}
        taken: dict[Any, list[Tuple]] = {}
        for t in heard.tuples:
            place = heard.places[t]
            mine = taken.setdefault(partition_of(t, partition_columns(window)), [])
            verdict = judge(base_of(window), late, t, mine, Frontiers(place.of_tuple, place.of_all))
            if place.is_ahead:
                verdict = Verdict(taken=False, fate=None)
            self.verdicts[t.arrival], self.frontiers[t.arrival] = verdict, place.of_all
            if verdict.taken:
                mine.append(t)

    verdicts: dict[int, Verdict]
    frontiers: dict[int, Number]

    def takes(self, t: Tuple) -> bool:
        return self.verdicts[t.arrival].taken

    def admits(self, w: Wid, t: Tuple) -> bool:
        if made_of_tuples(base_of(self.window)):
            return True
        return not base_of(self.window).promised(w, (), self.frontiers[t.arrival])

    def ids(self, base: Window, tuples: Tuples) -> list[Wid]:
        if made_of_tuples(base):
            return base.windows(tuples)
        return sorted({w for t in tuples for w in self.verdicts[t.arrival].ids})


@dataclass
class WindowState:
    """A window of a query at work: which rows it holds at an instant."""

    cut: Cut
    window: Window
    heard: Heard
    alone: bool
    states: States = field(init=False)
    number: int = 0
    compared: bool = False
    """Whether its states are compared from one instant to the next: then of those with a SLIDE only sliding windows and sessions
    take late tuples in."""

    def __post_init__(self) -> None:
        late = Late[(self.cut.disorder.late or "generous").upper()]
        base = base_of(self.window)
        by_window = isinstance(base, Session) or not (made_of_tuples(base) or isinstance(base, RowWindow))
        own_rule = by_window and (isinstance(base, Session | Sliding) or not self.compared)
        arrivals = Judged(self.heard, self.window, late) if self.alone and own_rule else OnTime(self.heard)
        self.states = States(self.window, self.heard.tuples, self.heard.order, arrivals)
        if isinstance(arrivals, Judged):
            self._settle(arrivals)
        else:
            self.heard.settle_on_time()

    def _settle(self, arrivals: Judged) -> None:
        for t in self.heard.tuples:
            verdict = arrivals.verdicts[t.arrival]
            self.heard.counts.settle(verdict.fate or Fate.OUTSIDE)
            self.heard.counts.late += verdict.late
            if verdict.excluded_by is not None:
                self.heard.late.append(LateTuple(t, verdict.excluded_by))

    def left_at(self, instant: Instant) -> int | None:
        """The item after which the state at an instant is final."""
        return next((n for n, x in enumerate(self.heard.frontier) if is_final(self.window, instant, x)), None)

    def rows(self, instant: Instant, *, evaluated: bool = False) -> list[Held]:
        """The rows at an instant, ordered by timestamp, ties by arrival; on request, those of partitions `evaluated` there."""
        found = []
        for extent in self.states.state(instant):
            if evaluated and not self.states.evaluates(extent.partition, instant):
                continue
            stamps = self.stamps(extent)
            found += [
                Held(
                    columns_of_tuple(t),
                    stamps,
                    self._ts(t),
                    ("tuple", self.number, t.arrival),
                    extent.partition,
                    order=(0, self._ts(t), t.arrival),
                )
                for t in extent.tuples
            ]
        return sorted(found, key=lambda row: (row.ts is not None, row.ts if row.ts is not None else 0, row.identity))

    def _ts(self, t: Tuple) -> Number | None:
        return axis_value(t[self.heard.order], self.heard.order)

    def stamps(self, extent: Extent) -> dict[str, Any]:
        """What the window stamps on rows that it holds."""
        base = base_of(self.window)
        kind = "bigint" if isinstance(base, RowWindow) else self.heard.kinds[self.heard.axis]
        return {
            WINDOW_START: value_on_axis(extent.start, kind),
            WINDOW_END: value_on_axis(extent.end, kind),
            WID: value_on_axis(extent.wid, kind) if base.ids_are_values else extent.wid,
            EVENT_TS: self.value(extent.at),
        }

    def value(self, at: Number) -> Any:
        """An instant as a value."""
        return value_on_axis(at, self.heard.kinds[self.heard.axis])

    def stamps_at(self, instant: Instant, partition: tuple[Any, ...]) -> dict[str, Any]:
        """What the window would stamp on a row that it no longer holds."""
        at = self.value(instant.at)
        for extent in self.states.state(instant):
            if extent.partition == partition:
                return {**self.stamps(extent), EVENT_TS: at}
        rows = isinstance(base_of(self.window), RowWindow)
        return {WINDOW_START: None, WINDOW_END: None if rows else at, WID: None, EVENT_TS: at}


def key_of(values: Mapping[str, Any], names: list[str]) -> tuple[Any, ...]:
    """The values of columns, as SQL's groups compare them."""
    return tuple(key(values[name]) for name in names)


def less(rows: list[Held], others: list[Held], names: list[str]) -> list[Held]:
    """Rows less others, as bags."""
    left = Counter(key_of(row.values, names) for row in others)
    found = []
    for row in rows:
        same = key_of(row.values, names)
        if left[same]:
            left[same] -= 1
        else:
            found.append(row)
    return found
