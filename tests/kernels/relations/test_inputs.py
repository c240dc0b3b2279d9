"""The states of inputs, in any cut, stored and read again: windows on an attribute, windows of rows, and operators below."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from transom import rows, seconds
from transom.column_names import CHANGE, MOMENT
from transom.kernels.columns.arrays import one_chunk
from transom.kernels.columns.axis import Axis
from transom.kernels.relations.inputs.input_states import ChangedStates, InputStates, RowStates, TimedStates
from transom.kernels.relations.moments import at, place_of
from transom.kernels.state.store import Memory
from transom.semantics import EveryInstant, Landmark, LandmarkEvery, Now, RowWindow, Sliding, Window
from transom.semantics.tuples import number_arrivals

AXIS = Axis()
SECOND = 1_000_000


def through(
    states: list[InputStates], batches: list[tuple[pa.Table, np.ndarray]], highs: list[int]
) -> list[tuple[int, int, int]]:
    """The value, first and last moment of each row, after all batches; each step stores and reads everything."""
    memory, note, kept = Memory(), None, {}
    for (table, places), high, state in zip(batches, highs, states, strict=True):
        if note is not None:
            state.from_json(note, memory)
        state.take(table, places, high)
        present, since, until, counts = state.live.read()
        if present is not None:
            for v, serial, one, other in zip(
                present["t:v"].to_pylist(), present["serial"].to_pylist(), since, until, strict=True
            ):
                kept[serial] = (v, int(one), int(other))
        state.live.forget(high, counts)
        note = state.to_json(memory)
    return sorted(kept.values())


def tuples(random: np.random.Generator, count: int) -> tuple[pa.Table, np.ndarray]:
    places = np.sort(random.integers(0, 60, count)) * SECOND // 2
    table = pa.table({"k:p": pa.array(random.integers(0, 2, count)), "t:v": pa.array(np.arange(count))})
    return table, places


def in_batches(table: pa.Table, places: np.ndarray, cuts: list[int]) -> list[tuple[pa.Table, np.ndarray]]:
    edges = [0, *cuts, len(places)]
    return [(table.slice(a, b - a), places[a:b]) for a, b in pairwise(edges)]


@pytest.mark.parametrize(
    "window",
    [
        Sliding(range=seconds(5), slide=seconds(2), wattr="ts"),
        Sliding(range=seconds(3), slide=seconds(5), wattr="ts"),
        Sliding(range=seconds(5), slide=seconds(2), wattr="ts", lag=seconds(3)),
        Landmark(slide=seconds(2), wattr="ts"),
        LandmarkEvery(every=seconds(10), slide=seconds(2), wattr="ts"),
    ],
    ids=str,
)
def test_a_state_is_the_extent_evaluated_last(window: Window) -> None:
    random = np.random.default_rng(1)
    table, places = tuples(random, 30)
    made = through([TimedStates("a", "x", window, AXIS)], [(table, places)], [at(100 * SECOND)])
    stream = number_arrivals([{"ts": int(a), "v": v} for v, a in enumerate(places)])
    ids = sorted(
        {w for t in stream for w in window.wids(t, stream)} | {w + 1 for t in stream for w in list(window.wids(t, stream))[:50]}
    )
    for w in [w for w in ids if window.instant(w) is not None and window.instant(w) < 40 * SECOND]:
        extent = sorted(t["v"] for t in window.extent(w, stream))
        moment = at(int(window.instant(w)))
        assert sorted(v for v, since, until in made if since <= moment < until) == extent


def test_the_latest_tuples_are_there_at_every_instant() -> None:
    table, places = tuples(np.random.default_rng(2), 30)
    lasting = through([TimedStates("a", "x", EveryInstant(range=seconds(3), wattr="ts"), AXIS)], [(table, places)], [0])
    passing = through([TimedStates("a", "x", Now(wattr="ts"), AXIS)], [(table, places)], [0])
    for (v, since, until), (w, at_once, gone) in zip(lasting, passing, strict=True):
        assert (v, place_of(since), place_of(until)) == (w, places[v], places[v] + 3 * SECOND)
        assert (at_once, gone) == (at(places[v]), at(places[v]) + 1)


@pytest.mark.parametrize("by", [(), ("p",)])
@pytest.mark.parametrize(("count", "slide"), [(1, 1), (3, 1), (3, 2), (2, 3), (4, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_the_rows_of_the_last_window(seed: int, count: int, slide: int, by: tuple[str, ...]) -> None:
    random = np.random.default_rng(seed)
    table, places = tuples(random, 40)
    places = places - random.integers(0, 4, 40) * SECOND
    window = RowWindow(range=rows(count), slide=rows(slide))
    cuts = sorted(random.choice(np.arange(1, 40), 4, replace=False).tolist())
    batches = in_batches(table, places, cuts)
    highs = [at(int(places[: cut + 1].max()) - 4 * SECOND) for cut in cuts] + [at(1000 * SECOND)]
    made = through([RowStates("a", "x", window, tuple(f"k:{name}" for name in by)) for _ in batches], batches, highs)
    keys = table["k:p"].to_pylist() if by else [0] * 40
    places = _running(places, keys)
    for place in range(0, 30 * SECOND, SECOND // 2):
        wanted = []
        for key in set(keys):
            own = [n for n in range(40) if keys[n] == key]
            ends = [e for e in range(slide, len(own) + 1, slide) if places[own[e - 1]] <= place]
            wanted += own[max(ends[-1] - count, 0) : ends[-1]] if ends else []
        assert sorted(v for v, since, until in made if since <= at(place) < until) == sorted(wanted)


def _running(places: np.ndarray, keys: list[int]) -> np.ndarray:
    """The largest place of each key so far."""
    return np.array([max(places[m] for m in range(n + 1) if keys[m] == key) for n, key in enumerate(keys)])


@pytest.mark.parametrize("seed", range(5))
def test_rows_of_an_operator_below_leave_as_it_says(seed: int) -> None:
    random = np.random.default_rng(seed)
    events = []
    for _ in range(30):
        v, since, length = int(random.integers(0, 3)), int(random.integers(0, 40)), int(random.integers(1, 15))
        events += [(v, since, 1), (v, since + length, -1)]
    cuts = [0, 10, 20, 30, 60]
    batches, highs = [], []
    for low, high in pairwise(cuts):
        own = sorted((one for one in events if low <= one[1] < high), key=lambda one: (-one[2], one[1]))
        batches.append(
            (
                pa.table(
                    {
                        "t:v": pa.array([one[0] for one in own], pa.int64()),
                        MOMENT: pa.array([one[1] for one in own], pa.int64()),
                        CHANGE: pa.array([one[2] for one in own], pa.int64()),
                    }
                ),
                np.array([one[1] // 2 for one in own], np.int64),
            )
        )
        highs.append(high - 3)
    batches.append((batches[0][0].slice(0, 0), np.zeros(0, np.int64)))
    highs.append(100)
    made = through([ChangedStates("a", "x", ["t:v"]) for _ in batches], batches, highs)
    for moment in range(60):
        state: Counter[int] = Counter()
        for v, when, change in events:
            state[v] += change if when <= moment else 0
        assert Counter(v for v, since, until in made if since <= moment < until) == +state


def test_what_is_kept_of_rows_does_not_grow() -> None:
    state = RowStates("a", "x", RowWindow(range=rows(3), slide=rows(1)), ("k:p",))
    for n in range(20):
        places = np.arange(100) + 100 * n
        state.take(pa.table({"k:p": pa.array(places % 5), "t:v": pa.array(places)}), places, at(100 * (n + 1)))
        _, _, _, counts = state.live.read()
        state.live.forget(at(100 * (n + 1)), counts)
    assert state.live.rows == 15
    assert state.rows is not None
    assert len(one_chunk(state.rows["number"])) <= 15
