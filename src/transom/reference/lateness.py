"""Judging a tuple when it arrives: is it late, which windows has it missed, is it in any at all?"""

from __future__ import annotations

from dataclasses import dataclass

from transom.reference.outcome import Fate
from transom.reference.query import Late
from transom.semantics.length import Number, measure
from transom.semantics.progress.frontier import NOTHING_YET
from transom.semantics.tuples import Rank, Tuple, axis_value
from transom.semantics.windows.landmark import Growing
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.window import ContextFree, Wid, Window


@dataclass(frozen=True)
class Frontiers:
    """The frontier reached before a tuple arrived: of the tuple itself, and of the group its windows complete for."""

    of_tuple: Number = NOTHING_YET
    of_group: Number = NOTHING_YET


@dataclass(frozen=True)
class Verdict:
    """`fate` is None where only the end of the stream decides whether a tuple that is taken is in a window."""

    taken: bool
    fate: Fate | None
    late: bool = False
    excluded_by: Number | None = None
    ids: tuple[Wid, ...] = ()


OUTSIDE = Verdict(taken=False, fate=Fate.OUTSIDE)


def made_of_tuples(window: Window) -> bool:
    """Whether tuples make the windows, by their values or by their ranks. There results are fixed tuple by tuple, and
    late tuples are left out altogether; only a session may still take one in."""
    return window.ids_from_tuples or isinstance(window.counting, Rank)


def tuples_complete(window: Window) -> bool:
    """Whether a tuple, and not only a promise, can complete a window: its last row, or one that opens it."""
    return isinstance(window, RowWindow) or made_of_tuples(window)


def completes_by_group(window: Window) -> bool:
    """Whether a promise to one group completes its windows.

    Ranks and sessions are made of the tuples of all groups, and a landmark that differs reports all of them: there only a promise
    to all of them does.
    """
    return not (isinstance(window, Session) or isinstance(window.counting, Rank) or window.reports_changes)


def judge(window: Window, late: Late, t: Tuple, taken: list[Tuple], frontiers: Frontiers) -> Verdict:
    """What to do with a tuple, given the tuples taken before it and the frontier."""
    if window.attribute is None:
        return Verdict(taken=True, fate=None)
    a = axis_value(t[window.attribute], window.attribute)
    if a is None:
        return OUTSIDE
    is_late = a < frontiers.of_tuple
    if isinstance(window, Session):
        if is_late and late is Late.CONSISTENT:
            return _left_out(frontiers.of_tuple)
        left_out = is_late and _misses_session(window, a, taken, frontiers.of_group)
        return _left_out(frontiers.of_group) if left_out else Verdict(taken=True, fate=Fate.USED, late=is_late)
    if made_of_tuples(window):
        return _left_out(frontiers.of_tuple) if is_late else Verdict(taken=True, fate=None)
    return _judge_by_ids(window, late, a, is_late, frontiers)


def _left_out(frontier: Number) -> Verdict:
    return Verdict(taken=False, fate=Fate.DROPPED, late=True, excluded_by=frontier)


def _misses_session(window: Session, a: Number, taken: list[Tuple], frontier: Number) -> bool:
    """Whether the session that a late tuple would open or join is complete."""
    if a + measure(window.gap) < frontier:
        return True
    complete = [w for w in window.windows(taken) if window.complete(w, taken, frontier)]
    return any(window.joins(a, w) or window.joins(a, window.last(w, taken)) or a in window.bounds(w, taken) for w in complete)


def _judge_by_ids(window: Window, late: Late, a: Number, is_late: bool, frontiers: Frontiers) -> Verdict:
    """Generous: a late tuple counts in every window not complete yet. Consistent: in none.

    A row window takes in even those that count in none: that a row has come is news.
    """
    ids = _ids(window, a, frontiers.of_group)
    counts_rows = isinstance(window, RowWindow)
    if not ids:
        return Verdict(taken=counts_rows, fate=Fate.OUTSIDE, late=is_late)
    if is_late and late is Late.CONSISTENT:
        return _left_out(frontiers.of_tuple)
    missed = [w for w in ids if window.promised(w, (), frontiers.of_group)]
    dropped = len(missed) == len(ids)
    excluded_by = frontiers.of_group if missed else None
    return Verdict(counts_rows or not dropped, Fate.DROPPED if dropped else Fate.USED, is_late, excluded_by, ids)


def _ids(window: Window, a: Number, frontier: Number) -> tuple[Wid, ...]:
    """The windows a tuple belongs to. A growing window has no end of them: the first, and the first still open."""
    if isinstance(window, Growing):
        slots = {window.slot(a), window.slot(max(a, frontier))}
        return () if window.slot(a) is None else tuple(sorted(w for w in slots if w is not None))
    assert isinstance(window, ContextFree | RowWindow)
    return tuple(window.ids(a))
