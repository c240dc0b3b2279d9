"""A sequence by its maxima is the sequence: whatever came before it, and after it has crossed the exchange."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.kernels.columns.sequence import BELOW, Sequence

WHOLE = st.lists(st.integers(-(10**6), 10**6) | st.integers(-(2**60), 2**60), max_size=60).map(lambda x: np.array(x, np.int64))
DOUBLES = st.lists(st.floats(-1e9, 1e9), max_size=60).map(lambda x: np.array(x, np.float64))


def same(one: Sequence, other: Sequence) -> bool:
    given = [(one.high, other.high), (one.places, other.places), *zip(one.maxima, other.maxima, strict=True)]
    return all(np.array_equal(mine, yours) for mine, yours in given)


@given(places=WHOLE | DOUBLES)
def test_maxima_and_what_is_below_them(places: Any) -> None:
    made = Sequence.of(places)
    assert made.places.tolist() == places.tolist()
    assert made.high[1:].tolist() == np.maximum.accumulate(places).tolist()
    assert made.maxima.rises_at.tolist() == [n for n, a in enumerate(places) if a > max(places[:n], default=-np.inf)]
    assert made.at(np.arange(len(places))[::3]).tolist() == places[::3].tolist()
    assert made.since(len(places) // 2).tolist() == places[len(places) // 2 :].tolist()


@given(places=WHOLE, high=st.integers(-(2**60), 2**60))
def test_behind_a_larger_maximum(places: Any, high: int) -> None:
    made = Sequence.of(places)
    assert same(made.behind(high), Sequence.of(places, high))
    assert same(Sequence(made.before, maxima=made.maxima).behind(high), Sequence.of(places, high))


@given(places=DOUBLES, high=st.floats(-1e9, 1e9))
def test_doubles_behind_a_larger_maximum(places: Any, high: float) -> None:
    assert same(Sequence.of(places).behind(high), Sequence.of(places, high))


@given(places=WHOLE | DOUBLES, by_maxima=st.booleans())
def test_bytes(places: Any, by_maxima: bool) -> None:
    data = Sequence.of(places).to_bytes(by_maxima=by_maxima)
    assert Sequence.from_bytes(data).places.tolist() == places.tolist()
    assert Sequence.from_bytes(data).places.dtype == places.dtype
    assert same(Sequence.from_bytes(memoryview(data)), Sequence.from_bytes(data))


@pytest.mark.parametrize(("farthest", "width"), [(2**16 - 1, 2), (2**16, 4), (2**32 - 1, 4), (2**32, 8)])
def test_lateness_takes_as_few_bytes_as_it_needs(farthest: int, width: int) -> None:
    places = np.full(4000, 10, np.int64)
    places[-1] = 10 - farthest
    data = Sequence.of(places).to_bytes(by_maxima=True)
    assert data.startswith(BELOW)
    assert 4000 * width < len(data) < 4000 * width + 200
    assert Sequence.from_bytes(data).places.tolist() == places.tolist()


def test_what_is_in_order_is_sent_by_its_steps() -> None:
    assert len(Sequence.of(np.arange(4000) * 7).to_bytes(by_maxima=True)) < 100
