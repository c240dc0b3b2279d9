"""Sums of doubles, carried in twice the precision: an unevaluated sum of two doubles, the second the error of the first.

The result hardly ever depends on how a window was cut into panes, and is what exact addition would round to.
source: Dekker, A floating-point technique for extending the available precision (1971); Knuth's TwoSum
"""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.monoid import Monoid
from transom.kernels.aggregates.partial import Field, Partial


def two_sum(a: Field, b: Field) -> Partial:
    """The rounded sum and its error, exactly."""
    total = a + b
    virtual = total - a
    return total, (a - (total - virtual)) + (b - virtual)


def quick_two_sum(a: Field, b: Field) -> Partial:
    """The same, where |a| >= |b|."""
    total = a + b
    return total, b - (total - a)


def two_product(a: Field, b: Field) -> Partial:
    """The rounded product and its error, exactly, short of overflow."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _split(a: Field) -> Partial:
    scaled = a * 134217729.0
    high = scaled - (scaled - a)
    return high, a - high


def add(a: Partial, b: Partial) -> Partial:
    """The sum; what overflows is an infinity without an error."""
    with np.errstate(invalid="ignore", over="ignore"):
        total, error = two_sum(a[0], b[0])
        error += a[1]
        error += b[1]
        high, low = quick_two_sum(total, error)
    if not np.isfinite(low).all():
        fine = np.isfinite(low)
        high, low = np.where(fine, high, total), np.where(fine, low, 0.0)
    return high, low


class DoubleDouble(Monoid):
    """Addition. There is no inverse: subtracting what has left would leave its rounding errors behind."""

    width = 2

    def identity(self, n: int) -> Partial:
        return np.zeros(n), np.zeros(n)

    def combine(self, a: Partial, b: Partial) -> Partial:
        return add(a, b)
