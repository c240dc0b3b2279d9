"""Aggregates written in Python: a decorator makes one of a class, and registers it for SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

from transom.errors import BadAggregate, NotSupported
from transom.fluent.functions.aggregated import Aggregated, called
from transom.plan.expression import AnyAggregate
from transom.uda.bind.kinds import kind_of
from transom.uda.bind.names import check_name
from transom.uda.definition import Columns
from transom.uda.run.python_aggregate import PythonAggregate

if TYPE_CHECKING:
    from transom.fluent.functions.aggregated import Operand

REGISTERED: dict[str, AnyAggregate] = {}
"""The aggregates that SQL knows by name, besides those of a script."""


@dataclass(frozen=True, repr=False)
class AggregateFunction:
    """An aggregate that can be called with columns, as the built-in ones can.

    >>> import transom as tr
    >>> @tr.aggregate(returns="DOUBLE", arguments=["DOUBLE"])
    ... class newest(tr.AggregateClass):
    ...     def initialize(self, x: float) -> float:
    ...         return x
    ...     def iterate(self, x: float) -> float:
    ...         return x
    >>> newest, newest("price")
    (<aggregate newest, returns DOUBLE>, NEWEST(price))
    """

    definition: AnyAggregate

    def __repr__(self) -> str:
        return f"<aggregate {self.definition.name}, returns {self.definition.returns_type}>"

    def __call__(self, *arguments: Operand) -> Aggregated:
        """The aggregate of these columns or expressions."""
        return replace(called(self.definition.name, *arguments), aggregates=(self.definition,))


@overload
def aggregate(
    of: type, /, *, returns: str | Mapping[str, str], arguments: Sequence[str] | None = None, name: str | None = None
) -> AggregateFunction: ...


@overload
def aggregate(
    *, returns: str | Mapping[str, str], arguments: Sequence[str] | None = None, name: str | None = None
) -> Callable[[type], AggregateFunction]: ...


def aggregate(
    of: type | None = None,
    /,
    *,
    returns: str | Mapping[str, str],
    arguments: Sequence[str] | None = None,
    name: str | None = None,
) -> AggregateFunction | Callable[[type], AggregateFunction]:
    """Make an aggregate of a class; SQL knows it by the name of the class, or by `name`.

    A class that sees tuple after tuple has `initialize` and `iterate`, which take the arguments, and may have `terminate`
    and `expire`. What a method returns is a row, and `self.emit` gives more; `self.inwindow` and `self.oldest()` are the
    window. `returns` is the SQL type of a row, or the types of its columns by name; `arguments` are SQL types that what is
    given is cast to.

    >>> import transom as tr
    >>> @tr.aggregate(returns="DOUBLE")
    ... class decayed(tr.AggregateClass):
    ...     def initialize(self, x: float) -> float:
    ...         self.v = x
    ...         return x
    ...     def iterate(self, x: float) -> float:
    ...         self.v = 0.9 * self.v + 0.1 * x
    ...         return self.v
    >>> bids = tr.stream({"price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bids")
    >>> bids.select(recent=decayed("price").over(unbounded="rows")).schema.columns[0].type
    'DOUBLE'

    The base `AggregateClass` is for type checkers, and can be left out.

    One on arrays has `identity`, a tuple of values, and `lift`, `combine` and `lower` on tuples of arrays, and so gets panes.
    """
    if of is not None and not isinstance(of, type):
        raise BadAggregate("an aggregate is made of a class", given=repr(of)[:80], remedy='write @tr.aggregate(returns="DOUBLE")')
    if name is not None and not isinstance(name, str):
        raise BadAggregate("an aggregate is called by a plain word", given=f"name={name!r}"[:80], remedy="give text")
    if arguments is not None and not (isinstance(arguments, list | tuple) and all(isinstance(one, str) for one in arguments)):
        raise BadAggregate(
            "arguments are the SQL types of what is given",
            given=f"arguments={arguments!r}"[:80],
            remedy='give a list: arguments=["DOUBLE"]',
        )
    if not isinstance(returns, str | Mapping) or not returns:
        raise NotSupported("an aggregate returns something", given=repr(returns)[:80], remedy='say what: returns="DOUBLE"')
    columns: Columns = tuple(returns.items()) if isinstance(returns, Mapping) else (("", returns),)
    for column, kind in columns:
        if kind_of(kind) is None:
            raise NotSupported(
                f"an aggregate does not return {kind}",
                given=f"{column} {kind}".strip(),
                exists=["numbers", "STRING", "BOOLEAN", "TIMESTAMP", "DATE"],
                remedy="return one of these, or several columns: returns={'a': 'INT', 'b': 'STRING'}",
            )

    def made(of: type) -> AggregateFunction:
        called = of.__name__ if name is None else name
        check_name(called)
        given = None if arguments is None else tuple(arguments)
        definition = PythonAggregate(called, columns, of, given)
        REGISTERED[called.lower()] = definition
        return AggregateFunction(definition)

    return made if of is None else made(of)


def known(text: str) -> dict[str, AnyAggregate]:
    """The registered aggregates that an expression may call."""
    return REGISTERED if REGISTERED and "(" in text else {}
