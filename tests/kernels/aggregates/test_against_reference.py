"""Every aggregate that the reference has, on every type, over slices of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sqlglot import exp

from tests.kernels.aggregates.columns import NUMBERS, TYPES, assert_same, column, lists, some_slices
from transom.kernels.aggregates import Call, aggregate
from transom.scalar.exact_aggregates import AGGREGATES

OF_NUMBERS = {
    "sum": exp.Sum,
    "avg": exp.Avg,
    "var_pop": exp.VariancePop,
    "var_samp": exp.Variance,
    "stddev_pop": exp.StddevPop,
    "stddev_samp": exp.StddevSamp,
    "median": exp.Median,
}
OF_ANYTHING = {
    "count": exp.Count,
    "min": exp.Min,
    "max": exp.Max,
    "first": exp.First,
    "last": exp.Last,
    "collect_list": exp.ArrayAgg,
    "collect_set": exp.ArrayUniqueAgg,
}
OF_DECIMALS_ROUNDED = [("avg", "decimal"), ("avg", "wide decimal")]

CASES = [(name, kind) for name in OF_NUMBERS for kind in NUMBERS if (name, kind) not in OF_DECIMALS_ROUNDED]
CASES += [(name, kind) for name in OF_ANYTHING for kind in TYPES]


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.parametrize(("rows", "nulls"), [(40, 0.3), (300, 0.02), (9, 1.0), (40, 0.0)])
def test_of_one_column(name: str, kind: str, rows: int, nulls: float) -> None:
    plain = AGGREGATES[{**OF_NUMBERS, **OF_ANYTHING}[name]]
    array = column(kind, rows, seed=rows, nulls=nulls)
    starts, ends = some_slices(rows, seed=1)
    theirs = [plain(slice_) for slice_ in lists([array], starts, ends)]
    assert_same(aggregate(Call(name), [array], starts, ends), theirs)


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("p", [0, 0.1, 0.25, 0.9, 1.0])
def test_percentile(kind: str, p: float) -> None:
    array, (starts, ends) = column(kind, 60, seed=3), some_slices(60, seed=2)
    rows = [[(value, p) for (value,) in slice_] for slice_ in lists([array], starts, ends)]
    theirs = [AGGREGATES[exp.Quantile](slice_) for slice_ in rows]
    assert_same(aggregate(Call("percentile", options=(p,)), [array], starts, ends), theirs)
    several = aggregate(Call("percentile", options=([p, 0.5],)), [array], starts, ends).to_pylist()
    assert_same(aggregate(Call("percentile", options=(p,)), [array], starts, ends), [pair and pair[0] for pair in several])


@pytest.mark.parametrize("separator", ["", ", "])
def test_string_agg(separator: str) -> None:
    array, (starts, ends) = column("string", 50, seed=4), some_slices(50, seed=3)
    rows = [[(value, separator) for (value,) in slice_] for slice_ in lists([array], starts, ends)]
    theirs = [AGGREGATES[exp.GroupConcat](slice_) for slice_ in rows]
    assert None in theirs
    for name in ("string_agg", "listagg"):
        assert_same(aggregate(Call(name, options=(separator,)), [array], starts, ends), theirs)


@pytest.mark.parametrize(("name", "node"), [("min_by", exp.ArgMin), ("max_by", exp.ArgMax)])
@pytest.mark.parametrize("x", ["bigint", "string", "wide decimal"])
@pytest.mark.parametrize("y", ["int", "odd double", "string", "wide decimal", "boolean"])
def test_the_first_of_equal_ranks_wins(name: str, node: type[exp.Expr], x: str, y: str) -> None:
    args, (starts, ends) = [column(x, 60, seed=5), column(y, 60, seed=6)], some_slices(60, seed=4)
    theirs = [AGGREGATES[node](slice_) for slice_ in lists(args, starts, ends)]
    assert_same(aggregate(Call(name), args, starts, ends), theirs)


@pytest.mark.parametrize("x", NUMBERS)
@pytest.mark.parametrize("y", ["int", "far double", "odd double", "decimal"])
def test_correlation(x: str, y: str) -> None:
    args, (starts, ends) = [column(x, 50, seed=7), column(y, 50, seed=8)], some_slices(50, seed=5)
    theirs = [AGGREGATES[exp.Corr](slice_) for slice_ in lists(args, starts, ends)]
    ours = aggregate(Call("corr"), args, starts, ends).to_pylist()
    assert [value is None for value in ours] == [value is None for value in theirs]
    for a, b in zip(ours, theirs, strict=True):
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kinds", [[], ["int"], ["int", "string"], ["string", "odd double", "wide decimal"]])
def test_count_and_count_distinct_of_several(kinds: list[str]) -> None:
    args, (starts, ends) = [column(kind, 70, seed=9) for kind in kinds], some_slices(70, seed=6)
    rows: list[Any] = lists(args or [column("int", 70, seed=9)], starts, ends)
    rows = rows if args else [[()] * len(slice_) for slice_ in rows]
    assert_same(aggregate(Call("count"), args, starts, ends), [AGGREGATES[exp.Count](slice_) for slice_ in rows])
    if args:
        keys = [
            {tuple("nan" if value != value else value for value in row) for row in slice_ if None not in row} for slice_ in rows
        ]
        assert_same(aggregate(Call("count", distinct=True), args, starts, ends), [len(key) for key in keys])
