"""Places on the axis are in the order of the values, and bounds between two places compare as the numbers do."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.errors import WindowIdOutOfRange
from transom.kernels.columns.axis import Axis
from transom.semantics.tuples import axis_value

DOUBLES = st.floats(-1e6, 1e6) | st.integers(-40, 40).map(lambda n: n * 0.1)

VALUES: dict[str, tuple[pa.DataType, Axis, st.SearchStrategy[Any]]] = {
    "bigint": (pa.int64(), Axis(), st.integers(-(2**61), 2**61)),
    "int, in halves": (pa.int32(), Axis(2), st.integers(-(2**31), 2**31 - 1)),
    "double": (pa.float64(), Axis(None), DOUBLES),
    "decimal": (pa.decimal128(12, 2), Axis(100), st.integers(-(10**9), 10**9).map(lambda n: Decimal(n) / 100)),
    "decimal, in thirds": (pa.decimal128(12, 2), Axis(300), st.integers(-(10**9), 10**9).map(lambda n: Decimal(n) / 100)),
    "date": (pa.date32(), Axis(), st.dates(date(1900, 1, 1), date(2200, 1, 1))),
    "timestamp": (
        pa.timestamp("us", "UTC"),
        Axis(),
        st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)),
    ),
}


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
def test_places_compare_with_bounds_as_values_do(kind: str, data: st.DataObject) -> None:
    type_, axis, values = VALUES[kind]
    value = data.draw(values)
    a = axis_value(value, "a")
    assert a is not None
    bound = a + data.draw(st.fractions(-2, 2, max_denominator=7)) if not isinstance(a, float) else data.draw(DOUBLES)
    (place,), (valid,) = axis.numbers(pa.array([value], type_))
    assert valid
    assert (place < axis.number(bound)) == (a < bound)
    if (Fraction(bound) * (axis.factor or 1)).denominator == 1 or axis.factor is None:
        assert (place < axis.after(axis.number(bound))) == (a <= bound)


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
def test_places_are_values_again(kind: str, data: st.DataObject) -> None:
    type_, axis, values = VALUES[kind]
    drawn = data.draw(st.lists(values | st.none(), max_size=5))
    places, valid = axis.numbers(pa.array(drawn, type_))
    assert places.dtype == axis.dtype
    if kind == "date":
        type_, drawn = pa.timestamp("us"), [None if day is None else datetime(day.year, day.month, day.day) for day in drawn]
    assert axis.values(places, type_, ~valid).to_pylist() == drawn


def test_places_are_values_of_a_wider_type() -> None:
    places = np.array([-3, 0, 2**61 + 1])
    assert Axis(2).values(places, pa.decimal128(38, 1)).to_pylist() == [Decimal("-1.5"), 0, Decimal(2**61 + 1) / 2]
    assert Axis(10).values(np.array([1000, 5]), pa.decimal128(38, 1), np.array([False, True])).to_pylist() == [100, None]
    assert Axis().values(np.array([140]), pa.int64()).to_pylist() == [140]
    assert Axis(2).values(np.array([2**61 + 2, -6]), pa.int64()).to_pylist() == [2**60 + 1, -3]


def test_what_is_no_point_has_no_place() -> None:
    _, valid = Axis(None).numbers(pa.array([math.nan, math.inf, -math.inf, None, 0.0]))
    assert valid.tolist() == [False, False, False, False, True]


def test_nothing_yet_is_below_everything() -> None:
    for axis in (Axis(), Axis(10), Axis(None)):
        assert axis.nothing_yet < axis.number(0) < axis.everything
        assert axis.number(math.inf) == axis.everything
        assert axis.number(-math.inf) == axis.nothing_yet


@pytest.mark.parametrize(
    ("axis", "column"),
    [
        (Axis(), pa.array([2**61 + 1])),
        (Axis(), pa.array([-(2**61) - 1])),
        (Axis(10**6), pa.array([10**14])),
        (Axis(10**12), pa.array([Decimal(10**8)], pa.decimal128(38, 12))),
    ],
)
def test_what_is_too_far_away_is_refused(axis: Axis, column: pa.Array) -> None:
    with pytest.raises(WindowIdOutOfRange):
        axis.numbers(column)


def test_the_number_after_a_double_is_the_next_double() -> None:
    assert Axis(None).after(1.0) == math.nextafter(1.0, 2.0)
    assert Axis().after(np.array([1, 2])).tolist() == [2, 3]
