"""Window-ids of whole arrays are those of the definitions, place by place, on every axis."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DOMAINS, KINDS, Domain
from transom.errors import WindowIdOutOfRange
from transom.kernels.columns.axis import Axis
from transom.kernels.extents.ids import FOREVER, ids_of, in_steps
from transom.semantics import Band, LandmarkUntil, RowWindow, Sliding, Varying, Window
from transom.semantics.classes.measured import measured_lengths
from transom.semantics.length import Number, measure
from transom.semantics.windows.landmark import Growing

KNOWN = ["sliding", "tumbling", "landmark", "landmark_from", "landmark_until", "landmark_every", "band", "varying"]
NAMES = [name for name in DOMAINS if name != "long decimals"]


def axis_of(d: Domain, window: Window) -> Axis:
    if d.type == "double":
        return Axis(None)
    steps = [Fraction(measure(length)).denominator for length in measured_lengths(window).values()]
    return Axis(math.lcm(10 if d.type == "decimal" else 1, *steps))


def drawn(data: st.DataObject, kind: str) -> tuple[Any, Axis, list[Number]]:
    """A window, its axis, and some points of it."""
    d = DOMAINS[data.draw(st.sampled_from(NAMES))]
    window = data.draw(KINDS[kind](d))
    points = [measure(value) for value in data.draw(st.lists(d.values, min_size=1, max_size=6))]
    axis = axis_of(d, window)
    if axis.factor is not None and isinstance(window, Varying):
        axis = Axis(axis.factor * 10)
    return window, axis, points


def last_of(window: Window) -> int:
    """The last window there is."""
    if isinstance(window, LandmarkUntil):
        return window.slot(measure(window.until)) or 0
    return window.last if isinstance(window, Band) else FOREVER


def places(axis: Axis, points: list[Number]) -> Any:
    return np.array([axis.number(point) for point in points], axis.dtype)


@pytest.mark.parametrize("kind", KNOWN)
@given(data=st.data())
def test_a_place_is_in_the_windows_of_the_definition(kind: str, data: st.DataObject) -> None:
    window, axis, points = drawn(data, kind)
    ids, at = ids_of(window, axis), places(axis, points)
    for point, place, first, last in zip(points, at, ids.first(at), ids.last(at), strict=True):
        if isinstance(window, Growing):
            slot = window.slot(point)
            assert (first if first <= last else None) == slot
            assert last == (window.slot(measure(window.until)) if isinstance(window, LandmarkUntil) else FOREVER)
            continue
        candidates = np.arange(first, last + 1)
        lower, upper = ids.bounds(candidates)
        if isinstance(window, Varying):
            candidates = candidates[(lower <= place) & (place < upper)]
        assert candidates.tolist() == window.ids(point)


@pytest.mark.parametrize("kind", KNOWN)
@given(data=st.data())
def test_bounds_hold_what_the_extent_holds(kind: str, data: st.DataObject) -> None:
    window, axis, points = drawn(data, kind)
    ids = ids_of(window, axis)
    around = np.arange(-4, 12)
    around = around[around <= last_of(window)]
    lower, upper = ids.bounds(around)
    for point, place in zip(points, places(axis, points), strict=True):
        assert ((lower <= place) & (place < upper)).tolist() == [point in window.bounds(int(w)) for w in around]


@pytest.mark.parametrize("kind", KNOWN)
@given(data=st.data())
def test_below_the_first_open_window_all_are_complete(kind: str, data: st.DataObject) -> None:
    window, axis, points = drawn(data, kind)
    ids = ids_of(window, axis)
    around = np.arange(-8, 12)
    around = around[around <= last_of(window)]
    for point, opens in zip(points, ids.opens(places(axis, points)), strict=True):
        assert (around < opens).tolist() == [window.promised(int(w), (), point) for w in around]
    ends = ids.opens(np.array([axis.nothing_yet, axis.everything], axis.dtype))
    assert (ends[0] < around).all()
    assert (ends[1] > around).all()


@pytest.mark.parametrize("kind", KNOWN)
@given(data=st.data())
def test_windows_are_reported_with_their_span_and_instant(kind: str, data: st.DataObject) -> None:
    window, axis, _ = drawn(data, kind)
    ids = ids_of(window, axis)
    around = np.arange(0, 6)
    told = ids.report(around)
    for n, w in enumerate(around.tolist()):
        start, end = window.span(w)
        assert told.no_start[n] == (start is None)
        for place, number in ((told.start[n], start), (told.end[n], end), (told.instant[n], window.instant(w))):
            if number is not None:
                assert place == (float(number) if axis.factor is None else number * axis.factor)


@given(window=KINDS["rows"](DOMAINS["integers"]), numbers=st.lists(st.integers(0, 40), min_size=1))
def test_rows_are_windows_of_their_numbers(window: RowWindow, numbers: list[int]) -> None:
    ids = ids_of(window, Axis())
    at = np.array(numbers)
    found = [list(range(first, last + 1)) for first, last in zip(ids.first(at), ids.last(at), strict=True)]
    assert found == [window.ids(number + 1) for number in numbers]


def test_many_windows_are_divided_not_listed() -> None:
    ids = ids_of(Sliding(range=10**12, slide=1, wattr="a"), Axis())
    assert ids.last(np.array([5]))[0] - ids.first(np.array([5]))[0] + 1 == 10**12


@pytest.mark.parametrize("window", [Sliding(range=60.0, slide=7.5, wattr="a"), Sliding(range=10.0, slide=60.0, wattr="a")])
def test_of_doubles_far_from_zero_few_are_looked_for(window: Sliding, monkeypatch: pytest.MonkeyPatch) -> None:
    """Epoch seconds, say: as many as windows begin and end among them, and not as many as there are."""
    places = 1.7e9 + np.random.default_rng(0).uniform(0, 600, 5_000)
    known = [window.ids(float(a)) for a in places]
    asked: list[int] = []
    upper = Sliding._upper

    def counted(self: Sliding, w: int) -> Number:
        asked.append(w)
        return upper(self, w)

    monkeypatch.setattr(Sliding, "_upper", counted)
    ids = ids_of(window, Axis(None))
    first, last = ids.first(places), ids.last(places)
    assert [list(range(a, b + 1)) for a, b in zip(first.tolist(), last.tolist(), strict=True)] == known
    assert 0 < len(asked) < 15_000


def test_more_windows_than_can_be_listed_are_refused_of_doubles_too() -> None:
    with pytest.raises(WindowIdOutOfRange, match="more than 100,000 windows"):
        ids_of(Sliding(range=1e6, slide=0.001, wattr="a"), Axis(None)).last(np.array([3.0, 4.0]))


def test_ids_in_steps_are_those_of_each_place() -> None:
    places = np.random.default_rng(0).uniform(-9, 9, 300)
    assert in_steps(math.floor, places).tolist() == [math.floor(x) for x in places]
    gaps = in_steps(lambda x: math.floor(x) if x % 1 < 0.5 else 99, places, unlike=99)
    assert gaps.tolist() == [math.floor(x) if x % 1 < 0.5 else 99 for x in places]
    assert in_steps(math.floor, places[:0]).tolist() == []
