"""Specifications that make no sense are refused when they are built, by name, with a remedy."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from transom import TransomError, days, minutes, rows, seconds
from transom.errors import (
    ConflictingClauses,
    EmptyBand,
    MissingClause,
    MixedUnits,
    NotALength,
    NotAName,
    NotDivisible,
    NotPositive,
    PartialNeedsOrigin,
    SlideTooSmall,
    WindowIdOutOfRange,
    WrongUnit,
)
from transom.semantics import (
    Band,
    Bracket,
    EveryInstant,
    Filtered,
    Function,
    Landmark,
    LandmarkEvery,
    LandmarkUntil,
    Partitioned,
    Rank,
    RowNum,
    RowWindow,
    Session,
    SlideByTuple,
    Sliding,
    Varying,
    number_arrivals,
    tumbling,
)
from transom.semantics.search import MOST_WINDOWS

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
OMEGA = Function("omega", lambda _: 1)
TRUE = Function("true", lambda _: True)
BY_P = ("p",)

REFUSED: list[tuple[type[TransomError], Callable[[], Any]]] = [
    (NotPositive, lambda: Sliding(range=0, slide=1, wattr="a")),
    (NotPositive, lambda: Sliding(range=seconds(-5), slide=seconds(1), wattr="a")),
    (NotPositive, lambda: Sliding(range=5, slide=0, wattr="a")),
    (NotPositive, lambda: Sliding(range=5, slide=1, wattr="a", lag=-1)),
    (NotALength, lambda: Sliding(range=float("nan"), slide=1.0, wattr="a")),
    (NotALength, lambda: Sliding(range=NOON, slide=minutes(1), wattr="a")),  # type: ignore[arg-type]
    (NotALength, lambda: Band(lower=float("nan"), upper=1.0, slide=1.0, wattr="a")),
    (WindowIdOutOfRange, lambda: Sliding(range=10**7, slide=1, wattr="a").ids(0)),
    (WindowIdOutOfRange, lambda: Band(lower=0, upper=10**7, slide=1, wattr="a").ids(0)),
    (WindowIdOutOfRange, lambda: SlideByTuple(range=1e-5, rattr="a").bounds(1e16)),
    (ConflictingClauses, lambda: Bracket.of(range=5, slide=1, order="a", origin=0, partial="off").window()),
    (MissingClause, lambda: Bracket.of(now=False, order="a").window()),
    (ConflictingClauses, lambda: Bracket(range=5, rattr="a", wattr="b", slide=rows(1)).window()),
    (NotPositive, lambda: Sliding(range=float("inf"), slide=1.0, wattr="a")),
    (NotPositive, lambda: EveryInstant(range=0, wattr="a")),
    (NotPositive, lambda: EveryInstant(range=5, wattr="a", lag=-1)),
    (NotPositive, lambda: RowWindow(range=rows(0))),
    (NotPositive, lambda: RowWindow(range=rows(5), slide=rows(-1))),
    (NotPositive, lambda: SlideByTuple(range=5, rattr="a", slide=rows(0))),
    (NotPositive, lambda: SlideByTuple(range=-5, rattr="a")),
    (NotPositive, lambda: Landmark(slide=0, wattr="a")),
    (NotPositive, lambda: LandmarkUntil(until=5, slide=0, wattr="a")),
    (NotPositive, lambda: LandmarkEvery(every=0, slide=5, wattr="a")),
    (NotPositive, lambda: Band(lower=0, upper=5, slide=0, wattr="a")),
    (NotPositive, lambda: Session(gap=0, wattr="a")),
    (NotPositive, lambda: Varying(range=OMEGA, slide=1, wattr="a", max=0)),
    (NotALength, lambda: Sliding(range="5 minutes", slide=1, wattr="a")),  # type: ignore[arg-type]
    (NotALength, lambda: Sliding(range=True, slide=1, wattr="a")),
    (NotALength, lambda: rows(2.5)),  # type: ignore[arg-type]
    (NotALength, lambda: Session(gap=Decimal("NaN"), wattr="a")),
    (MixedUnits, lambda: Sliding(range=minutes(5), slide=60, wattr="a")),
    (MixedUnits, lambda: Sliding(range=minutes(5), slide=minutes(1), wattr="a", origin=0)),
    (MixedUnits, lambda: Sliding(range=5, slide=1, wattr="a", origin=NOON)),
    (MixedUnits, lambda: Landmark(slide=minutes(5), wattr="a", since=5)),
    (MixedUnits, lambda: LandmarkEvery(every=days(1), slide=5, wattr="a")),
    (MixedUnits, lambda: Band(lower=0, upper=NOON, slide=1, wattr="a")),
    (MixedUnits, lambda: Varying(range=OMEGA, slide=1, wattr="a", max=minutes(1))),
    (MixedUnits, lambda: RowWindow(range=5)),  # type: ignore[arg-type]
    (MixedUnits, lambda: RowWindow(range=rows(5), slide=minutes(1))),  # type: ignore[arg-type]
    (MixedUnits, lambda: SlideByTuple(range=rows(5), rattr="a")),
    (MixedUnits, lambda: SlideByTuple(range=5, rattr="a", slide=5)),  # type: ignore[arg-type]
    (MixedUnits, lambda: tumbling(rows(3), "ts")),
    (MixedUnits, lambda: Session(gap=rows(3), wattr="ts")),
    (MixedUnits, lambda: EveryInstant(range=rows(3), wattr="ts")),
    (MixedUnits, lambda: Landmark(slide=rows(3), wattr="ts")),
    (NotAName, lambda: Sliding(range=5, slide=1, wattr=3)),  # type: ignore[arg-type]
    (NotAName, lambda: Session(gap=5, wattr="")),
    (NotAName, lambda: RowWindow(range=rows(5), wattr="ts")),  # type: ignore[arg-type]
    (NotAName, lambda: Partitioned(tumbling(5, "a"), 5)),  # type: ignore[arg-type]
    (MissingClause, lambda: Filtered(tumbling(5, "a"), "x > 1")),  # type: ignore[arg-type]
    (MissingClause, lambda: Varying(range=OMEGA, slide=1, wattr="a")),
    (MissingClause, lambda: Partitioned(tumbling(5, "a"), ())),
    (ConflictingClauses, lambda: Sliding(range=5, slide=1, wattr="a", origin=0, offset=1)),
    (ConflictingClauses, lambda: Landmark(slide=1, wattr="a", since=0, offset=1)),
    (ConflictingClauses, lambda: SlideByTuple(range=5, rattr="a", slide=rows(2), sattr=Rank("b"))),
    (ConflictingClauses, lambda: Partitioned(Partitioned(tumbling(5, "a"), BY_P), BY_P)),
    (ConflictingClauses, lambda: Partitioned(Filtered(tumbling(5, "a"), TRUE), BY_P)),
    (ConflictingClauses, lambda: Filtered(Filtered(tumbling(5, "a"), TRUE), TRUE)),
    (PartialNeedsOrigin, lambda: Sliding(range=5, slide=1, wattr="a", partial=False)),
    (NotDivisible, lambda: LandmarkEvery(every=5, slide=2, wattr="a")),
    (NotDivisible, lambda: LandmarkEvery(every=2, slide=5, wattr="a")),
    (EmptyBand, lambda: Band(lower=5, upper=4, slide=1, wattr="a")),
    (SlideTooSmall, lambda: Sliding(range=1.0, slide=0.1, wattr="a", origin=1e17)),
    (SlideTooSmall, lambda: Sliding(range=4.0, slide=1.0, wattr="a", origin=2.0**53)),
    (SlideTooSmall, lambda: Sliding(range=4.0, slide=1.0, wattr="a", origin=-(2.0**53))),
    (WindowIdOutOfRange, lambda: tumbling(1e-9, "a").windows(number_arrivals([{"a": 1e300}]))),
    # What brackets add: which clauses make a window together.
    (MissingClause, lambda: Bracket().window()),
    (ConflictingClauses, lambda: Bracket(range=5, tumble=5, order="a").window()),
    (MissingClause, lambda: Bracket(range=5, slide=1).window()),
    (MissingClause, lambda: Bracket(landmark=True, order="a").window()),
    (MissingClause, lambda: Bracket(band=(0, 5), order="a").window()),
    (MissingClause, lambda: Bracket(range=OMEGA, max=5, order="a").window()),
    (ConflictingClauses, lambda: Bracket(range=5, order="a", origin=0).window()),
    (ConflictingClauses, lambda: Bracket(range=5, slide=1, order="a", max=5).window()),
    (ConflictingClauses, lambda: Bracket(range=rows(5), lag=rows(1)).window()),
    (ConflictingClauses, lambda: Bracket(now=True, order="a", slide=1).window()),
    (ConflictingClauses, lambda: Bracket(gap=5, order="a", slide=1).window()),
    (ConflictingClauses, lambda: Bracket(landmark=True, since=0, until=5, slide=1, order="a").window()),
    (ConflictingClauses, lambda: Bracket(range=5, rattr="a", slide=rows(2), sattr="b").window()),
    (ConflictingClauses, lambda: Bracket(tumble=5, slide=5, order="a").window()),
    (WrongUnit, lambda: Bracket(range=5, slide=1, wattr=Rank("a")).window()),
    (MixedUnits, lambda: Bracket(range=rows(5), slide=minutes(1)).window()),
]


@pytest.mark.parametrize(("error", "build"), REFUSED, ids=[f"{n}-{error.__name__}" for n, (error, _) in enumerate(REFUSED)])
def test_nonsense_is_refused_by_name_with_a_remedy(error: type[TransomError], build: Callable[[], Any]) -> None:
    with pytest.raises(error) as caught:
        build()
    assert type(caught.value) is error
    assert str(caught.value).startswith(f"{error.__name__}: ")
    assert caught.value.remedy


def test_as_many_windows_as_can_be_listed_are() -> None:
    assert len(Sliding(range=MOST_WINDOWS, slide=1, wattr="a").ids(0)) == MOST_WINDOWS
    assert len(Band(lower=0, upper=MOST_WINDOWS, slide=1, wattr="a").ids(0)) == MOST_WINDOWS + 1


def test_one_more_is_refused() -> None:
    with pytest.raises(WindowIdOutOfRange):
        Sliding(range=MOST_WINDOWS + 1, slide=1, wattr="a").ids(0)
    with pytest.raises(WindowIdOutOfRange):
        Band(lower=0, upper=MOST_WINDOWS + 1, slide=1, wattr="a").ids(0)


MEANT = [
    (Bracket(range=minutes(5), slide=minutes(1), order="ts"), Sliding(range=minutes(5), slide=minutes(1), wattr="ts")),
    (Bracket(range=5, slide=1, wattr="mile", order="ts"), Sliding(range=5, slide=1, wattr="mile")),
    (Bracket(range=minutes(5), order="ts"), EveryInstant(range=minutes(5), wattr="ts")),
    (Bracket(tumble=minutes(5), order="ts"), tumbling(minutes(5), "ts")),
    (Bracket(tumble=rows(5)), RowWindow(range=rows(5), slide=rows(5))),
    (Bracket(range=rows(5)), RowWindow(range=rows(5), slide=rows(1))),
    (Bracket(range=rows(5), slide=rows(2), wattr="row_num"), RowWindow(range=rows(5), slide=rows(2), wattr=RowNum())),
    (Bracket(range=rows(5), wattr=Rank("ts")), RowWindow(range=rows(5), wattr=Rank("ts"))),
    (Bracket(range=5, rattr="a", slide=rows(1)), SlideByTuple(range=5, rattr="a")),
    (Bracket(range=5, slide=rows(3), order="a"), SlideByTuple(range=5, rattr="a", slide=rows(3))),
    (
        Bracket(range=5, rattr="a", slide=rows(3), sattr=Rank("a")),
        SlideByTuple(range=5, rattr="a", slide=rows(3), sattr=Rank("a")),
    ),
    (Bracket(landmark=True, slide=5, order="a"), Landmark(slide=5, wattr="a")),
    (Bracket(landmark=True, since=0, slide=5, order="a"), Landmark(slide=5, wattr="a", since=0)),
    (Bracket(landmark=True, until=9, slide=5, order="a"), LandmarkUntil(until=9, slide=5, wattr="a")),
    (Bracket(landmark=True, every=9, slide=3, order="a"), LandmarkEvery(every=9, slide=3, wattr="a")),
    (Bracket(band=(0, 9), slide=3, order="a"), Band(lower=0, upper=9, slide=3, wattr="a")),
    (Bracket(gap=9, order="a", pattr=["p"]), Partitioned(Session(gap=9, wattr="a"), ("p",))),
    (Bracket(tumble=9, order="a", pattr=["p"], where=TRUE), Filtered(Partitioned(tumbling(9, "a"), ("p",)), TRUE)),
    (Bracket(range=OMEGA, slide=3, max=9, order="a"), Varying(range=OMEGA, slide=3, wattr="a", max=9)),
]


@pytest.mark.parametrize(("bracket", "window"), MEANT)
def test_clauses_mean_one_window(bracket: Bracket, window: Any) -> None:
    assert bracket.window() == window
