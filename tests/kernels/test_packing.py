"""Sequences come back as they were, in as few bytes as their steps allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.kernels.columns.number_packing import below, packed, unpacked

ANY = st.one_of(*(st.lists(st.integers(-most, most)) for most in (200, 2**30, 2**33, 2**61)))


@given(numbers=ANY)
def test_integers(numbers: list[int]) -> None:
    assert unpacked(packed(np.array(numbers, np.int64))).tolist() == numbers


@given(numbers=st.lists(st.floats(allow_nan=False)))
def test_doubles(numbers: list[float]) -> None:
    back = unpacked(packed(np.array(numbers, np.float64)))
    assert back.dtype == np.float64
    assert back.tolist() == numbers


@given(numbers=st.one_of(ANY, ANY.map(sorted)), place=st.integers(0, 50), more=st.integers(-1, 1))
def test_how_many_are_below(numbers: list[int], place: int, more: int) -> None:
    x = (numbers[place % len(numbers)] if numbers else 0) + more
    for kind in (np.int64, np.float64):
        given = np.array(numbers, kind)
        assert below(packed(given), kind(x)) == np.count_nonzero(given < kind(x))


@pytest.mark.parametrize(
    ("steps", "width"), [([0, 255], 1), ([-128, 127], 1), ([-1, 200], 2), ([0, 2**32 - 1], 4), ([0, 2**40], 8)]
)
def test_steps_are_narrow(steps: list[int], width: int) -> None:
    numbers: Any = np.cumsum([10**15, *steps])
    assert len(packed(numbers)) == 12 + width * len(steps)


@given(first=st.integers(-(2**40), 2**40), step=st.integers(-(2**20), 2**20), count=st.integers(2, 1000))
def test_steps_that_are_all_the_same_take_no_room(first: int, step: int, count: int) -> None:
    numbers: Any = first + step * np.arange(count)
    assert unpacked(packed(numbers)).tolist() == numbers.tolist()
    assert len(packed(numbers)) == 28
