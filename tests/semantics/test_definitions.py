"""The definitions of windows.md, written out a second time as plain conditions on (w, a), and compared."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import COUNTS, DOMAINS, KINDS, band, landmark_every, sliding, tuples
from transom.semantics import (
    Band,
    EveryInstant,
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
    Tuple,
    Varying,
    Window,
)
from transom.semantics.length import measure
from transom.semantics.tuples import axis_value

EXACT = ["integers", "decimals", "long decimals", "timestamps", "dates"]


def ids_by_definition(window: Window, arrived: list[Tuple]) -> dict[Tuple, list[Any]]:
    """wids(t), by the closed formulas of the papers."""
    ids = window.windows(arrived)
    points = {t: axis_value(t["a"], "a") for t in arrived}
    return {t: [w for w in ids if a is not None and belongs(window, w, Fraction(a))] for t, a in points.items()}


def belongs(window: Window, w: Any, a: Fraction) -> bool:
    if isinstance(window, Sliding):
        return in_sliding(window, w, a)
    if isinstance(window, EveryInstant):
        lag = 0 if window.lag is None else measure(window.lag)
        return w - lag - measure(window.range) < a <= w - lag
    if isinstance(window, SlideByTuple):
        return a <= w < a + measure(window.range)
    if isinstance(window, Landmark):
        start = 0 if window.offset is None else measure(window.offset)
        if window.since is not None:
            return w >= 0 and measure(window.since) <= a < measure(window.since) + (w + 1) * measure(window.slide)
        return a < start + (w + 1) * measure(window.slide)
    if isinstance(window, LandmarkUntil):
        start = 0 if window.offset is None else measure(window.offset)
        return a < start + (w + 1) * measure(window.slide) and a <= measure(window.until)
    if isinstance(window, LandmarkEvery):
        start = 0 if window.offset is None else measure(window.offset)
        s, d = measure(window.slide), measure(window.every)
        return start + Fraction(w * s // d) * d <= a < start + (w + 1) * s
    if isinstance(window, Band):
        x, y, s = measure(window.lower), measure(window.upper), measure(window.slide)
        return x <= a <= y and (a < x + (w + 1) * s)
    if isinstance(window, Now):
        return a == w
    assert isinstance(window, Varying)
    end = (w + 1) * measure(window.slide)
    length = window.range(end)
    reach = 0 if length is None else min(measure(length), measure(window.max))  # type: ignore[arg-type]
    return end - reach <= a < end


def in_sliding(window: Sliding, w: int, a: Fraction) -> bool:
    r, s = Fraction(measure(window.range)), Fraction(measure(window.slide))
    lag = 0 if window.lag is None else measure(window.lag)
    if window.origin is None:
        o = r % s + (0 if window.offset is None else measure(window.offset))
        return (a + lag - o) / s - 1 < w <= (a + lag - o + r) / s - 1
    o = Fraction(measure(window.origin))
    whole = o + (w + 1) * s - r - lag >= o
    return w >= 0 and a >= o and (whole or window.partial) and (a + lag - o) / s - 1 < w <= (a + lag - o + r) / s - 1


ON_AN_AXIS = [kind for kind in KINDS if not kind.startswith("rows") and kind != "session"]


@pytest.mark.parametrize("domain", EXACT)
@pytest.mark.parametrize("kind", ON_AN_AXIS)
@given(data=st.data())
def test_wids_are_those_of_the_closed_formula(kind: str, domain: str, data: st.DataObject) -> None:
    window = data.draw(KINDS[kind](DOMAINS[domain]))
    arrived = data.draw(tuples(DOMAINS[domain]))
    assert {t: window.wids(t, arrived) for t in arrived} == ids_by_definition(window, arrived)


@pytest.mark.parametrize("domain", EXACT)
@given(data=st.data())
def test_windows_of_context_free_types_are_all_ids_the_formula_allows(domain: str, data: st.DataObject) -> None:
    d = DOMAINS[domain]
    window = data.draw(sliding(d) | band(d) | landmark_every(d))
    a = measure(data.draw(d.values))
    ids = window.ids(a)
    last = window.last if isinstance(window, Band) else 10**9
    around = range(min(ids, default=0) - 50, min(max(ids, default=0) + 50, last) + 1)
    assert ids == [w for w in around if belongs(window, w, Fraction(a)) and (not isinstance(window, Band) or w >= 0)]


@given(window=st.builds(RowWindow, range=COUNTS, slide=COUNTS, partial=st.booleans()), arrived=tuples(DOMAINS["integers"]))
def test_a_row_window_is_the_last_n_rows_after_every_mth(window: RowWindow, arrived: list[Tuple]) -> None:
    n, m = window.range.count, window.slide.count
    for w in window.windows(arrived):
        end = (w + 1) * m
        assert window.partial or end >= n
        assert window.extent(w, arrived) == [t for t in arrived if max(0, end - n) < t.row_num <= end]
        assert window.complete(w, arrived, 0) == (len(arrived) >= end)


@given(arrived=tuples(DOMAINS["integers"]), n=COUNTS, m=COUNTS)
def test_rows_by_rank_are_rows_of_the_sorted_stream(arrived: list[Tuple], n: Any, m: Any) -> None:
    window = RowWindow(range=n, slide=m, wattr=Rank("a"))
    ordered = sorted((t for t in arrived if t["a"] is not None), key=lambda t: (t["a"], t.arrival))
    for w in window.windows(arrived):
        end = (w + 1) * m.count
        assert set(window.extent(w, arrived)) == set(ordered[max(0, end - n.count) : end])
        for frontier in range(-41, 42):
            done = len(ordered) >= end and frontier >= ordered[end - 1]["a"]
            assert window.complete(w, arrived, frontier) == done


@given(arrived=tuples(DOMAINS["integers"]), n=COUNTS, m=COUNTS)
def test_rows_in_the_data_are_those_whose_own_number_is_in_the_window(arrived: list[Tuple], n: Any, m: Any) -> None:
    window = RowWindow(range=n, slide=m, wattr=Position("n"))
    for w in window.windows(arrived):
        end = (w + 1) * m.count
        assert window.extent(w, arrived) == [t for t in arrived if max(0, end - n.count) < t["n"] <= end]
        assert not window.complete(w, arrived, end)
        assert window.complete(w, arrived, end + 1) == any(t["n"] >= end for t in arrived)


@pytest.mark.parametrize("sattr", [RowNum(), Rank("a")], ids=str)
@given(arrived=tuples(DOMAINS["integers"]), every=COUNTS)
def test_slide_by_n_opens_a_window_at_every_nth_tuple(sattr: RowNum | Rank, arrived: list[Tuple], every: Any) -> None:
    window = SlideByTuple(range=5, rattr="a", slide=every, sattr=sattr)
    present = [t for t in arrived if t["a"] is not None]
    if isinstance(sattr, RowNum):
        opened = {t["a"] for t in present if t.row_num % every.count == 0}
    else:
        ordered = sorted(present, key=lambda t: (t["a"], t.arrival))
        opened = {t["a"] for t in ordered[every.count - 1 :: every.count]}
    assert window.windows(arrived) == sorted(opened)


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
def test_sessions_are_maximal_chains(domain: str, data: st.DataObject) -> None:
    gap, arrived = data.draw(DOMAINS[domain].lengths), data.draw(tuples(DOMAINS[domain]))
    window = Session(gap=gap, wattr="a")
    points = sorted(measure(t["a"]) for t in arrived if t["a"] is not None)
    chains: list[list[Any]] = []
    for a in points:
        if chains and a <= chains[-1][-1] + measure(gap):
            chains[-1].append(a)
        else:
            chains.append([a])
    assert window.windows(arrived) == [chain[0] for chain in chains]
    for chain in chains:
        extent = window.extent(chain[0], arrived)
        assert sorted(measure(t["a"]) for t in extent) == chain
        assert window.span(chain[0], arrived) == (chain[0], chain[-1] + measure(gap))
        assert not window.complete(chain[0], arrived, chain[-1] + measure(gap))


@given(data=st.data())
def test_every_instant_is_reported_wherever_the_extent_changes(data: st.DataObject) -> None:
    d = DOMAINS["integers"]
    window = data.draw(st.builds(EveryInstant, range=d.lengths, wattr=st.just("a"), lag=st.none() | d.lengths))
    arrived = data.draw(tuples(d))
    instants = range(-100, 100)
    changes = [w for w in instants if window.extent(w, arrived) != window.extent(w - 1, arrived)]
    assert window.windows(arrived) == changes


@given(data=st.data())
def test_in_doubles_too_an_instant_is_the_first_at_which_the_extent_changes(data: st.DataObject) -> None:
    d = DOMAINS["doubles"]
    window = data.draw(st.builds(EveryInstant, range=d.lengths, wattr=st.just("a"), lag=st.none() | d.lengths))
    arrived = data.draw(tuples(d))
    for w in window.windows(arrived):
        assert window.extent(w, arrived) != window.extent(math.nextafter(w, -math.inf), arrived)
