"""Sums that overflow: an error in ANSI mode; without it integers wrap around and decimals are NULL, as in Spark."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom.errors import ArithmeticOverflow
from transom.kernels.aggregates import Call, aggregate, algebra_of

LARGEST = 2**63 - 1
NINES = Decimal("9" * 38)
WIDE, NARROW = pa.decimal128(38, 0), pa.decimal128(18, 0)


def over(function: str, values: pa.Array, *slices: tuple[int, int], ansi: bool = False) -> list[Any]:
    starts, ends = (np.array(bounds) for bounds in zip(*slices, strict=True))
    return aggregate(Call(function, ansi=ansi), [values], starts, ends).to_pylist()


def test_integers_wrap_around() -> None:
    values = pa.array([LARGEST, 1, 2, None], pa.int64())
    assert over("sum", values, (0, 1), (0, 2), (0, 3), (3, 4)) == [LARGEST, -(2**63), -(2**63) + 2, None]
    many = pa.array([LARGEST] * 5, pa.int64())
    assert over("sum", many, (0, 5)) == [((5 * LARGEST + 2**63) % 2**64) - 2**63]
    assert over("avg", many, (0, 5)) == [float(LARGEST)]


@pytest.mark.parametrize("kind", [WIDE])
def test_decimals_are_null(kind: pa.DataType) -> None:
    values = pa.array([NINES, Decimal(1), Decimal(5)], kind)
    assert over("sum", values, (0, 1), (0, 2), (1, 3)) == [NINES, None, Decimal(6)]
    assert over("avg", values, (0, 1), (1, 3)) == [None, Decimal("3.0000")]


def test_decimals_of_eighteen_digits_do_not_overflow() -> None:
    values = pa.array([Decimal("9" * 18)] * 3, NARROW)
    assert over("sum", values, (0, 3)) == [3 * Decimal("9" * 18)]


def test_partials_wrap_around_too() -> None:
    algebra = algebra_of(Call("sum", ansi=False), [pa.int64()])
    assert algebra is not None
    lifted = algebra.lift([pa.array([LARGEST, 1, 7], pa.int64())])
    assert algebra.lower(algebra.reduce(lifted, np.array([0, 2]))).to_pylist() == [-(2**63), 7]


@pytest.mark.parametrize("values", [pa.array([LARGEST, 1], pa.int64()), pa.array([NINES, Decimal(1)], WIDE)])
def test_in_ansi_mode_it_is_an_error(values: pa.Array) -> None:
    with pytest.raises(ArithmeticOverflow):
        over("sum", values, (0, 2), ansi=True)
