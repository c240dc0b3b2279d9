"""Counts: 64-bit integers that are added."""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Field, Partial, Places


class RowCount(Monoid):
    """A number of rows."""

    invertible = True

    def identity(self, n: int) -> Partial:
        return (np.zeros(n, np.int64),)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return (a[0] + b[0],)

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        return (np.add.reduceat(partial[0], starts),)

    def scan(self, partial: Partial) -> Partial:
        return (_prefixes(partial[0]),)

    def remove(self, whole: Partial, front: Partial) -> Partial:
        return (whole[0] - front[0],)

    def slices(self, partial: Partial, starts: Places, ends: Places) -> Partial:
        if (partial[0] == 1).all():  # rows without NULLs, which most columns are made of
            return (ends - starts,)
        return super().slices(partial, starts, ends)


class WideInteger(Monoid):
    """An integer of 96 bits in two fields, high * 2^32 + low with 0 <= low < 2^32.

    The sum of 2^31 integers of 64 bits, or of decimals of 18 digits, cannot overflow on the way.
    """

    width = 2
    invertible = True

    def identity(self, n: int) -> Partial:
        return np.zeros(n, np.int64), np.zeros(n, np.int64)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return carried(a[0] + b[0], a[1] + b[1])

    def reduce(self, partial: Partial, starts: Places) -> Partial:
        high, low = partial
        return carried(np.add.reduceat(high, starts), np.add.reduceat(low, starts))

    def scan(self, partial: Partial) -> Partial:
        return _prefixes(partial[0]), _prefixes(partial[1])

    def remove(self, whole: Partial, front: Partial) -> Partial:
        return carried(whole[0] - front[0], whole[1] - front[1])

    @staticmethod
    def lift(integers: Field) -> Partial:
        integers = integers.astype(np.int64, copy=False)
        return integers >> 32, integers & 0xFFFFFFFF


def _prefixes(field: Field) -> Field:
    before = np.zeros(len(field) + 1, np.int64)
    np.cumsum(field, out=before[1:])
    return before


def carried(high: Field, low: Field) -> Partial:
    return high + (low >> 32), low & 0xFFFFFFFF
