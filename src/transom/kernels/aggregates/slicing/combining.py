"""What the slicing algorithms need to know of a monoid."""

from __future__ import annotations

from typing import Protocol

from transom.kernels.aggregates.partial import Partial, Places


class Combining(Protocol):
    """Associative, with an identity."""

    def identity(self, n: int) -> Partial: ...

    def combine(self, a: Partial, b: Partial) -> Partial: ...


class Reducing(Combining, Protocol):
    """Reduces consecutive segments."""

    def reduce(self, partial: Partial, starts: Places) -> Partial: ...


class Invertible(Combining, Protocol):
    """Can take the front of a partial off again."""

    def scan(self, partial: Partial) -> Partial: ...

    def remove(self, whole: Partial, front: Partial) -> Partial: ...
