"""The algebra of an aggregate: rows are lifted to partials, partials combined, and the last one lowered to the value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.coded import Coded
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Partial, Places, part


class Algebra(ABC):
    """What an algebraic aggregate can do. A partial consists of the fields of the monoids it is composed of."""

    def __init__(self, *monoids: Monoid) -> None:
        self.monoids = monoids
        edges = np.cumsum([0, *(monoid.width for monoid in monoids)]).tolist()
        self._fields = [slice(start, end) for start, end in pairwise(edges)]

    @property
    def invertible(self) -> bool:
        """Whether `remove` undoes `combine`, exactly."""
        return all(monoid.invertible for monoid in self.monoids)

    @property
    def idempotent(self) -> bool:
        """Whether what is combined may overlap."""
        return all(monoid.idempotent for monoid in self.monoids)

    @abstractmethod
    def lift(self, args: Sequence[pa.Array], rows: int | None = None) -> Partial:
        """One partial per row. Only without arguments, as in count(*), has the number of rows to be given."""

    @abstractmethod
    def lower(self, partial: Partial) -> pa.Array:
        """The values."""

    def identity(self, n: int) -> Partial:
        """n partials of nothing."""
        return tuple(field for monoid in self.monoids for field in monoid.identity(n))

    def combine(self, a: Partial, b: Partial) -> Partial:
        """Elementwise and associative, `a` before `b`."""
        return self._each(lambda monoid, fields: monoid.combine(a[fields], b[fields]))

    def remove(self, whole: Partial, front: Partial) -> Partial:
        """What is left of `whole` without `front`, with which it begins; only of what is invertible."""
        return self._each(lambda monoid, fields: monoid.remove(whole[fields], front[fields]))

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        """One partial per segment: segments are consecutive, not empty, and begin at `starts`; the last reaches to the end."""
        if not len(starts):
            return self.identity(0)
        return self._each(lambda monoid, fields: monoid.reduce(partial[fields], starts))

    def partials(self, args: Sequence[pa.Array], starts: Places, rows: int) -> Partial:
        """One partial per segment of rows."""
        return self.reduce(self.lift(args, rows), starts)

    def by_code(self, args: Sequence[pa.Array], coded: Coded) -> Partial | None:
        """One partial for each code, of the rows that have it, wherever they stand; what a code without rows gets means nothing.
        None where rows have to be side by side."""
        return None

    def over(self, args: Sequence[pa.Array], starts: Places, ends: Places) -> Partial:
        """One partial per slice of rows."""
        return self.slices(self.lift(args, None if args else int(ends.max(initial=0))), starts, ends)

    def slices(self, partial: Partial, starts: Places, ends: Places) -> Partial:
        """One partial per slice [start, end). Slices may overlap, come in any order, and be empty."""
        if not len(starts):
            return self.identity(0)
        low = int(starts.min())
        used = part(partial, low, int(ends.max()))
        first, end = (starts - low, ends - low) if low else (starts, ends)
        return self._each(lambda monoid, fields: monoid.slices(used[fields], first, end))

    def _each(self, act: Callable[[Monoid, slice], Partial]) -> Partial:
        return tuple(field for monoid, own in zip(self.monoids, self._fields, strict=True) for field in act(monoid, own))
