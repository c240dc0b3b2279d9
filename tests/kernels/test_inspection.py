"""What an operator reports to whoever watches: the same counts as by definition, and nothing for nobody."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.columns.axis import Axis
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.extents.ids import ids_of
from transom.kernels.inspection import SAMPLED, inspected, shown
from transom.kernels.windows.context_free import ContextFreeWindow
from transom.semantics.windows.sliding import Sliding


def kind(window: Sliding) -> Any:
    found = ContextFreeWindow.__new__(ContextFreeWindow)
    found.ids = ids_of(window, Axis())
    return found


def batch(places: list[int], frontier: int, keys: list[str]) -> Batch:
    a = np.array(places, np.int64)
    before = np.full(len(a), frontier, np.int64)
    every = np.ones(len(a), bool)
    return Batch(pa.table({"k:device": keys}), a, every, before, before, every, np.arange(len(a)))


def counted(found: dict[str, Any]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for first, last, n in found:
        counts.update(dict.fromkeys(range(first, last + 1), n))
    return counts


@pytest.mark.parametrize(("size", "slide"), [(4, 4), (10, 3), (2, 5)])
def test_tuples_are_counted_in_the_windows_that_take_them(size: int, slide: int) -> None:
    window = Sliding(range=size, slide=slide, wattr="x")
    places, frontier = [7, 0, 13, 13, 2, 40], 9
    keys = ["a", "b", "a", "a", "b", "c"]
    found = inspected(kind(window), batch(places, frontier, keys), _nobody(), OperatorOutput(), Axis())
    expected: dict[str, Counter[int]] = {}
    for place, key in zip(places, keys, strict=True):
        takes = [w for w in window.ids(place) if not window.complete(w, (), frontier)]
        expected.setdefault(key, Counter()).update(takes)
    assert counted(found["windows"]) == sum(expected.values(), Counter())
    assert {key: counted(spans) for key, spans in found["keys"]} == {key: each for key, each in expected.items() if each}


def test_of_very_many_tuples_some_stand_for_all() -> None:
    window = Sliding(range=10, slide=10, wattr="x")
    places = [n % 20 for n in range(4 * SAMPLED)]
    found = inspected(kind(window), batch(places, 0, ["a"] * len(places)), _nobody(), OperatorOutput(), Axis())
    assert sum(counted(found["windows"]).values()) == len(places)


def test_tuples_that_missed_a_window_are_shown_with_what_excluded_them() -> None:
    window = Sliding(range=10, slide=10, wattr="x")
    late = LateRows(np.array([1]), np.array([20]))
    found = inspected(kind(window), batch([25, 3], 20, ["a", "b"]), late, OperatorOutput(), Axis())
    assert found["missed"] == {"count": 1, "tuples": [[3.0, 20.0, "b"]], "by_pane": False}
    assert counted(found["windows"]) == {2: 1}


def test_tuples_that_came_late_and_still_count_are_shown_too() -> None:
    window = Sliding(range=10, slide=10, wattr="x")
    late = LateRows(np.array([1]), np.array([25]))
    found = inspected(kind(window), batch([31, 3, 22, 25], 25, ["a", "b", "c", "d"]), late, OperatorOutput(), Axis())
    assert found["missed"]["tuples"] == [[3.0, 25.0, "b"]]
    assert found["late"] == {"count": 1, "tuples": [[22.0, 25.0, "c"]], "by_pane": False}


def test_results_are_sampled_as_json() -> None:
    table = pa.table({"k:device": [f"d{n}" for n in range(100)], "y0": [float("nan")] * 100})
    found = inspected(None, batch([], 0, []), _nobody(), OperatorOutput(rows=table), Axis())
    assert found["results"]["count"] == 100
    assert found["results"]["rows"][0] == {"k:device": "d0", "y0": "nan"}
    assert found["results"]["rows"][-1]["k:device"] == "d99"
    assert shown("x" * 1000) == "x" * 79 + "…"
    assert (shown(None), shown(True), shown(3), shown([1])) == (None, True, 3, "[1]")


def _nobody() -> LateRows:
    return LateRows(np.zeros(0, np.int64), np.zeros(0, np.int64))
