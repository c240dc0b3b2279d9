"""Which windows close and which rows they hold, beside plain loops."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from transom.kernels.columns.axis import Axis
from transom.kernels.extents.closing import Extents, Runs, closing, extents, first_missed, within
from transom.kernels.extents.ids import ids_of
from transom.semantics import Sliding

SEEDS = range(60)


def records(r: random.Random, kind: Any = np.int64) -> tuple[Runs, Any]:
    """Places that ascend in each run."""
    runs = [sorted(r.randint(-20, 20) for _ in range(r.randint(1, 6))) for _ in range(r.randint(1, 4))]
    codes = np.repeat(np.arange(len(runs)), [len(run) for run in runs])
    return Runs.of(codes), np.array([place for run in runs for place in run], kind)


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_windows_that_hold_a_record_close_once(seed: int, grows: bool) -> None:
    r = random.Random(seed)
    runs, places = records(r)
    window = Sliding(range=r.randint(1, 9), slide=r.randint(1, 5), wattr="a")
    ids = ids_of(window, Axis())
    last = np.full(len(places), 50) if grows else ids.last(places)
    enter = ids.first(places) + np.array([r.choice([0, 0, 0, 1, 3]) for _ in places])
    low = np.array([r.randint(-10, 3) for _ in runs.start])
    high = low + np.array([r.randint(0, 12) for _ in runs.start])
    run, wid = closing(runs, enter, last, low, high, grows=grows)
    got = list(zip(run.tolist(), wid.tolist(), strict=True))
    expected = set()
    for of, first, end in zip(runs.of_row.tolist(), enter.tolist(), last.tolist(), strict=True):
        entered = [first] if grows else range(first, end + 1)
        expected |= {(of, w) for w in entered if low[of] <= w < high[of] and w <= end}
    assert sorted(got) == sorted(expected)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_rows_of_a_window_are_a_slice(seed: int, kind: Any) -> None:
    r = random.Random(seed)
    runs, places = records(r, kind)
    window = Sliding(range=r.randint(1, 9), slide=r.randint(1, 5), wattr="a")
    ids = ids_of(window, Axis(None if kind is np.float64 else 1))
    run = np.array([r.randrange(len(runs.start)) for _ in range(8)])
    wid = np.array([r.choice([r.randint(-12, 12), 10**7]) for _ in range(8)])
    found = extents(ids, runs, places, run, wid)
    for n in range(8):
        inside = [m for m in range(runs.start[run[n]], runs.end[run[n]]) if places[m] in window.bounds(int(wid[n]))]
        assert list(range(found.start[n], found.end[n])) == inside


@pytest.mark.parametrize("places", [[0, 1, 2, 3], [0, 0, 3, 9], [-(2**61), 0, 5, 2**61], [0.5, 1.5, 1.5, 2.0]])
def test_the_first_row_at_or_above_a_bound(places: list[Any]) -> None:
    runs, values = Runs.of(np.array([0, 0, 1, 1])), np.array(places)
    for run in (0, 1):
        for bound in [*places, places[0] - 1, places[-1] + 1, 1]:
            own = range(runs.start[run], runs.end[run])
            expected = next((n for n in own if values[n] >= bound), runs.end[run])
            assert within(runs, values, np.array([run]), np.array([bound], values.dtype)).tolist() == [expected]


def test_nothing_closes_where_nothing_is() -> None:
    nothing = np.zeros(0, np.int64)
    runs = Runs.of(nothing)
    for grows in (False, True):
        run, wid = closing(runs, nothing, nothing, nothing, nothing, grows=grows)
        assert len(run) == len(wid) == 0
    found = extents(ids_of(Sliding(range=1, slide=1, wattr="a"), Axis()), runs, nothing, nothing, nothing)
    assert len(found.wid) == 0


def test_some_extents_are_picked() -> None:
    four = np.arange(4)
    assert Extents(four, four, four, four).pick(np.array([True, False, False, True])).wid.tolist() == [0, 3]
    assert Extents(four, four, four, four).pick(np.array([2])).end.tolist() == [2]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_record_that_missed_a_window_cuts_it(seed: int) -> None:
    r = random.Random(seed)
    runs, places = records(r)
    window = Sliding(range=r.randint(1, 9), slide=r.randint(1, 5), wattr="a")
    ids = ids_of(window, Axis())
    first = ids.first(places)
    enter = np.maximum(first, np.minimum(first + np.array([r.choice([0, 0, 1, 3]) for _ in places]), ids.last(places)))
    low, high = np.full(len(runs.start), -20), np.full(len(runs.start), 20)
    found = extents(ids, runs, places, *closing(runs, enter, ids.last(places), low, high, grows=False))
    cut = first_missed(found, runs, first, enter)
    for start, end, wid, at in zip(found.start, found.end, found.wid, cut, strict=True):
        late = [n for n in range(start, end) if enter[n] > wid]
        assert at == (late[0] if late else end)
