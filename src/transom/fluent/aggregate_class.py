"""A base for classes of aggregates: with it type checkers know what `@tr.aggregate` makes of a class."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transom.fluent.functions.aggregated import Aggregated, Operand


class AggregateClass:
    """What a class under `@tr.aggregate` may inherit, so that `mypy --strict` passes. It changes nothing when it runs.

    Type checkers do not apply the decorators of classes, so they take a call of the class for the making of an object. From
    this base they learn that it is an aggregate of columns, and of what type `emit`, `inwindow` and `oldest` are.

    >>> import transom as tr
    >>> @tr.aggregate(returns="DOUBLE")
    ... class newest_price(tr.AggregateClass):
    ...     def initialize(self, x: float) -> float:
    ...         return x
    ...     def iterate(self, x: float) -> float:
    ...         return x
    >>> bids = tr.stream({"price": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="bids")
    >>> bids.select(recent=newest_price("price").over(range=tr.rows(10))).columns
    ['recent']
    """

    if TYPE_CHECKING:
        emit: Callable[[Any], None]
        """Give a row more than what a method returns."""
        inwindow: deque[Any]
        """The tuples of the window, oldest first."""
        oldest: Callable[[], Any]
        """The oldest tuple of the window."""

        def __new__(cls, *arguments: Operand) -> Aggregated: ...  # type: ignore[misc]
