"""Random windows, one maker for each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from transom import rows
from transom.scalar.evaluation import Scope, evaluate
from transom.scalar.value_types import value_on_axis
from transom.semantics import (
    Band,
    EveryInstant,
    Function,
    Landmark,
    LandmarkEvery,
    LandmarkUntil,
    Now,
    Position,
    Rank,
    RowNum,
    RowWindow,
    Session,
    SlideByTuple,
    Sliding,
    Varying,
    Window,
)

if TYPE_CHECKING:
    from tests.kernels.random_cases import Maker


def _sliding(m: Maker) -> Window:
    span = m.axis.span
    slide = m.count()
    length = slide * m.count(1, 4) if m.chance(0.4) else m.count(1, 12)
    offset = span(m.count(1, 9)) if m.chance(0.3) else None
    lag = span(m.count(1, 5)) if m.chance(0.25) else None
    return Sliding(range=span(length), slide=span(slide), wattr=m.attribute, offset=offset, lag=lag)


def _from_origin(m: Maker) -> Window:
    span = m.axis.span
    lag = span(m.count(1, 5)) if m.chance(0.25) else None
    return Sliding(
        range=span(m.count(1, 12)),
        slide=span(m.count()),
        wattr=m.attribute,
        origin=m.axis.at(m.count(-12, 10)),
        lag=lag,
        partial=m.chance(0.6),
    )


def _tumbling(m: Maker) -> Window:
    length = m.axis.span(m.count(1, 9))
    return Sliding(range=length, slide=length, wattr=m.attribute)


def _every_instant(m: Maker) -> Window:
    return EveryInstant(
        range=m.axis.span(m.count(1, 9)), wattr=m.attribute, lag=m.axis.span(m.count(0, 5)) if m.chance(0.4) else None
    )


def _rows(m: Maker, wattr: RowNum | Rank | Position) -> Window:
    return RowWindow(range=rows(m.count()), slide=rows(m.count(1, 4)), wattr=wattr, partial=m.chance(0.7))


def _by_tuple(m: Maker, slide: int = 1) -> Window:
    return SlideByTuple(range=m.axis.span(m.count(1, 9)), rattr=m.attribute, slide=rows(slide))


def _by_rank(m: Maker) -> Window:
    counted = rows(m.count(2, 4))
    return SlideByTuple(range=m.axis.span(m.count(1, 9)), rattr=m.attribute, slide=counted, sattr=Rank(m.attribute))


def _landmark(m: Maker) -> Window:
    return Landmark(slide=m.axis.span(m.count()), wattr=m.attribute, offset=m.axis.span(m.count(1, 9)) if m.chance(0.3) else None)


def _landmark_from(m: Maker) -> Window:
    return Landmark(slide=m.axis.span(m.count()), wattr=m.attribute, since=m.axis.at(m.count(-12, 10)))


def _landmark_until(m: Maker) -> Window:
    offset = m.axis.span(m.count(1, 9)) if m.chance(0.3) else None
    return LandmarkUntil(until=m.axis.at(m.count(-5, 20)), slide=m.axis.span(m.count()), wattr=m.attribute, offset=offset)


def _landmark_every(m: Maker) -> Window:
    slide = m.count(1, 4)
    return LandmarkEvery(
        every=m.axis.span(slide * m.count(1, 4)),
        slide=m.axis.span(slide),
        wattr=m.attribute,
        offset=m.axis.span(m.count(1, 9)) if m.chance(0.3) else None,
    )


def _band(m: Maker) -> Window:
    lower = m.count(-15, 6)
    return Band(lower=m.axis.at(lower), upper=m.axis.at(lower + m.count(0, 25)), slide=m.axis.span(m.count()), wattr=m.attribute)


def _varying(m: Maker) -> Window:
    kind, numeric = m.axis.type, m.axis.type not in ("timestamp", "date")
    if numeric:
        text = m.r.choice(
            ["window_end % 5 + 1", "CASE WHEN window_end > 3 THEN 2 ELSE 6 END", "CASE WHEN window_end > 3 THEN 4 END"]
        )
    else:
        text = m.r.choice(
            [
                "CASE WHEN minute(window_end) = 0 THEN INTERVAL '2' SECOND ELSE INTERVAL '4' SECOND END",
                "CASE WHEN window_end > CAST('1970-01-01 00:00:03' AS TIMESTAMP) THEN INTERVAL '3' SECOND END",
                "CASE WHEN hour(window_end) = 0 THEN INTERVAL '36' HOUR ELSE INTERVAL '1' SECOND END",
            ]
        )
    omega = Function(text, lambda end: evaluate(text, Scope({"window_end": value_on_axis(end, kind)})))
    return Varying(range=omega, slide=m.axis.span(m.count()), wattr=m.attribute, max=m.axis.span(m.count(1, 9)))


WINDOWS: dict[str, Callable[[Maker], Window]] = {
    "sliding": _sliding,
    "sliding from an origin": _from_origin,
    "tumbling": _tumbling,
    "every instant": _every_instant,
    "rows by arrival": lambda m: _rows(m, RowNum()),
    "rows by position": lambda m: _rows(m, Position("n")),
    "rows by rank": lambda m: _rows(m, Rank(m.attribute)),
    "slide by tuple": _by_tuple,
    "slide by arrivals": lambda m: _by_tuple(m, m.count(2, 4)),
    "slide by rank": _by_rank,
    "landmark": _landmark,
    "landmark from": _landmark_from,
    "landmark until": _landmark_until,
    "landmark every": _landmark_every,
    "band": _band,
    "now": lambda m: Now(wattr=m.attribute),
    "varying": _varying,
    "session": lambda m: Session(gap=m.axis.span(m.count()), wattr=m.attribute),
}

PANED = ("sliding", "sliding from an origin", "tumbling", "landmark", "landmark from", "landmark every")
"""The windows that are made of panes, where partial aggregates may be added up."""

EXACT_AXES = ("pairs", "timestamp", "date", "half days", "decimal", "fine decimal")

KINDS = [*WINDOWS, "frames in order", "frames in arrival order"]
