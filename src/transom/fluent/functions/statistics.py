"""Spread, shape, correlation, and where most values are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from transom.errors import NotSupported
from transom.fluent.functions.aggregated import Aggregated, called, operand

if TYPE_CHECKING:
    from transom.fluent.functions.aggregated import Operand


def stddev_samp(column: Operand) -> Aggregated:
    """The sample standard deviation; `stddev` is the same.

    >>> stddev_samp("speed")
    STDDEV_SAMP(speed)
    """
    return called("stddev_samp", column)


def stddev_pop(column: Operand) -> Aggregated:
    """The standard deviation of a whole population.

    >>> stddev_pop("speed")
    STDDEV_POP(speed)
    """
    return called("stddev_pop", column)


def var_samp(column: Operand) -> Aggregated:
    """The sample variance; `variance` is the same.

    >>> var_samp("speed")
    VARIANCE(speed)
    """
    return called("var_samp", column)


def var_pop(column: Operand) -> Aggregated:
    """The variance of a whole population.

    >>> var_pop("speed")
    VAR_POP(speed)
    """
    return called("var_pop", column)


def skewness(column: Operand) -> Aggregated:
    """The skewness.

    >>> skewness("speed")
    SKEWNESS(speed)
    """
    return called("skewness", column)


def kurtosis(column: Operand) -> Aggregated:
    """The excess kurtosis.

    >>> kurtosis("speed")
    KURTOSIS(speed)
    """
    return called("kurtosis", column)


def corr(one: Operand, other: Operand) -> Aggregated:
    """The Pearson correlation of two columns.

    >>> corr("speed", "fuel")
    CORR(speed, fuel)
    """
    return called("corr", one, other)


def covar_pop(one: Operand, other: Operand) -> Aggregated:
    """The covariance of two columns of a whole population.

    >>> covar_pop("speed", "fuel")
    COVAR_POP(speed, fuel)
    """
    return called("covar_pop", one, other)


def covar_samp(one: Operand, other: Operand) -> Aggregated:
    """The sample covariance of two columns.

    >>> covar_samp("speed", "fuel")
    COVAR_SAMP(speed, fuel)
    """
    return called("covar_samp", one, other)


def median(column: Operand) -> Aggregated:
    """The median, interpolated.

    >>> median("speed")
    MEDIAN(speed)
    """
    return called("median", column)


def percentile(column: Operand, percentage: float) -> Aggregated:
    """The exact percentile, interpolated; `percentage` is from 0 to 1.

    >>> percentile("speed", 0.95)
    PERCENTILE(speed, 0.95)
    """
    return Aggregated(f"percentile({{0}}, {_share(percentage)})", (operand(column),))


def approx_percentile(column: Operand, percentage: float) -> Aggregated:
    """A value of the column that is about at a percentage, from 0 to 1; `percentile_approx` is the same.

    >>> approx_percentile("speed", 0.95)
    PERCENTILE_APPROX(speed, 0.95)
    """
    return Aggregated(f"approx_percentile({{0}}, {_share(percentage)})", (operand(column),))


def mode(column: Operand) -> Aggregated:
    """The value that is there most often.

    >>> mode("seg_id")
    MODE(seg_id)
    """
    return called("mode", column)


def approx_top_k(column: Operand, k: int = 5) -> Aggregated:
    """The `k` values that are there most often, each with its count.

    >>> approx_top_k("seg_id", 3)
    APPROX_TOP_K(seg_id, 3)
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise NotSupported("k is a number of values", given=f"k={k!r}", remedy="give a whole number above zero")
    return Aggregated(f"approx_top_k({{0}}, {k})", (operand(column),))


def _share(percentage: float | Sequence[float]) -> float:
    if isinstance(percentage, bool) or not isinstance(percentage, int | float) or not 0 <= percentage <= 1:
        raise NotSupported(
            "a percentage is one number from 0 to 1", given=repr(percentage), remedy="give 0.95; ask for each by itself"
        )
    return percentage


stddev, variance, percentile_approx = stddev_samp, var_samp, approx_percentile
