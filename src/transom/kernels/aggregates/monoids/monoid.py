"""A monoid: an associative combination of partials with an identity, and what else is known about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from transom.kernels.aggregates.partial import Partial, Places
from transom.kernels.aggregates.slicing import ascending, disjoint_table, halving, prefix, sparse_table


class Monoid(ABC):
    """How partials of one kind combine. What it states about itself decides which algorithm serves arbitrary slices."""

    width: int = 1
    """Of how many fields a partial consists."""

    invertible: ClassVar[bool] = False
    """Whether the front of a partial can be taken off again, exactly: `remove(combine(a, b), a) == b`."""

    idempotent: ClassVar[bool] = False
    """Whether stretches may overlap: what counts twice counts once."""

    @abstractmethod
    def identity(self, n: int) -> Partial:
        """n partials of nothing."""

    @abstractmethod
    def combine(self, a: Partial, b: Partial) -> Partial:
        """Elementwise, `a` before `b`; fields broadcast."""

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        """One partial for each of the consecutive non-empty segments that begin at `starts` and reach to the end."""
        return halving.reduce(self, partial, starts)

    def scan(self, partial: Partial) -> Partial:
        """All prefixes, from the empty one on; only of what is invertible."""
        raise NotImplementedError

    def remove(self, whole: Partial, front: Partial) -> Partial:
        """What is left of `whole` without `front`, with which it begins; only of what is invertible."""
        raise NotImplementedError

    def slices(self, partial: Partial, starts: Places, ends: Places) -> Partial:
        """One partial for each slice, by the cheapest algorithm that the monoid allows."""
        if ascending.are_ascending(starts, ends):
            return ascending.slices(self, partial, starts, ends)
        if self.invertible:
            return prefix.slices(self, partial, starts, ends)
        if self.idempotent:
            return sparse_table.slices(self, partial, starts, ends)
        return disjoint_table.slices(self, partial, starts, ends)
