"""The laws of every algebra: identity, associativity, segments and slices as recomputation, and the inverse."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from tests.kernels.aggregates.columns import NUMBERS, TYPES, assert_same, column, some_slices
from transom.kernels.aggregates import Algebra, Call, Partial, algebra_of
from transom.kernels.aggregates.catalogue import ALGEBRAS
from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.lanes import lane_of
from transom.kernels.aggregates.partial import part, take
from transom.kernels.panes.group_partials import CodedGroups

ROWS = 70
ORDERED = ("min", "max", "first", "last", "count")
NUMERIC = ("sum", "avg", "var_pop", "var_samp", "stddev_pop", "stddev_samp", "skewness", "kurtosis")
SIGNED = ("corr", "covar_pop", "covar_samp", "skewness", "kurtosis")
INEXACT = (*NUMERIC[2:], *SIGNED)
EXACT_KINDS = ("boolean", "tinyint", "int", "bigint", "decimal", "date", "timestamp")


def cases() -> Iterator[tuple[str, tuple[str, ...]]]:
    for kind in TYPES:
        if lane_of(TYPES[kind][0]) is not None:
            yield from ((name, (kind,)) for name in (*ORDERED, *(NUMERIC if kind in NUMBERS else ())))
    yield from ((name, ("boolean",)) for name in ("bool_and", "bool_or", "count_if"))
    yield from ((name, ("double", "odd double")) for name in ("corr", "covar_pop", "covar_samp", "min_by", "max_by"))
    yield from ((name, ("bigint", "int")) for name in ("corr", "min_by", "max_by"))
    yield "count", ()


CASES = list(cases())


def lifted(name: str, kinds: tuple[str, ...]) -> tuple[Algebra, Partial]:
    args = [column(kind, ROWS, seed=20 + n) for n, kind in enumerate(kinds)]
    algebra = algebra_of(Call(name), [arg.type for arg in args])
    assert algebra is not None
    return algebra, algebra.lift(args, ROWS)


def folded(algebra: Algebra, partial: Partial, start: int, end: int) -> Partial:
    """The slow, obvious way: one after another."""
    single = (part(partial, n, n + 1) for n in range(start, end))
    return functools.reduce(algebra.combine, single, algebra.identity(1))


def lowered(algebra: Algebra, partial: Partial) -> list[object]:
    values: list[object] = algebra.lower(partial).to_pylist()
    return values


def raw(partial: Partial) -> list[bytes]:
    return [field.tobytes() for field in partial]


def assert_equivalent(name: str, kinds: tuple[str, ...], ours: Partial, theirs: Partial) -> None:
    """Bit by bit where the arithmetic is exact; the same values to twelve digits where it is not."""
    algebra, _ = lifted(name, kinds)
    if name not in INEXACT and set(kinds) <= set(EXACT_KINDS):
        assert raw(ours) == raw(theirs)
    elif name not in SIGNED:
        assert_same(algebra.lower(ours), lowered(algebra, theirs))
    else:
        a, b = (np.array(lowered(algebra, partial), float) for partial in (ours, theirs))
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12 * np.abs(b[np.isfinite(b)]).max(initial=0.0))


def test_every_algebra_is_under_test() -> None:
    assert {name for name, _ in CASES} == set(ALGEBRAS)


@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_fields_can_be_stored_as_bytes(name: str, kinds: tuple[str, ...]) -> None:
    algebra, partial = lifted(name, kinds)
    assert len({len(field) for field in partial}) == 1
    restored = tuple(np.frombuffer(field.tobytes(), field.dtype) for field in partial)
    assert repr(lowered(algebra, restored)) == repr(lowered(algebra, partial))
    assert [field.dtype for field in algebra.identity(1)] == [field.dtype for field in partial]
    assert [field.dtype for field in algebra.combine(partial, partial)] == [field.dtype for field in partial]


@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_nothing_changes_nothing(name: str, kinds: tuple[str, ...]) -> None:
    algebra, rows = lifted(name, kinds)
    starts, ends = some_slices(ROWS, seed=21)
    partial = algebra.slices(rows, starts, ends)
    nothing = algebra.identity(len(starts))
    for combined in (algebra.combine(nothing, partial), algebra.combine(partial, nothing)):
        assert_same(algebra.lower(combined), lowered(algebra, partial))
    assert_same(algebra.lower(nothing), [0 if "count" in name else None] * len(starts))


@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_combining_is_associative(name: str, kinds: tuple[str, ...]) -> None:
    algebra, rows = lifted(name, kinds)
    a, b, c = (algebra.slices(rows, *some_slices(ROWS, seed=seed)) for seed in (22, 23, 24))
    left, right = algebra.combine(algebra.combine(a, b), c), algebra.combine(a, algebra.combine(b, c))
    assert_equivalent(name, kinds, left, right)


@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_slices_and_segments_are_what_folding_gives(name: str, kinds: tuple[str, ...]) -> None:
    algebra, rows = lifted(name, kinds)
    starts, ends = some_slices(ROWS, seed=25)
    slow = [folded(algebra, rows, start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    fast = algebra.slices(rows, starts, ends)
    cuts = np.array([2, 3, 10, 26, 69])
    slow += [folded(algebra, rows, start, end) for start, end in zip(cuts, [*cuts[1:], ROWS], strict=True)]
    reduced = algebra.reduce(rows, cuts)
    both = tuple(np.concatenate(pair) for pair in zip(fast, reduced, strict=True))
    them = tuple(np.concatenate(fields) for fields in zip(*slow, strict=True))
    assert_equivalent(name, kinds, both, them)


@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_taking_the_front_off_undoes_combining(name: str, kinds: tuple[str, ...]) -> None:
    algebra, rows = lifted(name, kinds)
    a, b = (algebra.slices(rows, *some_slices(ROWS, seed=seed)) for seed in (26, 27))
    if algebra.invertible:
        assert raw(algebra.remove(algebra.combine(a, b), a)) == raw(b)
    else:
        with pytest.raises(NotImplementedError):
            algebra.remove(algebra.combine(a, b), a)


@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_what_is_idempotent_may_overlap(name: str, kinds: tuple[str, ...]) -> None:
    algebra, rows = lifted(name, kinds)
    front, back, whole = (algebra.slices(rows, np.array([s]), np.array([e])) for s, e in ((0, 50), (20, ROWS), (0, ROWS)))
    twice = algebra.combine(front, back)
    if algebra.idempotent:
        assert_same(algebra.lower(twice), lowered(algebra, whole))
    else:
        assert raw(twice) != raw(whole)


def test_capabilities() -> None:
    def capabilities(name: str, kind: pa.DataType) -> tuple[bool, bool]:
        algebra = algebra_of(Call(name), [kind])
        assert algebra is not None
        return algebra.invertible, algebra.idempotent

    assert capabilities("count", pa.string()) == (True, False)
    assert capabilities("sum", pa.int32()) == (True, False)
    assert capabilities("avg", pa.decimal128(18, 3)) == (True, False)
    assert capabilities("sum", pa.float64()) == (False, False)
    assert capabilities("max", pa.float64()) == (False, True)
    assert capabilities("var_pop", pa.int64()) == (False, False)


def test_what_has_no_algebra() -> None:
    wide, text = pa.decimal128(19, 0), pa.string()
    for call, kind in [
        (Call("sum"), wide),
        (Call("min"), text),
        (Call("median"), pa.int64()),
        (Call("sum", distinct=True), pa.int8()),
    ]:
        assert algebra_of(call, [kind]) is None
    assert algebra_of(Call("max", distinct=True), [pa.int8()]) is not None


def test_nothing_at_all() -> None:
    algebra, rows = lifted("sum", ("double",))
    none = np.zeros(0, np.int64)
    assert [len(field) for field in algebra.reduce(rows, none)] == [0] * len(rows)
    assert len(algebra.lower(algebra.slices(take(rows, none), none, none))) == 0


@pytest.mark.parametrize("nulls", [0.0, 0.2])
@pytest.mark.parametrize("size", [7, 90])
@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_groups_are_what_folding_gives(name: str, kinds: tuple[str, ...], size: int, nulls: float) -> None:
    args = [column(kind, ROWS, seed=30 + n, nulls=nulls) for n, kind in enumerate(kinds)]
    algebra = algebra_of(Call(name), [arg.type for arg in args])
    assert algebra is not None
    codes = np.random.default_rng(31).integers(1, size - 1, ROWS)
    codes[[5, 6, 40]] = size
    groups = CodedGroups(codes, size)
    assert groups.few == (size == 7)
    own = [np.flatnonzero(codes == code) for code in np.unique(codes[codes < size])]
    assert groups.first.tolist() == [rows[0] for rows in own]
    assert groups.rows.tolist() == [len(rows) for rows in own]
    rows = algebra.lift(args, ROWS)
    slow = [folded(algebra, take(rows, places), 0, len(places)) for places in own]
    them = tuple(np.concatenate(fields) for fields in zip(*slow, strict=True))
    assert_equivalent(name, kinds, groups.partials(algebra, args), them)


@pytest.mark.parametrize(
    ("name", "kind"), [("sum", "bigint"), ("avg", "far double"), ("min", "odd double"), ("max", "timestamp")]
)
def test_few_groups_are_added_up_where_rows_stand(name: str, kind: str) -> None:
    arg = column(kind, ROWS, seed=32, nulls=0.0)
    algebra = algebra_of(Call(name), [arg.type])
    assert algebra is not None
    codes = np.arange(ROWS) % 3
    found = algebra.by_code([arg], Coded(codes, 3))
    assert found is not None
    beside = algebra.partials([arg.take(pa.array(np.argsort(codes, kind="stable")))], np.array([0, 24, 47]), ROWS)
    assert raw(found) == raw(beside)
