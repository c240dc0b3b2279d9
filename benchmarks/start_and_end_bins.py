"""Start and end bins: slide-by-tuple aggregates that keep no tuples (seed 000, section 4.3).

Every tuple at s begins a start bin at s, where it enters the windows, and an end bin at s + range, where it leaves them. A
bin holds the partial aggregate of every window from it up to the next bin. A new bin begins as a copy of the bin before
it; then all bins from s up to s + range take the tuple in. Late or early makes no difference, as long as the frontier has
not passed. Needs combine; time per tuple grows with the bins in a range; space is two bins for each distinct value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.aggregates.partial import Partial
from transom.kernels.columns.arrays import Array, Bools


class Bins:
    """The bins of one key."""

    def __init__(self, algebra: Algebra, length: Any, dtype: Any = np.int64) -> None:
        self.algebra, self.length = algebra, length
        self.places: Array = np.zeros(0, dtype)
        self.starts: Bools = np.zeros(0, bool)
        self.partials: Partial = algebra.identity(0)
        self.before: Partial = algebra.identity(1)
        """The initial bin, below all others."""

    def take(self, place: Any, lifted: Partial) -> None:
        """Take in one tuple, lifted to a partial of its own."""
        low = self._bin(place, starts=True)
        high = self._bin(place + self.length, starts=False)
        for field, added in zip(
            self.partials,
            self.algebra.combine(
                tuple(part[low:high] for part in self.partials), tuple(np.repeat(one, high - low, axis=0) for one in lifted)
            ),
            strict=True,
        ):
            field[low:high] = added

    def _bin(self, place: Any, *, starts: bool) -> int:
        """The index of the bin at a place, which is made if it is not there."""
        at = int(np.searchsorted(self.places, place))
        if at < len(self.places) and self.places[at] == place:
            self.starts[at] |= starts
            return at
        earlier = self.before if at == 0 else tuple(part[at - 1 : at] for part in self.partials)
        self.places = np.insert(self.places, at, place)
        self.starts = np.insert(self.starts, at, starts)
        self.partials = tuple(np.insert(part, at, one, axis=0) for part, one in zip(self.partials, earlier, strict=True))
        return at

    def close(self, frontier: Any) -> tuple[Array, Partial]:
        """The windows below the frontier with their partials; their bins are no longer needed."""
        done = int(np.searchsorted(self.places, frontier))
        starts = np.flatnonzero(self.starts[:done])
        results = self.places[starts], tuple(part[starts] for part in self.partials)
        if done:
            self.before = tuple(part[done - 1 : done].copy() for part in self.partials)
            self.places, self.starts = self.places[done:], self.starts[done:]
            self.partials = tuple(part[done:] for part in self.partials)
        return results

    def __len__(self) -> int:
        return len(self.places)
