"""Aggregates written in Python: a decorator makes one of a class, and registers it for SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from transom.errors import NotSupported
from transom.fluent.functions import Aggregated
from transom.plan.expression import AnyAggregate, Expression
from transom.uda.bind.kinds import kind_of
from transom.uda.bind.names import check_name
from transom.uda.definition import Columns
from transom.uda.python import PythonAggregate

REGISTERED: dict[str, AnyAggregate] = {}
"""The aggregates that SQL knows by name, besides those of a script."""


@dataclass(frozen=True)
class AggregateFunction:
    """An aggregate that can be called with columns, as the built-in ones can."""

    definition: AnyAggregate

    def __call__(self, *arguments: str) -> Aggregated:
        """The aggregate of these columns or expressions."""
        text = f"{self.definition.name}({', '.join(arguments)})"
        return Aggregated(Expression.of(text, aggregates={self.definition.name.lower(): self.definition}))


def aggregate(
    *,
    returns: str | Mapping[str, str],
    arguments: Sequence[str] | None = None,
    name: str | None = None,
) -> Callable[[type], AggregateFunction]:
    """Make an aggregate of a class; SQL knows it by the name of the class.

    A class that sees tuple after tuple has `initialize` and `iterate`, which take the arguments, and may have `terminate`
    and `expire`. What a method returns is a row, and `self.emit` gives more; `self.inwindow` and `self.oldest()` are the
    window. `arguments` are SQL types that what is given is cast to.

    >>> import transom as tr
    >>> @tr.aggregate(returns="DOUBLE")
    ... class decayed:
    ...     def initialize(self, x):
    ...         self.v = x
    ...         return x
    ...     def iterate(self, x):
    ...         self.v = 0.9 * self.v + 0.1 * x
    ...         return self.v
    >>> bids = tr.stream({"price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bids")
    >>> bids.select(recent=decayed("price").over(unbounded="rows")).schema.columns[0].type
    'DOUBLE'

    One on arrays has `identity`, a tuple of values, and `lift`, `combine` and `lower` on tuples of arrays, and so gets panes.
    """
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
        called = name or of.__name__
        check_name(called)
        given = None if arguments is None else tuple(arguments)
        definition = PythonAggregate(called, columns, of, given)
        REGISTERED[called.lower()] = definition
        return AggregateFunction(definition)

    return made


def known(text: str) -> dict[str, AnyAggregate]:
    """The registered aggregates that an expression may call."""
    return REGISTERED if REGISTERED and "(" in text else {}
