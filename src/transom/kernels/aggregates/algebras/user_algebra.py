"""Users' aggregates as algebras: those on arrays as they are, those with COMBINE by the states of their bodies."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.algebras.counting import all_present
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Partial, Places
from transom.uda.compile.drive import Drive
from transom.uda.compile.program import is_odd
from transom.uda.plain_values import listed, result_type
from transom.uda.run.on_arrays import OnArrays
from transom.uda.run.ready import Ready


class ArrayPartials(Monoid):
    """The monoid of a Python class on arrays; the last field counts rows, so that nothing gives NULL."""

    def __init__(self, user: OnArrays) -> None:
        self.user = user
        self.width = len(user.identity) + 1

    def identity(self, n: int) -> Partial:
        return (*(np.full(n, value) for value in self.user.identity), np.zeros(n, np.int64))

    def combine(self, a: Partial, b: Partial) -> Partial:
        """The class sees flat arrays of one length, whatever the shape of the partials."""
        shape = np.broadcast_shapes(a[-1].shape, b[-1].shape)
        left, right = ([np.broadcast_to(field, shape).ravel() for field in side[:-1]] for side in (a, b))
        fields = [field.reshape(shape) for field in self.user.combine(left, right, math.prod(shape))]
        return (
            *(np.where(b[-1] == 0, x, np.where(a[-1] == 0, y, z)) for x, y, z in zip(a, b, fields, strict=False)),
            a[-1] + b[-1],
        )


class ArrayAlgebra(Algebra):
    """A user's aggregate on arrays. Rows with a NULL argument do not count."""

    def __init__(self, ready: Ready) -> None:
        self.ready, self.user = ready, OnArrays(ready.aggregate)  # type: ignore[arg-type]
        super().__init__(ArrayPartials(self.user))

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        size = len(args[0]) if args else rows or 0
        present = all_present(args, size)
        made = self.identity(size)
        count = int(present.sum())
        taken = args if count == size else [arg.filter(pa.array(present)) for arg in args]
        given = [np.asarray(arg.to_numpy(zero_copy_only=False)) for arg in taken]
        if count:
            for field, values in zip(made, self.user.lift(given, count), strict=False):
                field[present] = values
        made[-1][present] = 1
        return made

    def lower(self, partial: Partial) -> pa.Array:
        some = partial[-1] > 0
        count = int(some.sum())
        values = self.user.lower([field[some] for field in partial[:-1]], count) if count else []
        found: list[Any] = [None] * len(some)
        for place, value in zip(np.flatnonzero(some).tolist(), values, strict=True):
            found[place] = value
        return self.ready.column(found)


class UserStates(Monoid):
    """Stretches of tuples by the state they leave: nothing is "", a tuple is a Python tuple, a state its JSON."""

    def __init__(self, ready: Ready) -> None:
        self.program = ready.base

    def identity(self, n: int) -> Partial:
        return (np.full(n, "", object),)

    def combine(self, a: Partial, b: Partial) -> Partial:
        left, right = np.broadcast_arrays(a[0], b[0])
        made = np.empty(len(left), object)
        for place, pair in enumerate(zip(left, right, strict=True)):
            made[place] = self.joined(pair)
        return (made,)

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        bounds = [*starts.tolist(), len(partial[0])]
        made = np.empty(len(starts), object)
        for place, (start, end) in enumerate(pairwise(bounds)):
            made[place] = self.joined(partial[0][start:end])
        return (made,)

    def slices(self, partial: Partial, starts: Places, ends: Places) -> Partial:
        made = np.empty(len(starts), object)
        for place, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            made[place] = self.joined(partial[0][start:end])
        return (made,)

    def joined(self, parts: Iterable[Any]) -> str:
        """One state of all parts, in order: runs of tuples are run through, states combined."""
        state: Any = None
        rows: list[tuple[Any, ...]] = []
        for part in [*parts, ""]:
            if isinstance(part, tuple):
                rows.append(part)
                continue
            if rows:
                state = self._taken_in(state, self._run(rows))
                rows = []
            if part:
                state = self._taken_in(state, self.program.restored(json.loads(part)))
        return "" if state is None else json.dumps(state.dump())

    def _run(self, rows: list[tuple[Any, ...]]) -> Any:
        state = self.program.fresh()
        columns = [list(column) for column in zip(*rows, strict=True)]
        state.careful = is_odd(columns)
        self.program.step(state, Drive(yields=True), columns, yields=[False] * len(rows))
        return state

    def _taken_in(self, state: Any, other: Any) -> Any:
        if state is None:
            return other
        self.program.combine(state, other)
        return state


class StateAlgebra(Algebra):
    """A user's aggregate with COMBINE. Its values are lists of the rows it returns."""

    def __init__(self, ready: Ready) -> None:
        self.ready, self.states = ready, UserStates(ready)
        super().__init__(self.states)

    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        made = np.empty(len(args[0]) if args else rows or 0, object)
        for place, row in enumerate(zip(*map(listed, args), strict=True)):
            made[place] = row
        return (made,)

    def lower(self, partial: Partial) -> pa.Array:
        program = self.ready.base
        found = [program.finish(program.restored(json.loads(part))) if part else [] for part in partial[0]]
        return lists_of(found, self.ready)


def lists_of(found: Sequence[list[Any]], ready: Ready) -> pa.Array:
    """The rows of each extent, as a list column."""
    ends = np.cumsum([0, *map(len, found)])
    values = ready.column([row for rows in found for row in rows])
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values.cast(result_type(ready.returns)))


def over_extents(ready: Ready, args: Sequence[pa.Array], starts: Places, ends: Places) -> pa.Array:
    """A run of the aggregate over each slice, tuple after tuple: lists of the rows it returns."""
    columns = [natural(arg, ready) for arg in args]
    found = [
        ready.extent([column[start:end] for column in columns]) if end > start else []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return lists_of(found, ready)


def natural(arg: pa.Array, ready: Ready) -> list[Any]:
    """A column as the aggregate takes it: bodies compute with numbers, classes with what Python has for a type."""
    from transom.uda.run.python_aggregate import PythonAggregate

    return list(arg.to_pylist()) if isinstance(ready.aggregate, PythonAggregate) else listed(arg)


def algebra_of_user(ready: Ready) -> Algebra | None:
    """Its algebra, if it has one."""
    if ready.is_algebra:
        return ArrayAlgebra(ready)
    return StateAlgebra(ready) if ready.has_partials else None
