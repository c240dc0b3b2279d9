"""Means, and sums of powers of the deviations from them.

Means are carried in twice the precision, so that the difference of two of them is good even where they are far from zero.
source: Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for computing sample variances (1979);
        for the third and fourth moments Pébay, Formulas for robust, one-pass parallel computation of covariances (2008)
"""

from __future__ import annotations

import numpy as np

from transom.kernels.aggregates.double_double import add
from transom.kernels.aggregates.monoids.monoid import Monoid
from transom.kernels.aggregates.partial import Field, Partial


def _moved(a: Partial, b: Partial, share: Field) -> tuple[Field, Partial]:
    """The distance from mean a to mean b, and the mean that lies this share of the way along."""
    high, low = add(b, (-a[0], -a[1]))
    return high + low, add(a, (high * share, low * share))


class CentredPowers(Monoid):
    """Fields: the number of values, the mean in two, and the sums of the powers of the deviations from the second on."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.width = order + 2

    def identity(self, n: int) -> Partial:
        return tuple(np.zeros(n) for _ in range(self.width))

    def combine(self, a: Partial, b: Partial) -> Partial:
        (na, *_), (nb, *_) = a, b
        n = np.maximum(na + nb, 1.0)
        share = nb / n
        d, mean = _moved(a[1:3], b[1:3], share)
        reach = d * (na * share)
        powers = [a[3] + b[3] + reach * d]
        if self.order > 2:
            mixed = 3 * d * (na * b[3] - nb * a[3]) / n
            powers.append(a[4] + b[4] + reach * d * d * (na - nb) / n + mixed)
        if self.order > 3:
            squares = reach * d * d * d * (na * na - na * nb + nb * nb) / (n * n)
            mixed = 6 * d * d * (na * na * b[3] + nb * nb * a[3]) / (n * n) + 4 * d * (na * b[4] - nb * a[4]) / n
            powers.append(a[5] + b[5] + squares + mixed)
        return na + nb, *mean, *powers


class CentredProducts(Monoid):
    """Fields: the number of pairs, both means in two each, and the sums of the products xx, yy and xy of the deviations."""

    width = 8

    def identity(self, n: int) -> Partial:
        return tuple(np.zeros(n) for _ in range(self.width))

    def combine(self, a: Partial, b: Partial) -> Partial:
        na, nb = a[0], b[0]
        share = nb / np.maximum(na + nb, 1.0)
        dx, mean_x = _moved(a[1:3], b[1:3], share)
        dy, mean_y = _moved(a[3:5], b[3:5], share)
        reach = na * share
        xx, yy, xy = a[5] + b[5] + reach * dx * dx, a[6] + b[6] + reach * dy * dy, a[7] + b[7] + reach * dx * dy
        return na + nb, *mean_x, *mean_y, xx, yy, xy
