"""Compiled bodies do what interpreted ones do, whatever comes, and however it is cut."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.uda.bodies import everything
from transom.reference.values.body import Body
from transom.reference.values.user import windowed, with_expiries
from transom.semantics.length import Rows
from transom.uda.bind.kinds import kind_of
from transom.uda.compile.drive import Drive
from transom.uda.compile.program import compiled, is_odd
from transom.uda.definition import UserAggregate
from transom.uda.run.runners import Active, Straight, Tuples

ALL = everything()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-2, 4),
    "double": st.sampled_from([-1.5, 0.0, 1.0, 2.0, 2.5, 7.0]),
    "string": st.sampled_from(["a", "bc", "item", "ap"]),
    "timestamp": st.integers(0, 9_000_000),
}


@st.composite
def tuples(draw: st.DrawFn, aggregate: UserAggregate, *, nulls: bool) -> list[tuple[Any, ...]]:
    kinds = [str(kind_of(kind)) for _, kind in aggregate.arguments]
    one = st.tuples(*(st.none() | VALUES[kind] if nulls else VALUES[kind] for kind in kinds))
    return draw(st.lists(one, min_size=1, max_size=14))


def natural(row: tuple[Any, ...], aggregate: UserAggregate) -> list[Any]:
    """A tuple as the reference has it."""
    kinds = [kind_of(kind) for _, kind in aggregate.arguments]
    return [
        EPOCH + timedelta(microseconds=value) if kind == "timestamp" and value is not None else value
        for value, kind in zip(row, kinds, strict=True)
    ]


def plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, datetime):
        return (value - EPOCH) // timedelta(microseconds=1)
    return round(value, 9) if isinstance(value, float) and math.isfinite(value) else value


def run(runner: Straight, rows: list[tuple[Any, ...]], places: list[int], cuts: list[int]) -> list[Any]:
    """All results, with the state kept and restored at each cut."""
    entry, found = runner.fresh(), []
    bounds = [0, *sorted({min(cut, len(rows)) for cut in cuts}), len(rows)]
    for start, end in pairwise(bounds):
        columns = [list(column) for column in zip(*rows[start:end], strict=True)] or [[] for _ in rows[0]]
        part = Tuples(columns, places[start:end], None, list(range(start, end)), is_odd(columns))
        found += runner.run(entry, part)[0]
        entry = runner.restore(runner.dump(entry))
    return [plain(value) for value in found]


@pytest.mark.parametrize("nulls", [False, True], ids=["plain", "nulls"])
@pytest.mark.parametrize("name", sorted(ALL))
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_base_versions(name: str, nulls: bool, data: st.DataObject) -> None:
    aggregate = ALL[name]
    if aggregate.base is None:
        return
    rows = data.draw(tuples(aggregate, nulls=nulls))
    program = compiled(aggregate)[0]
    assert program is not None
    body = Body(aggregate.base, aggregate)
    expected = [plain(value) for row in rows for value in [*body.arrive(natural(row, aggregate)), *after(body)]]
    runner = Straight(program, Drive(terminates=True))
    assert run(runner, rows, [], data.draw(st.lists(st.integers(0, 14), max_size=2))) == expected


def after(body: Body) -> list[Any]:
    """What TERMINATE returns, when it is executed after a tuple."""
    values = body.values
    rows = body.end()
    body.values = values
    return rows


@pytest.mark.parametrize("nulls", [False, True], ids=["plain", "nulls"])
@pytest.mark.parametrize("name", sorted(ALL))
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_window_versions(name: str, nulls: bool, data: st.DataObject) -> None:
    aggregate = ALL[name]
    if aggregate.window is None:
        return
    rows, reach = data.draw(tuples(aggregate, nulls=nulls)), data.draw(st.integers(0, 5))
    places = sorted(data.draw(st.lists(st.integers(0, 20), min_size=len(rows), max_size=len(rows))))
    cuts = data.draw(st.lists(st.integers(0, 14), max_size=2))
    program = compiled(aggregate)[1]
    assert program is not None
    given_tuples = [(place, natural(row, aggregate), None) for place, row in zip(places, rows, strict=True)]
    for preceding, drive in ((Rows(reach), Drive("rows")), (reach, Drive("range"))):
        expected = [plain(value) for _, values in windowed(aggregate, preceding, given_tuples) for value in values]
        assert run(Straight(program, drive, reach), rows, places, cuts) == expected
    if aggregate.expires:
        events = with_expiries(aggregate, reach, [(p, v, n) for n, (p, v, _) in enumerate(given_tuples)], 12)
        runner = Active(program, Drive("range", active=True), reach)
        entry, odd = runner.fresh(), is_odd([[value for row in rows for value in row]])
        found = runner.run(entry, Tuples([list(c) for c in zip(*rows, strict=True)], places, None, range(len(rows)), odd))[0]
        found += runner.flush(entry, 12)
        assert [(n, at, plain(value)) for n, at, value in found] == [(n, at, plain(value)) for n, at, value in events]
