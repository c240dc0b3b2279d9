"""Users' aggregates by their definitions: over an extent, over an OVER frame, and with ACTIVE EXPIRATION."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeGuard

import pyarrow as pa
from sqlglot import exp

from transom.reference.values.body import Body
from transom.scalar.evaluation import Scope, parse, value_of
from transom.semantics.length import Length, Rows, measure
from transom.uda.compile.drive import Drive
from transom.uda.definition import UserAggregate
from transom.uda.run.invocation import chosen
from transom.uda.run.on_arrays import OnArrays
from transom.uda.run.python_aggregate import PythonAggregate, PythonProgram
from transom.uda.run.returned import returned

Users = Mapping[str, UserAggregate | PythonAggregate]


class PythonBody:
    """A class, driven by hand."""

    def __init__(self, aggregate: PythonAggregate, *, is_window: bool) -> None:
        self.program = PythonProgram(aggregate, is_window=is_window)
        self.state = self.program.fresh()

    def arrive(self, values: Sequence[Any]) -> list[Any]:
        return self.program.step(self.state, Drive(), [[value] for value in values])[0]

    def expire(self) -> list[Any]:
        return self.program.expire(self.state)

    def starts_with(self, number: int) -> bool:
        return self.state.window.starts_with(number)

    def end(self) -> list[Any]:
        return self.program.finish(self.state)


def body_of(user: UserAggregate | PythonAggregate, *, window: bool) -> Any:
    """A fresh body of one of the versions."""
    if isinstance(user, PythonAggregate):
        return PythonBody(user, is_window=window)
    version = user.window if window else user.base
    assert version is not None
    return Body(version, user)


def over_extent(user: UserAggregate | PythonAggregate, tuples: Sequence[Sequence[Any]]) -> list[Any]:
    """All rows returned over an extent; of a lone window version, those of the last tuple."""
    if is_on_arrays(user):
        return [on_arrays(user, tuples)]
    if user.base is None:
        return at_last(user, tuples)
    body = body_of(user, window=False)
    return [*(row for values in tuples for row in body.arrive(values)), *body.end()]


def at_last(user: UserAggregate | PythonAggregate, tuples: Sequence[Sequence[Any]]) -> list[Any]:
    """What is returned for the last tuple of a fresh run, and at the end."""
    body = body_of(user, window=user.base is None)
    rows: list[Any] = []
    for values in tuples:
        rows = body.arrive(values)
    return rows + (body.end() if user.base is not None else [])


def result_of(user: UserAggregate | PythonAggregate, row: Any) -> Any:
    """A returned row as a column has it: of several columns, a struct."""
    if isinstance(user, PythonAggregate):
        return _utc(returned([row], user.returns, user.name).to_pylist()[0])
    returns = user.either.returns
    if not returns[0][0] or row is None:
        return row
    return {name: value for (name, _), value in zip(returns, row, strict=True)}


def _utc(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _utc(one) for name, one in value.items()}
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo else value


# -- on arrays ---------------------------------------------------------------------------------------------------


def is_on_arrays(user: UserAggregate | PythonAggregate) -> TypeGuard[PythonAggregate]:
    """Whether it is a Python class with lift, combine and lower, which sees extents as the built-in ones do."""
    return isinstance(user, PythonAggregate) and user.is_algebraic


def on_arrays(user: PythonAggregate, tuples: Sequence[Sequence[Any]]) -> Any:
    """The value over an extent: its tuples lifted, combined one after another, and lowered. Those with a NULL do not count."""
    counted = [values for values in tuples if None not in values]
    if not counted:
        return None
    made = OnArrays(user)
    columns = [pa.array(column).to_numpy(zero_copy_only=False) for column in zip(*counted, strict=True)]
    lifted = made.lift(columns, len(counted))
    parts = [[field[at : at + 1] for field in lifted] for at in range(len(counted))]
    return made.lower(functools.reduce(lambda a, b: made.combine(a, b, 1), parts), 1)[0]


Places = Sequence[tuple[Any, Sequence[Any], Any]]
"""Tuples in order: the place on the axis, the arguments, and the tuple itself."""


def over_frame(
    user: UserAggregate | PythonAggregate, preceding: Length | None, slide: Length | None, frame: Places, before: Places
) -> list[Any]:
    """What is returned for the last tuple of a frame; `before` is the whole partition up to it."""
    kind = chosen(user, preceding, slide).kind
    if kind != "window":
        return at_last(user, [values for _, values, _ in frame])
    return list(windowed(user, preceding, before)[-1][1])


def windowed(user: UserAggregate | PythonAggregate, preceding: Length | None, tuples: Places) -> list[tuple[Any, Any]]:
    """The window version over tuples: what it returns on each arrival."""
    body = body_of(user, window=True)
    found: list[tuple[Any, Any]] = []
    window: list[tuple[int, Any]] = []
    for number, (place, values, t) in enumerate(tuples):
        while window and _is_out(window[0], number, place, preceding):
            _leave(body, window.pop(0))
        window.append((number, place))
        found.append((t, body.arrive(values)))
        _mark(body, number)
    return found


def _is_out(entry: tuple[int, Any], number: int, place: Any, preceding: Length | None) -> bool:
    if preceding is None:
        return False
    return entry[0] < number - preceding.count if isinstance(preceding, Rows) else entry[1] < place - measure(preceding)


def _mark(body: Any, number: int) -> None:
    """Remember which tuple an entry of the window is, unless the body has taken it out already."""
    if isinstance(body, Body) and body.window and body.window[-1].tuple is None:
        body.window[-1].tuple = number


def _leave(body: Any, entry: tuple[int, Any]) -> list[Any]:
    """A tuple whose time is up; one that the body took out never expires."""
    return list(body.expire()) if body.starts_with(entry[0]) else []


def with_expiries(
    user: UserAggregate | PythonAggregate, preceding: Length, tuples: Places, upto: Any
) -> list[tuple[Any, Any, Any]]:
    """ACTIVE EXPIRATION: tuple, instant and value of each result, in the order of time, of what has happened before `upto`."""
    body, reach = body_of(user, window=True), measure(preceding)
    window: list[tuple[int, Any]] = []
    owners: dict[int, Any] = {}
    found: list[tuple[Any, Any, Any]] = []

    def expire(until: Any) -> None:
        while window and window[0][1] < until - reach:
            number, place = window[0]
            found.extend((owners[number], place + reach, value) for value in _leave(body, window.pop(0)))

    for number, (place, values, t) in enumerate(tuples):
        expire(place)
        window.append((number, place))
        owners[number] = t
        found.extend((t, place, value) for value in body.arrive(values))
        _mark(body, number)
    expire(upto)
    return found


# -- expressions with users' aggregates ------------------------------------------------------------------------


def user_calls(text: str, users: Users) -> list[exp.Anonymous]:
    """The calls of users' aggregates in an expression."""
    return [node for node in parse(text).find_all(exp.Anonymous) if str(node.this).lower() in users]


def rows_of_items(
    items: Mapping[str, str], having: str | None, users: Users, scope: Scope, values: Callable[[exp.Anonymous], list[Any]]
) -> list[dict[str, Any]]:
    """The select list, once for each combination of rows that users' aggregates return, where the condition holds."""
    texts = [*items.values(), *([] if having is None else [having])]
    calls = {node.sql("spark"): node for text in texts for node in user_calls(text, users)}
    returned = [[(text, row) for row in values(node)] for text, node in calls.items()]
    made = []
    for combination in itertools.product(*returned):
        known = {f"call {text}": row for text, row in combination}
        inner = Scope({**scope.columns, **known}, scope.members)
        row = {name: value_of(_with_results(text, users), inner) for name, text in items.items()}
        if having is None or value_of(_with_results(having, users), Scope({**inner.columns, **row}, scope.members)) is True:
            made.append(row)
    return made


def _with_results(text: str, users: Users) -> exp.Expr:
    def named(node: exp.Expr) -> exp.Expr:
        called = isinstance(node, exp.Anonymous) and str(node.this).lower() in users
        return exp.column(f"call {node.sql('spark')}", quoted=True) if called else node

    return parse(text).copy().transform(named)
