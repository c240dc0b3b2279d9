"""The slicing algorithms on monoids that give away every mistake in order, overlap or bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.kernels.aggregates.columns import assert_same, some_slices
from transom.kernels.aggregates import Call, aggregate
from transom.kernels.aggregates.holistic.rows_of_slices import blocks, extents, without
from transom.kernels.aggregates.monoids.additive import RowCount, WideInteger
from transom.kernels.aggregates.monoids.extremum import Extremum
from transom.kernels.aggregates.monoids.flag import Flag
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Partial
from transom.kernels.aggregates.slicing import ascending, disjoint_table, halving, prefix, sparse_table
from transom.kernels.aggregates.slicing.chunks import chunks


class Affine(Monoid):
    """x -> ax + b modulo a prime, one after the other: associative, not commutative, not idempotent."""

    width = 2
    PRIME = 1_000_003

    def identity(self, n: int) -> Partial:
        return np.ones(n, np.int64), np.zeros(n, np.int64)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return a[0] * b[0] % self.PRIME, (b[0] * a[1] + b[1]) % self.PRIME


def affine(rows: int) -> Partial:
    rng = np.random.default_rng(rows)
    return rng.integers(1, Affine.PRIME, rows), rng.integers(0, Affine.PRIME, rows)


def recomputed(monoid: Monoid, partial: Partial, starts: Any, ends: Any) -> list[tuple[Any, ...]]:
    results = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        one = monoid.identity(1)
        for n in range(start, end):
            one = monoid.combine(one, tuple(field[n : n + 1] for field in partial))
        results.append(tuple(field[0].item() for field in one))
    return results


def listed(partial: Partial) -> list[tuple[Any, ...]]:
    return list(zip(*(field.tolist() for field in partial), strict=True))


Slices = Callable[[Any, Partial, Any, Any], Partial]


@pytest.mark.parametrize("rows", [1, 2, 3, 8, 17, 100, 700])
@pytest.mark.parametrize("longest", [1, 2, 5, 64, 700])
def test_disjoint_table(rows: int, longest: int) -> None:
    starts, ends = some_slices(rows, seed=rows, many=80)
    ends = np.minimum(ends, starts + longest)
    monoid, partial = Affine(), affine(rows)
    assert listed(disjoint_table.slices(monoid, partial, starts, ends)) == recomputed(monoid, partial, starts, ends)


@pytest.mark.parametrize("rows", [1, 2, 3, 8, 17, 300])
@pytest.mark.parametrize("slices", [sparse_table.slices, disjoint_table.slices])
def test_tables_of_what_is_idempotent(rows: int, slices: Slices) -> None:
    starts, ends = some_slices(rows, seed=rows, many=80)
    monoid = Extremum(np.dtype(np.int16), largest=False)
    partial = (np.random.default_rng(rows).integers(-99, 99, rows).astype(np.int16),)
    assert listed(slices(monoid, partial, starts, ends)) == recomputed(monoid, partial, starts, ends)


@pytest.mark.parametrize("rows", [1, 2, 17, 300])
@pytest.mark.parametrize("slices", [prefix.slices, disjoint_table.slices])
def test_prefixes_of_what_is_invertible(rows: int, slices: Slices) -> None:
    starts, ends = some_slices(rows, seed=rows, many=80)
    monoid = WideInteger()
    partial = WideInteger.lift(np.random.default_rng(rows).integers(-(2**63), 2**63 - 1, rows))
    assert listed(slices(monoid, partial, starts, ends)) == recomputed(monoid, partial, starts, ends)


@pytest.mark.parametrize("cuts", [[0], [3], [0, 1, 2, 3], [0, 7, 8, 50], [5, 99], []])
def test_halving(cuts: list[int]) -> None:
    monoid, partial, starts = Affine(), affine(100), np.array(cuts, np.int64)
    ends = np.append(starts[1:], 100)[: len(starts)]
    assert listed(halving.reduce(monoid, partial, starts)) == recomputed(monoid, partial, starts, ends)


@pytest.mark.parametrize(
    "slices",
    [[], [(0, 9)], [(0, 5), (5, 9)], [(1, 3), (5, 5), (6, 7)], [(0, 0), (0, 2), (2, 2), (2, 4), (4, 8)], [(2, 9), (9, 9)]],
)
@pytest.mark.parametrize("monoid", [Affine(), WideInteger()])
def test_slices_that_ascend(slices: list[tuple[int, int]], monoid: Monoid) -> None:
    partial = affine(9)
    starts, ends = np.array(slices, np.int64).reshape(-1, 2).T
    assert ascending.are_ascending(starts, ends)
    assert listed(ascending.slices(monoid, partial, starts, ends)) == recomputed(monoid, partial, starts, ends)


def test_slices_that_overlap_or_go_back_do_not_ascend() -> None:
    assert not ascending.are_ascending(np.array([0, 1]), np.array([2, 3]))
    assert not ascending.are_ascending(np.array([4, 1]), np.array([5, 2]))


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_flags(share: float) -> None:
    starts, ends = some_slices(60, seed=1)
    partial = (np.random.default_rng(0).random(60) < share,)
    assert listed(Flag().slices(partial, starts, ends)) == recomputed(Flag(), partial, starts, ends)


@pytest.mark.parametrize("monoid", [Affine(), RowCount(), Extremum(np.dtype(np.int64), largest=True)])
@pytest.mark.parametrize("step", [1, 3, 20, 25])
def test_windows_that_slide(monoid: Monoid, step: int) -> None:
    partial = affine(500)[: monoid.width]
    ends = np.arange(0, 501, step)
    starts = np.maximum(ends - 20, 0)
    assert listed(monoid.slices(partial, starts, ends)) == recomputed(monoid, partial, starts, ends)


def test_rows_laid_end_to_end() -> None:
    laid = extents(np.array([5, 2, 0]), np.array([7, 2, 3]))
    assert laid.rows.tolist() == [5, 6, 0, 1, 2]
    assert laid.owner.tolist() == [0, 0, 2, 2, 2]
    kept = laid.where(laid.rows % 2 == 0)
    assert (kept.rows.tolist(), kept.counts.tolist()) == ([6, 0, 2], [1, 0, 2])
    rows, starts, ends = without(np.array([True, False, True, False]), np.array([0, 1, 1]), np.array([4, 2, 3]))
    assert (rows.tolist(), starts.tolist(), ends.tolist()) == ([0, 2], [0, 1, 1], [2, 1, 2])


def test_blocks_hold_few_rows_unless_a_slice_is_longer() -> None:
    lengths = np.array([3, 4, 0, 9, 20, 1, 1])
    found = list(blocks(np.zeros(7, np.int64), lengths, most=10))
    assert [(block.start, block.stop) for block in found] == [(0, 3), (3, 4), (4, 5), (5, 7)]


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("longest", [3, 8, 9])
def test_chunks_have_every_slice_once_and_all_its_rows(shuffled: bool, longest: int) -> None:
    rng = np.random.default_rng(longest)
    starts = rng.integers(0, 100, 200) if shuffled else np.sort(rng.integers(0, 100, 200))
    ends = starts + rng.integers(0, longest + 1, 200)
    ends[0] = starts[0] + longest
    seen = np.zeros(200, np.int64)
    found = list(chunks(starts, ends, size=8))
    for chosen, low, high in found:
        seen[chosen] += 1
        assert low == starts[chosen].min()
        assert high == ends[chosen].max()
    assert (seen == 1).all()
    assert (len(found) == 1) == (longest > 8)


@pytest.mark.parametrize("name", ["median", "approx_count_distinct", "var_pop", "sum"])
def test_many_rows_give_what_few_give(name: str) -> None:
    """More rows than one chunk has, with magnitudes that keep sums from being fixed-point numbers."""
    rng = np.random.default_rng(7)
    values = pa.array(rng.integers(-50, 50, 90_000) * 10.0 ** rng.choice([-200, 0], 90_000), mask=rng.random(90_000) < 0.1)
    starts = rng.permutation(90_000)[:5000]
    ends = np.minimum(starts + rng.integers(0, 60, 5000), 90_000)
    ours = aggregate(Call(name), [values], starts, ends).to_pylist()
    for n in range(0, 5000, 100):
        few = values.slice(int(starts[n]), int(ends[n] - starts[n]))
        alone = aggregate(Call(name), [few], np.array([0, 0]), np.array([len(few), len(few)]))
        assert_same(alone.slice(0, 1), [ours[n]])
