"""The exact built-in aggregates, as plain functions over all rows of a group, in the order of the window.

A row is the list of the aggregate's arguments. As in SQL, NULLs do not count, and of nothing there is no value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sqlglot import exp

from transom.scalar.sql_values import exact_decimal, order_key
from transom.semantics.keys import key

Row = Sequence[Any]


def _present(rows: Sequence[Row]) -> list[Any]:
    return [row[0] for row in rows if row[0] is not None]


def _total(values: list[Any]) -> Any:
    """A sum without accumulated rounding, so that the order of the rows cannot matter."""
    if any(isinstance(value, float) for value in values):
        try:
            return math.fsum(values)
        except (OverflowError, ValueError):
            return sum(map(float, values))
    if any(isinstance(value, Decimal) for value in values):
        return exact_decimal(sum(map(Fraction, values), Fraction(0)))
    return sum(values)


def count(rows: Sequence[Row]) -> int:
    """Rows in which no argument is NULL."""
    return sum(1 for row in rows if None not in row)


def total(rows: Sequence[Row]) -> Any:
    values = _present(rows)
    return _total(values) if values else None


def average(rows: Sequence[Row]) -> Any:
    values = _present(rows)
    return _total(values) / len(values) if values else None


def smallest(rows: Sequence[Row]) -> Any:
    return min(_present(rows), key=order_key, default=None)


def largest(rows: Sequence[Row]) -> Any:
    return max(_present(rows), key=order_key, default=None)


def _squares(rows: Sequence[Row]) -> tuple[int, Fraction | float]:
    """The number of values, and the sum of their squared deviations from the mean."""
    present = _present(rows)
    if not all(map(_is_finite, present)):
        return len(present), math.nan
    values = [Fraction(value) for value in present]
    if not values:
        return 0, 0.0
    mean = sum(values) / len(values)
    return len(values), sum(((value - mean) ** 2 for value in values), Fraction(0))


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def variance_population(rows: Sequence[Row]) -> float | None:
    n, squares = _squares(rows)
    return float(squares / n) if n else None


def variance_sample(rows: Sequence[Row]) -> float | None:
    n, squares = _squares(rows)
    return float(squares / (n - 1)) if n > 1 else None


def _root(variance: Callable[[Sequence[Row]], float | None]) -> Callable[[Sequence[Row]], float | None]:
    def deviation(rows: Sequence[Row]) -> float | None:
        value = variance(rows)
        return None if value is None else math.sqrt(value)

    return deviation


def first_value(rows: Sequence[Row]) -> Any:
    return rows[0][0] if rows else None


def last_value(rows: Sequence[Row]) -> Any:
    return rows[-1][0] if rows else None


def _percentile(values: list[Any], p: float) -> float | None:
    """The exact percentile, interpolated between neighbours."""
    if not values:
        return None
    ordered = sorted(values, key=order_key)
    if not 0 <= p <= 1:
        raise ValueError("a percentile lies between 0 and 1")
    place = p * (len(ordered) - 1)
    below = math.floor(place)
    low = float(ordered[below])
    if place == below:
        return low
    high = float(ordered[below + 1])
    return low if low == high else low * (below + 1 - place) + high * (place - below)


def percentile(rows: Sequence[Row]) -> float | None:
    return _percentile(_present(rows), float(rows[0][1])) if rows else None


def median(rows: Sequence[Row]) -> float | None:
    return _percentile(_present(rows), 0.5)


def collect_list(rows: Sequence[Row]) -> list[Any]:
    return _present(rows)


def collect_set(rows: Sequence[Row]) -> list[Any]:
    """Without order in SQL; here sorted, so that two results can be compared."""
    return sorted({key(value): value for value in _present(rows)}.values(), key=order_key)


def concatenate(rows: Sequence[Row]) -> str | None:
    values = _present(rows)
    separator = rows[0][1] if rows and len(rows[0]) > 1 else ""
    return separator.join(values) if values else None


def smallest_by(rows: Sequence[Row]) -> Any:
    ranked = [row for row in rows if row[1] is not None]
    return min(ranked, key=lambda row: order_key(row[1]))[0] if ranked else None


def largest_by(rows: Sequence[Row]) -> Any:
    ranked = [row for row in rows if row[1] is not None]
    return max(ranked, key=lambda row: order_key(row[1]))[0] if ranked else None


def correlation(rows: Sequence[Row]) -> float | None:
    present = [(x, y) for x, y in rows if x is not None and y is not None]
    sides = [{pair[side] for pair in present} for side in (0, 1)]
    if any(len(values) < 2 and all(map(_is_finite, values)) for values in sides):
        return None
    if not all(_is_finite(value) for pair in present for value in pair):
        return math.nan
    pairs = [(Fraction(x), Fraction(y)) for x, y in present]
    mean_x, mean_y = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    xy = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    xx, yy = sum((x - mean_x) ** 2 for x, _ in pairs), sum((y - mean_y) ** 2 for _, y in pairs)
    return float(xy) / math.sqrt(xx * yy)


AGGREGATES: dict[type[exp.Expr], Callable[[Sequence[Row]], Any]] = {
    exp.Count: count,
    exp.Sum: total,
    exp.Avg: average,
    exp.Min: smallest,
    exp.Max: largest,
    exp.VariancePop: variance_population,
    exp.Variance: variance_sample,
    exp.StddevPop: _root(variance_population),
    exp.Stddev: _root(variance_sample),
    exp.StddevSamp: _root(variance_sample),
    exp.First: first_value,
    exp.Last: last_value,
    exp.FirstValue: first_value,
    exp.LastValue: last_value,
    exp.Median: median,
    exp.Quantile: percentile,
    exp.ArrayAgg: collect_list,
    exp.ArrayUniqueAgg: collect_set,
    exp.GroupConcat: concatenate,
    exp.ArgMin: smallest_by,
    exp.ArgMax: largest_by,
    exp.Corr: correlation,
}

ORDER_SENSITIVE = (exp.First, exp.Last, exp.FirstValue, exp.LastValue, exp.ArrayAgg, exp.GroupConcat, exp.ArgMin, exp.ArgMax)
"""Aggregates whose value can depend on the order of rows with equal timestamps."""
