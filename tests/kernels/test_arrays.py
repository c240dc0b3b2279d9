"""The small tools on arrays, each beside the plain loop it stands for."""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.columns.arrays import codes_of, flags, one_chunk, order_of, ranges, run_starts, running_max, search, take

SEEDS = range(30)

COLUMNS: dict[str, tuple[pa.DataType, list[Any]]] = {
    "bigint": (pa.int64(), [0, 1, -1, 2**62, -(2**62), None]),
    "narrow": (pa.int32(), [3, 4, 5]),
    "tinyint": (pa.int8(), [-128, 127, None]),
    "double": (pa.float64(), [0.0, -0.0, 0.1, math.nan, math.inf, None]),
    "float": (pa.float32(), [0.0, -0.0, 0.5, math.nan]),
    "string": (pa.string(), ["", "a", "b", None]),
    "boolean": (pa.bool_(), [True, False, None]),
}


def same(a: Any, b: Any) -> bool:
    """Whether SQL groups two values together."""
    both_nan = isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)
    return both_nan or (a is b if a is None or b is None else bool(a == b))


@pytest.mark.parametrize("seed", SEEDS)
def test_codes_are_equal_exactly_where_keys_are(seed: int) -> None:
    r = random.Random(seed)
    names = r.choices(list(COLUMNS), k=r.randint(0, 3))
    rows = [[r.choice(COLUMNS[name][1]) for name in names] for _ in range(r.randint(1, 40))]
    columns = [pa.array([row[n] for row in rows], COLUMNS[name][0]) for n, name in enumerate(names)]
    codes, size = codes_of(columns, len(rows))
    assert codes.min() >= 0
    assert codes.max() < size
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            assert (codes[i] == codes[j]) == all(map(same, one, other))


def test_codes_of_many_columns_do_not_overflow() -> None:
    columns = [pa.array([n * 10**15 for n in range(1000)]) for _ in range(9)]
    codes, size = codes_of(columns, 1000)
    assert len(set(codes.tolist())) == 1000
    assert codes.max() < size


def test_no_rows_have_no_codes() -> None:
    codes, size = codes_of([pa.array([], pa.string()), pa.array([], pa.int64())], 0)
    assert len(codes) == 0
    assert size >= 1


@pytest.mark.parametrize("size", [3, 300, 70_000])
def test_the_order_of_codes_is_stable(size: int) -> None:
    codes = np.random.default_rng(size).integers(0, size, 500)
    assert order_of(codes, size).tolist() == sorted(range(500), key=lambda n: codes[n])


@pytest.mark.parametrize("seed", SEEDS)
def test_runs_begin_where_a_column_changes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, 20), rng.integers(0, 2, 20)
    assert run_starts(a, b).tolist() == [n for n in range(20) if n == 0 or (a[n], b[n]) != (a[n - 1], b[n - 1])]
    assert run_starts(a[:0]).tolist() == []


@pytest.mark.parametrize("seed", SEEDS)
def test_ranges_lie_end_to_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts, ends = rng.integers(0, 9, 6), rng.integers(0, 9, 6)
    numbers, owner = ranges(starts, ends)
    laid = [(n, i) for i in range(6) for n in range(starts[i], ends[i])]
    assert list(zip(numbers.tolist(), owner.tolist(), strict=True)) == laid


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_search_is_bisection_in_each_run(seed: int, right: bool) -> None:
    rng = np.random.default_rng(seed)
    runs = [sorted(rng.integers(0, 9, rng.integers(0, 7)).tolist()) for _ in range(4)]
    values = np.array([value for run in runs for value in run], np.int64)
    bounds = np.cumsum([0, *map(len, runs)])
    low, high, wanted = np.repeat(bounds[:-1], 11), np.repeat(bounds[1:], 11), np.tile(np.arange(-1, 10), 4)
    bisect = bisect_right if right else bisect_left
    expected = [bisect(values.tolist(), x, lo, hi) for lo, hi, x in zip(low, high, wanted, strict=True)]
    assert search(values, low, high, wanted, right=right).tolist() == expected


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_running_maximum_starts_anew_in_each_run(seed: int, kind: Any) -> None:
    rng = np.random.default_rng(seed)
    values, runs = rng.integers(-9, 9, 20).astype(kind), np.sort(rng.integers(0, 4, 20))
    expected = [max(values[m] for m in range(n + 1) if runs[m] == runs[n]) for n in range(20)]
    assert running_max(values, run_starts(runs)).tolist() == expected
    assert len(running_max(values[:0], run_starts(runs[:0]))) == 0


def test_rows_are_taken_by_number_and_by_mask() -> None:
    table = pa.table({"x": [1, 2, 3]})
    assert take(table, np.array([2, 0]))["x"].to_pylist() == [3, 1]
    assert take(table, np.array([True, False, True]))["x"].to_pylist() == [1, 3]


def test_null_is_no_flag() -> None:
    assert flags(pa.array([True, None, False])).tolist() == [True, False, False]


def test_chunks_become_one() -> None:
    assert one_chunk(pa.chunked_array([[1], [2, 3]])).to_pylist() == [1, 2, 3]
    assert one_chunk(pa.chunked_array([[1, 2]])).to_pylist() == [1, 2]
    assert one_chunk(pa.chunked_array([], pa.int64())).to_pylist() == []
