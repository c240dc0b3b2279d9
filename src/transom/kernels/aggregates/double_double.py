"""Doubles in twice the precision: an unevaluated sum of two doubles, the second the error of the first.

source: Dekker, A floating-point technique for extending the available precision (1971); Knuth's TwoSum
"""

from __future__ import annotations

import numpy as np

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
