"""Aggregates that the reference does not have, against their definitions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.kernels.aggregates.columns import NUMBERS, TYPES, assert_same, column, lists, some_slices
from transom.errors import BadExpression, NotSupported
from transom.kernels.aggregates import Call, aggregate
from transom.kernels.aggregates.catalogue import COMOMENTS, NAMES, SYNONYMS
from transom.scalar.exact_aggregates import total
from transom.scalar.sql_values import order_key
from transom.semantics.keys import key

ROWS = 60
STARTS, ENDS = some_slices(ROWS, seed=11)


def present(kind: str) -> tuple[pa.Array, list[list[Any]]]:
    array = column(kind, ROWS, seed=10)
    return array, [[value for (value,) in slice_ if value is not None] for slice_ in lists([array], STARTS, ENDS)]


def ranked(values: list[Any]) -> list[tuple[Any, int]]:
    counts = Counter(map(key, values))
    return sorted(counts.items(), key=lambda item: (-item[1], order_key(item[0])))


@pytest.mark.parametrize("kind", TYPES)
def test_mode(kind: str) -> None:
    array, slices = present(kind)
    assert_same(aggregate(Call("mode"), [array], STARTS, ENDS), [ranked(values)[0][0] if values else None for values in slices])


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("k", [1, 3])
def test_top_k(kind: str, k: int) -> None:
    array, slices = present(kind)
    ours = aggregate(Call("top_k", options=(k,)), [array], STARTS, ENDS)
    assert ours.type.value_type.field("item").type == array.type
    pairs = pa.array([[[pair["count"]] for pair in pairs] for pairs in ours.to_pylist()])
    assert_same(pairs, [[[count] for _, count in ranked(values)[:k]] for values in slices])
    items = pa.ListArray.from_arrays(ours.offsets, ours.values.field("item"))
    assert_same(items, [[item for item, _ in ranked(values)[:k]] for values in slices])


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 1.0])
def test_approx_percentile_is_an_element(kind: str, p: float) -> None:
    array, slices = present(kind)
    theirs = [sorted(values, key=order_key)[max(math.ceil(p * len(values)), 1) - 1] if values else None for values in slices]
    ours = aggregate(Call("approx_percentile", options=(p,)), [array], STARTS, ENDS)
    assert ours.type == array.type
    assert_same(ours, theirs)


@pytest.mark.parametrize("kind", TYPES)
def test_first_and_last_that_are_not_null(kind: str) -> None:
    array, slices = present(kind)
    for name, place in (("first", 0), ("last", -1)):
        theirs = [values[place] if values else None for values in slices]
        assert_same(aggregate(Call(name, ignore_nulls=True), [array], STARTS, ENDS), theirs)


@pytest.mark.parametrize("kind", NUMBERS)
def test_distinct(kind: str) -> None:
    array, slices = present(kind)
    distinct = [list({key(value): value for value in reversed(values)}.values()) for values in slices]
    counts = [len(values) for values in distinct]
    assert_same(aggregate(Call("approx_count_distinct"), [array], STARTS, ENDS), counts)
    sums = [total([(value,) for value in values]) for values in distinct]
    assert_same(aggregate(Call("sum", distinct=True), [array], STARTS, ENDS), sums)
    if "decimal" not in kind:
        means = [value and value / n for value, n in zip(sums, counts, strict=True)]
        assert_same(aggregate(Call("avg", distinct=True), [array], STARTS, ENDS), means)


def test_distinct_keeps_the_order_of_first_occurrence() -> None:
    array, slices = present("string")
    theirs = [list(dict.fromkeys(values)) for values in slices]
    assert_same(aggregate(Call("collect_list", distinct=True), [array], STARTS, ENDS), theirs)
    joined = [",".join(values) if values else None for values in theirs]
    assert_same(aggregate(Call("string_agg", distinct=True, options=(",",)), [array], STARTS, ENDS), joined)


CONDITIONS: dict[str, Callable[[list[bool]], Any]] = {
    "bool_and": lambda values: all(values) if values else None,
    "every": lambda values: all(values) if values else None,
    "bool_or": lambda values: any(values) if values else None,
    "some": lambda values: any(values) if values else None,
    "any": lambda values: any(values) if values else None,
    "count_if": sum,
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions(name: str) -> None:
    array, slices = present("boolean")
    assert_same(aggregate(Call(name), [array], STARTS, ENDS), [CONDITIONS[name](values) for values in slices])


@pytest.mark.parametrize("x", NUMBERS)
@pytest.mark.parametrize("y", ["int", "far double", "odd double"])
def test_covariance(x: str, y: str) -> None:
    args = [column(x, ROWS, seed=12), column(y, ROWS, seed=13)]
    for name, less in (("covar_pop", 0), ("covar_samp", 1)):
        ours = aggregate(Call(name), args, STARTS, ENDS).to_pylist()
        for value, slice_ in zip(ours, lists(args, STARTS, ENDS), strict=True):
            pairs = [pair for pair in slice_ if None not in pair]
            if len(pairs) <= less:
                assert value is None
            elif not all(math.isfinite(number) for pair in pairs for number in pair):
                assert math.isnan(value)
            else:
                xs, ys = ([Fraction(pair[side]) for pair in pairs] for side in (0, 1))
                dx, dy = ([number - sum(side) / len(side) for number in side] for side in (xs, ys))
                exact = sum((a * b for a, b in zip(dx, dy, strict=True)), Fraction(0)) / (len(pairs) - less)
                size = sum((abs(a * b) for a, b in zip(dx, dy, strict=True)), Fraction(0))
                assert math.isclose(value, exact, rel_tol=1e-12, abs_tol=1e-12 * float(size))


@pytest.mark.parametrize("kind", ["int", "float", "decimal", "odd double"])
@pytest.mark.parametrize(("name", "power"), [("skewness", 3), ("kurtosis", 4)])
def test_higher_moments(kind: str, name: str, power: int) -> None:
    array, slices = present(kind)
    for value, values in zip(aggregate(Call(name), [array], STARTS, ENDS).to_pylist(), slices, strict=True):
        if not all(map(math.isfinite, values)):
            assert math.isnan(value)
            continue
        exact = [Fraction(number) for number in values]
        deviations = [number - sum(exact) / len(exact) for number in exact]
        squares = sum(d**2 for d in deviations)
        if not squares:
            assert value is None
            continue
        size = float(sum(abs(d**power) for d in deviations)) / float(squares) ** (power / 2) * len(values) ** (power / 2 - 1)
        moment = float(sum(d**power for d in deviations)) / float(squares) ** (power / 2) * len(values) ** (power / 2 - 1)
        assert math.isclose(value, moment - 3 * (power == 4), rel_tol=1e-11, abs_tol=1e-12 * size)


def test_dictionaries_and_lists_are_columns_too() -> None:
    array = column("string", ROWS, seed=14)
    encoded = array.dictionary_encode()
    assert aggregate(Call("max"), [encoded], STARTS, ENDS).equals(aggregate(Call("max"), [array], STARTS, ENDS))
    nested = pa.array([[n] for n in range(ROWS)])
    assert aggregate(Call("last"), [nested], STARTS[:1], ENDS[:1]).to_pylist() == [[ROWS - 1]]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("sum", "string"),
        ("avg", "boolean"),
        ("var_pop", "date"),
        ("count_if", "int"),
        ("median", "string"),
        ("string_agg", "int"),
    ],
)
def test_what_a_type_does_not_have_is_refused(name: str, kind: str) -> None:
    with pytest.raises(NotSupported):
        aggregate(Call(name), [column(kind, ROWS, seed=15)], STARTS, ENDS)


def test_values_without_an_order_are_refused() -> None:
    nested = pa.array([[1], [2]])
    for name in ("max", "mode", "collect_set", "approx_count_distinct"):
        with pytest.raises(NotSupported, match="takes values that can be compared"):
            aggregate(Call(name), [nested], np.array([0]), np.array([2]))


def test_a_percentage_is_at_most_one() -> None:
    with pytest.raises(BadExpression, match="between 0 and 1"):
        aggregate(Call("percentile", options=(90,)), [column("int", ROWS, seed=15)], STARTS, ENDS)


OPTIONS: dict[str, tuple[Any, ...]] = {"percentile": (0.5,), "approx_percentile": (0.5,), "top_k": (2,)}
OF_NOTHING = {"count": 0, "count_if": 0, "approx_count_distinct": 0, "collect_list": [], "collect_set": [], "top_k": []}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("distinct", [False, True])
def test_of_nothing(name: str, distinct: bool) -> None:
    """No rows, no slices, empty slices, and rows without values."""
    kind = {"bool_": pa.bool_(), "strin": pa.string()}.get(SYNONYMS.get(name, name)[:5], pa.decimal128(10, 2))
    kind = pa.bool_() if name == "count_if" else kind
    call = Call(name, distinct=distinct, options=OPTIONS.get(name, ()))
    for rows, slices in [(0, []), (0, [(0, 0)] * 2), (3, []), (3, [(3, 3), (1, 1)]), (3, [(0, 3), (1, 2)])]:
        args = [pa.array([None] * rows, kind)] * (2 if name in (*COMOMENTS, "min_by", "max_by") else 1)
        starts, ends = np.array(slices, np.int64).reshape(-1, 2).T
        assert_same(aggregate(call, args, starts, ends), [OF_NOTHING.get(name)] * len(slices))


def test_unknown_names_are_refused_with_a_proposal() -> None:
    with pytest.raises(NotSupported, match="no such aggregate") as caught:
        aggregate(Call("medien"), [column("int", ROWS, seed=15)], STARTS, ENDS)
    assert "median" in caught.value.remedy
