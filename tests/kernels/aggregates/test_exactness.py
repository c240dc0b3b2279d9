"""Where arithmetic could go wrong: overflow, rounding, cancellation, infinities."""

from __future__ import annotations

import math
import random
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.kernels.aggregates.columns import some_slices
from transom.errors import ArithmeticOverflow
from transom.kernels.aggregates import Call, aggregate, algebra_of
from transom.kernels.aggregates.partial import part
from transom.kernels.aggregates.slicing.fixed_point import pieces

MOST, LEAST = 2**63 - 1, -(2**63)


def over(name: str, array: pa.Array, *slices: tuple[int, int]) -> list[Any]:
    starts, ends = np.array(slices).T
    values: list[Any] = aggregate(Call(name), [array], starts, ends).to_pylist()
    return values


def test_a_sum_may_overflow_on_the_way_but_not_in_the_end() -> None:
    array = pa.array([MOST, MOST, LEAST, LEAST, 5])
    assert over("sum", array, (0, 5), (0, 3), (4, 5), (0, 1)) == [3, MOST - 1, 5, MOST]
    assert over("sum", pa.array([LEAST, 1, -1]), (0, 1), (0, 3), (1, 2)) == [LEAST, LEAST, 1]
    for start, end in [(0, 2), (2, 4)]:
        with pytest.raises(ArithmeticOverflow, match="bigint"):
            over("sum", array, (start, end), (0, 1))
    assert over("avg", array, (0, 2), (2, 4)) == [float(MOST), float(LEAST)]


@pytest.mark.parametrize("kind", [pa.int8(), pa.int16(), pa.int32()])
def test_sums_are_wider_than_what_is_summed(kind: pa.DataType) -> None:
    most = 2 ** (kind.bit_width - 1) - 1
    ours = aggregate(Call("sum"), [pa.array([most] * 3, kind)], np.array([0, 0]), np.array([3, 0]))
    assert ours.type == pa.int64()
    assert ours.to_pylist() == [3 * most, None]


@pytest.mark.parametrize(
    ("precision", "scale", "of_sum", "of_average"),
    [
        (5, 2, (15, 2), (9, 6)),
        (18, 0, (28, 0), (22, 4)),
        (18, 18, (28, 18), (22, 22)),
        (19, 3, (29, 3), (23, 7)),
        (30, 10, (38, 10), (34, 14)),
        (38, 6, (38, 6), (38, 10)),
    ],
)
def test_decimals_are_exact_and_averages_rounded_half_up(
    precision: int, scale: int, of_sum: tuple[int, int], of_average: tuple[int, int]
) -> None:
    rng = random.Random(precision)
    most = 10 ** min(precision, 32) - 1
    unscaled = [rng.choice([None, most, -most, 1, -1, 5, -5, rng.randint(-most, most)]) for _ in range(200)]
    exactly = Context(prec=60)
    array = pa.array(
        [None if n is None else Decimal(n).scaleb(-scale, exactly) for n in unscaled], pa.decimal128(precision, scale)
    )
    starts, ends = some_slices(200, seed=precision, many=200)
    sums, averages = (aggregate(Call(name), [array], starts, ends) for name in ("sum", "avg"))
    assert (sums.type, averages.type) == (pa.decimal128(*of_sum), pa.decimal128(*of_average))
    for total, average, start, end in zip(sums.to_pylist(), averages.to_pylist(), starts, ends, strict=True):
        present = [Fraction(n, 10**scale) for n in unscaled[start:end] if n is not None]
        assert total == (sum(present) if present else None)
        if present:
            mean = sum(present) / len(present)
            digits = Decimal(1).scaleb(-averages.type.scale)
            near = Decimal(mean.numerator * 10**60 // mean.denominator).scaleb(-60, Context(prec=120))
            assert abs(Fraction(average) - mean) <= Fraction(digits) / 2
            if abs(Fraction(average) - mean) < Fraction(digits) / 2:
                assert average == near.quantize(digits, ROUND_HALF_UP, Context(prec=60))
            else:
                assert abs(Fraction(average)) > abs(mean)


def test_halves_are_rounded_away_from_zero() -> None:
    array = pa.array([Decimal(n) for n in (1, 0, 0, 0, 0, 0, 0, 0)], pa.decimal128(5, 4))
    wide = array.cast(pa.decimal128(30, 4))
    ones = pa.array([Decimal("0.0001"), *[Decimal(0)] * 31], pa.decimal128(5, 4))
    for sign in (1, -1):
        for column in (ones, ones.cast(pa.decimal128(30, 4))):
            signed = pa.array([sign * value for value in column.to_pylist()], column.type)
            assert over("avg", signed, (0, 32)) == [sign * Decimal("0.00000313")]
    assert over("avg", array, (0, 8)) == over("avg", wide, (0, 8)) == [Decimal("0.125")]


def test_averages_of_more_rows_than_31_bits_count() -> None:
    algebra = algebra_of(Call("avg"), [pa.decimal128(10, 2)])
    assert algebra is not None
    partial = algebra.lift([pa.array([Decimal("-3.00"), Decimal("5.01")], pa.decimal128(10, 2))])
    for _ in range(33):
        partial = algebra.combine(partial, partial)
    assert algebra.lower(partial).to_pylist() == [Decimal("-3.00"), Decimal("5.01")]


def test_sums_of_wide_decimals_overflow() -> None:
    array = pa.array([Decimal(10**38 - 1), Decimal(1), Decimal(-1)], pa.decimal128(38, 0))
    assert over("sum", array, (0, 1), (1, 3), (0, 3)) == [10**38 - 1, 0, 10**38 - 1]
    with pytest.raises(ArithmeticOverflow, match="decimal128"):
        over("sum", array, (0, 2))
    with pytest.raises(ArithmeticOverflow, match="decimal128"):
        over("avg", array, (0, 1))


def test_infinities_and_nan_stay_in_their_slices() -> None:
    array = pa.array([1.0, math.inf, 2.0, -math.inf, 3.0, math.nan, 4.0])
    slices = [(n, n + 1) for n in range(7)] + [(0, 2), (2, 4), (1, 4), (4, 6), (6, 7), (0, 1)]
    for name in ("sum", "avg"):
        ours = over(name, array, *slices)
        assert str(ours[:7]) == "[1.0, inf, 2.0, -inf, 3.0, nan, 4.0]"
        assert str(ours[7:]) == "[inf, -inf, nan, nan, 4.0, 1.0]"


def test_doubles_that_overflow_are_infinite() -> None:
    assert over("sum", pa.array([1e308, 1e308, -1e308, 1.0]), (0, 2), (0, 3), (2, 4), (3, 4)) == [math.inf, math.inf, -1e308, 1.0]


@pytest.mark.parametrize("span", [3, 40, 900, 5000])
@pytest.mark.parametrize("low", [0, 20, 300])
def test_sums_of_doubles_are_what_exact_addition_rounds_to(span: int, low: int) -> None:
    """Of magnitudes near each other, and of magnitudes so far apart that most is lost in a plain sum."""
    rng = random.Random(span)
    values = [rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randint(-low, min(low, 15)) for _ in range(5000)]
    ends = np.arange(1, 5001)
    starts = np.maximum(ends - span, 0)
    ours = aggregate(Call("sum"), [pa.array(values)], starts, ends).to_numpy()
    theirs = [math.fsum(values[start:end]) for start, end in zip(starts[::50], ends[::50], strict=True)]
    np.testing.assert_allclose(ours[::50], theirs, rtol=1e-15)


def test_nothing_is_left_behind_by_what_has_gone() -> None:
    array = pa.array([0.1, 1e300, -1e300, 1e-300, 5e-324, 0.1])
    assert over("sum", array, (0, 6), (3, 4), (4, 5), (3, 5), (0, 1), (5, 6)) == [0.2, 1e-300, 5e-324, 1e-300 + 5e-324, 0.1, 0.1]


@pytest.mark.parametrize("far", [0.0, 1e6, 1e12, -1e15])
def test_variance_does_not_care_how_far_from_zero_values_are(far: float) -> None:
    values = [far + n % 7 for n in range(1000)]
    starts, ends = some_slices(1000, seed=5)
    near = aggregate(Call("var_pop"), [pa.array([float(n % 7) for n in range(1000)])], starts, ends)
    ours = aggregate(Call("var_pop"), [pa.array(values)], starts, ends)
    assert np.nanmax(near.to_numpy(zero_copy_only=False)) > 3
    np.testing.assert_allclose(ours.to_numpy(zero_copy_only=False), near.to_numpy(zero_copy_only=False), rtol=1e-12)


def test_variance_of_huge_values_that_are_equal_is_zero() -> None:
    assert over("var_pop", pa.array([1e300, 1e300, 1e300]), (0, 3), (1, 2)) == [0.0, 0.0]
    assert over("var_pop", pa.array([MOST, MOST - 1]), (0, 2)) == [0.25]


def test_panes_do_not_change_what_a_window_sums_to() -> None:
    rng = np.random.default_rng(0)
    values = pa.array(rng.normal(size=2000) * 10.0 ** rng.integers(-12, 12, 2000))
    algebra = algebra_of(Call("sum"), [values.type])
    assert algebra is not None
    rows = algebra.lift([values])
    results = set()
    for cuts in ([0], [0, 1], list(range(0, 2000, 7)), list(range(2000))):
        panes = algebra.reduce(rows, np.array(cuts))
        results |= set(algebra.lower(algebra.reduce(panes, np.array([0]))).to_pylist())
        results |= set(algebra.lower(algebra.slices(panes, np.array([0, 0]), np.array([len(cuts)] * 2))).to_pylist())
    assert results == {math.fsum(values.to_pylist())}
    assert len(part(rows, 0, 5)[0]) == 5


def test_pieces_are_exact_or_refused() -> None:
    values = np.random.default_rng(1).normal(size=1000) * 1e5
    found = pieces([values])
    assert found is not None
    assert len(found) > 1
    assert [sum(map(Fraction, column)) for column in zip(*found, strict=True)] == list(map(Fraction, values))
    for piece in found:
        assert Fraction(np.cumsum(np.abs(piece))[-1]) == sum(map(Fraction, np.abs(piece)))
    for apart in ([1.0, 1e-80], [1e300, 1.0], [5e-324]):
        assert pieces([np.array(apart)]) is None
    assert pieces([np.zeros(3)]) == []
