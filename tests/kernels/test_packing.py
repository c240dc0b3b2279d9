"""Sequences come back as they were, in as few bytes as their steps allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.kernels.packing import packed, unpacked

ANY = st.one_of(*(st.lists(st.integers(-most, most)) for most in (200, 2**30, 2**33, 2**61)))


@given(numbers=ANY)
def test_integers(numbers: list[int]) -> None:
    assert unpacked(packed(np.array(numbers, np.int64))).tolist() == numbers


@given(numbers=st.lists(st.floats(allow_nan=False)))
def test_doubles(numbers: list[float]) -> None:
    back = unpacked(packed(np.array(numbers, np.float64)))
    assert back.dtype == np.float64
    assert back.tolist() == numbers


@pytest.mark.parametrize(("steps", "width"), [([0, 255], 1), ([-128, 127], 1), ([-1, 200], 2), ([0, 2**32 - 1], 4), ([2**40], 8)])
def test_steps_are_narrow(steps: list[int], width: int) -> None:
    numbers: Any = np.cumsum([10**15, *steps])
    assert len(packed(numbers)) == 12 + width * len(steps)
