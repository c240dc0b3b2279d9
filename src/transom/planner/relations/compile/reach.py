"""How far the timestamps of tuples can be before the instant at which a join gives them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from transom.plan.nodes.node import Node
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.stamps import sources_of
from transom.plan.relations.window_join import WindowJoin
from transom.semantics.classes.measured import base_of, measured_lengths
from transom.semantics.length import Number, Rows, measure
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.now import Now
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window


def reach_of(join: WindowJoin) -> Number | None:
    """How far event_ts of a pair may be before the instant at which it appears; None where it may be any time.

    With MIN that is the oldest tuple that a window holds, or lets go unmatched; with MAX the one that came last, which a window
    with a SLIDE has only from the next evaluation on. Where outer, semi or anti joins stand before the last step, a row can wait
    for one of its tuples when others have left: the oldest was there with one that was there with one, and so on.
    """
    if join.timestamp == "now":
        return 0
    if join.timestamp == "min" and join.decides_later:
        each = list(map(_oldest, _windows(sources_of(join))))
        return None if None in each else sum(one for one in each if one is not None)
    return _largest(map(_oldest if join.timestamp == "min" else _entering, _windows(sources_of(join))))


def _windows(nodes: Iterable[Node]) -> Iterable[Window]:
    return (base_of(node.window) for node in nodes if isinstance(node, Cut))


def _largest(found: Iterable[Number | None]) -> Number | None:
    known = list(found)
    return None if None in known else max((one for one in known if one is not None), default=0)


def _oldest(window: Window) -> Number | None:
    lengths = [one for one in measured_lengths(window).values() if not isinstance(one, date | None)]
    if not lengths or any(isinstance(one, Rows) for one in lengths):
        return None
    return sum(measure(one) for one in lengths)


def _entering(window: Window) -> Number | None:
    lag = getattr(window, "lag", None)
    late = 0 if lag is None else measure(lag)
    if isinstance(window, Sliding):
        return measure(window.slide) + late
    return late if isinstance(window, EveryInstant | Now | SlideByTuple) else None
