"""Start and end bins against the definition: slide by tuple, with tuples in any order above the frontier."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.start_and_end_bins import Bins
from transom.kernels.aggregates import Call, algebra_of

TUPLES = st.lists(st.tuples(st.integers(0, 30), st.integers(-5, 5)), min_size=1, max_size=40)


def expected(function: str, tuples: list[tuple[int, int]], length: int) -> dict[int, int]:
    found = {}
    for w in {a for a, _ in tuples}:
        values = [x for a, x in tuples if w - length < a <= w]
        found[w] = {"sum": sum(values), "max": max(values), "count": len(values)}[function]
    return found


@pytest.mark.parametrize("function", ["sum", "max", "count"])
@given(tuples=TUPLES, length=st.integers(1, 12), cut=st.integers(0, 40))
def test_bins_hold_every_window(function: str, tuples: list[tuple[int, int]], length: int, cut: int) -> None:
    algebra = algebra_of(Call(function), [pa.int64()])
    assert algebra is not None
    bins = Bins(algebra, length)
    early, later = tuples[:cut], tuples[cut:]
    frontier = min([a for a, _ in later], default=100)
    got = {}
    for part, x in ((early, frontier), (later, 100)):
        for place, value in part:
            bins.take(place, algebra.lift([pa.array([value])]))
        windows, partials = bins.close(x)
        got |= dict(zip(windows.tolist(), algebra.lower(partials).to_pylist(), strict=True))
    assert got == expected(function, tuples, length)


def test_bins_keep_no_more_than_the_open_windows_need() -> None:
    algebra = algebra_of(Call("count"), [pa.int64()])
    assert algebra is not None
    bins = Bins(algebra, 10)
    for place in range(1000):
        bins.take(place, algebra.lift([pa.array([1])]))
        bins.close(place)
    assert len(bins) <= 12
