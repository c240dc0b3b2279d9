"""Counts, sums, means and extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.fluent.functions.aggregated import Aggregated, called, operand

if TYPE_CHECKING:
    from transom.fluent.functions.aggregated import Operand


def count(column: Operand = "*") -> Aggregated:
    """The number of rows, or of values that are not NULL.

    >>> count(), count("speed")
    (COUNT(*), COUNT(speed))
    """
    return called("count", column)


def count_distinct(column: Operand, *columns: Operand) -> Aggregated:
    """The number of different values, or of different rows of several columns.

    >>> count_distinct("vehicle")
    COUNT(DISTINCT vehicle)
    """
    return _distinct("count", column, *columns)


def count_if(condition: Operand) -> Aggregated:
    """The number of rows for which a condition is true.

    >>> count_if("speed > 120")
    COUNT_IF(speed > 120)
    """
    return called("count_if", condition)


def approx_count_distinct(column: Operand) -> Aggregated:
    """The number of different values, estimated.

    >>> approx_count_distinct("vehicle")
    APPROX_COUNT_DISTINCT(vehicle)
    """
    return called("approx_count_distinct", column)


def sum(column: Operand) -> Aggregated:
    """The sum of a column.

    >>> sum("fuel")
    SUM(fuel)
    """
    return called("sum", column)


def sum_distinct(column: Operand) -> Aggregated:
    """The sum of the different values of a column.

    >>> sum_distinct("fuel")
    SUM(DISTINCT fuel)
    """
    return _distinct("sum", column)


def avg(column: Operand) -> Aggregated:
    """The mean of a column.

    >>> avg("speed")
    AVG(speed)
    """
    return called("avg", column)


mean = avg


def min(column: Operand) -> Aggregated:
    """The smallest value of a column.

    >>> min("speed")
    MIN(speed)
    """
    return called("min", column)


def max(column: Operand) -> Aggregated:
    """The largest value of a column.

    >>> max("speed")
    MAX(speed)
    """
    return called("max", column)


def bool_and(condition: Operand) -> Aggregated:
    """Whether a condition is true for all rows.

    >>> bool_and("speed < 120")
    BOOL_AND(speed < 120)
    """
    return called("bool_and", condition)


def bool_or(condition: Operand) -> Aggregated:
    """Whether a condition is true for at least one row.

    >>> bool_or("speed > 120")
    BOOL_OR(speed > 120)
    """
    return called("bool_or", condition)


def _distinct(function: str, *columns: Operand) -> Aggregated:
    places = ", ".join(f"{{{n}}}" for n in range(len(columns)))
    return Aggregated(f"{function}(DISTINCT {places})", tuple(operand(one) for one in columns))
