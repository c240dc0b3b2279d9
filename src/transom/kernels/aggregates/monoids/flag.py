"""Flags: whether anything of a kind was there."""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Partial, Places


class Flag(Monoid):
    """OR. Where all rows agree, as they mostly do, only emptiness matters; otherwise the set flags are counted."""

    idempotent = True

    def identity(self, n: int) -> Partial:
        return (np.zeros(n, np.bool_),)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return (a[0] | b[0],)

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        return (np.logical_or.reduceat(partial[0], starts),)

    def slices(self, partial: Partial, starts: Places, ends: Places) -> Partial:
        (flags,) = partial
        if flags.all():
            return (ends > starts,)
        if not flags.any():
            return self.identity(len(starts))
        before = np.zeros(len(flags) + 1, np.int32)
        np.cumsum(flags, out=before[1:])
        return (before.take(ends) > before.take(starts),)
