"""Columns on their way through the exchange come out as they went in."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.columns.narrowing import WORTHWHILE, narrowed, widened

ROWS = 2 * WORTHWHILE


@pytest.mark.parametrize("span", [0, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**62])
@pytest.mark.parametrize("low", [0, -7, -(2**62)])
def test_numbers_of_any_range(low: int, span: int) -> None:
    values = np.full(ROWS, low, np.int64)
    values[-1] = low + span
    table = pa.table({"a": pa.array(values), "b": pa.array(values[::-1])})
    small = narrowed(table)
    assert widened(small).equals(table)
    assert (small.nbytes < table.nbytes) == (span < 2**32)


@pytest.mark.parametrize(("widest", "width"), [(0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (2**32, 8)])
@pytest.mark.parametrize("low", [0, -(2**62)])
def test_numbers_that_ascend(low: int, widest: int, width: int) -> None:
    steps = np.full(ROWS, min(widest, 100), np.int64)
    steps[::2] = widest
    table = pa.table({"a": pa.array(low + np.cumsum(steps))})
    small = narrowed(table)
    assert widened(small).equals(table)
    assert small.nbytes == ROWS * width


@pytest.mark.parametrize("kind", [pa.timestamp("us"), pa.timestamp("us", "UTC"), pa.int32(), pa.float64(), pa.timestamp("s")])
def test_types_stay(kind: pa.DataType) -> None:
    table = pa.table({"a": pa.array(range(ROWS), pa.int64()).cast(kind)})
    assert widened(narrowed(table)).equals(table)
    assert widened(narrowed(table)).schema == table.schema


def test_columns_with_nulls_and_few_rows_stay_as_they_are() -> None:
    holes = pa.table({"a": pa.array([None, *range(ROWS)]), "b": pa.array(["x"] * (ROWS + 1))})
    assert narrowed(holes).equals(holes)
    few = pa.table({"a": pa.array([datetime(2020, 1, 1, tzinfo=UTC)])})
    assert narrowed(few).equals(few)
    assert widened(few).equals(few)


def test_a_column_that_equals_another_takes_nothing() -> None:
    numbers = pa.array(np.random.default_rng(1).integers(-(2**62), 2**62, ROWS))
    texts, doubles = pa.array([f"key {n}" for n in range(ROWS)]), pa.array(np.random.default_rng(2).normal(size=ROWS))
    once = pa.table({"a": numbers, "s": texts, "v": doubles})
    twice = pa.table({"ts": numbers.view(pa.timestamp("us", "UTC")), "a": numbers, "s": texts, "v": doubles, "t": texts})
    small = narrowed(twice)
    assert small.nbytes == narrowed(once).nbytes
    assert widened(small).equals(twice)
    assert widened(small).schema == twice.schema


def test_columns_that_differ_somewhere_stay_apart() -> None:
    one = np.arange(ROWS)
    other = one.copy()
    other[ROWS // 2] = -1
    zeros = np.zeros(ROWS)
    table = pa.table(
        {
            "a": pa.array(one),
            "b": pa.array(other),
            "c": pa.array(one, mask=one == 7),
            "d": pa.array(one, pa.int32()),
            "e": pa.array(zeros),
            "f": pa.array(-zeros),
        }
    )
    made = widened(narrowed(table))
    assert made.equals(table)
    assert np.signbit(made["f"].to_numpy()).all()
