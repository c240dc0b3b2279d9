"""Axes of a picture: from where to where, and which values are written beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from transom.quality.wording import UNITS

MARKS = 5
"""About as many values are written."""
LONGEST = 9
"""Characters fit beside a picture."""
STEPS_OF_TIME = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)


@dataclass(frozen=True)
class Scale:
    """From `low` to `high`, with marks and what is written at each."""

    low: float
    high: float
    marks: tuple[tuple[float, str], ...]

    def at(self, x: float) -> float:
        """Where on it, from 0 to 1."""
        return (x - self.low) / (self.high - self.low)


def of_numbers(values: Sequence[float], unit: str = "", size: float = 1.0, *, whole: bool = False) -> Scale:
    """From zero up. Values are counted in units of a size; of `whole` ones, marks have no fractions.

    >>> [text for _, text in of_numbers([0, 170]).marks]
    ['0', '50', '100', '150', '200']
    >>> [text for _, text in of_numbers([1, 2], whole=True).marks]
    ['0', '1', '2']
    """
    low, high = min([0.0, *values]) / size, max([0.0, *values]) / size
    step = max(_step((high - low) or 1.0), 1.0 if whole else 0.0)
    first, last = math.floor(low / step), max(math.ceil(high / step), 1)
    digits = max(0, -math.floor(math.log10(step)))
    marks = tuple((n * step * size, f"{n * step:,.{digits}f}{unit}") for n in range(first, last + 1))
    return Scale(first * step * size, last * step * size, marks)


def of_lengths(seconds: Sequence[float]) -> Scale:
    """Lengths of time, in the unit of the longest."""
    longest = max([0.0, *seconds])
    size, unit = next(((size, unit) for size, unit in reversed(UNITS) if longest >= size), (1.0, "s"))
    return of_numbers(seconds, f" {unit}", size)


def of_times(seconds: Sequence[float]) -> Scale:
    """Instants, in seconds since the epoch."""
    low, high = min(seconds), max(seconds)
    if high - low < 0.01:
        low, high = low - 0.5, high + 0.5
    step = _step(high - low)
    if step >= 1:
        step = next((float(one) for one in STEPS_OF_TIME if (high - low) / one <= MARKS), 86_400.0 * math.ceil(step / 86_400))
    form = "%Y-%m-%d" if step >= 86_400 else "%H:%M" if step >= 60 else "%H:%M:%S" if step >= 1 else "%H:%M:%S.%f"
    places = (n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1))
    marks = tuple((x, instant(x).strftime(form)[: 11 if step < 1 else None]) for x in places)
    return Scale(low, high, marks)


def around(values: Sequence[float]) -> Scale:
    """Numbers of which zero need not be one. Of long ones the last digits are written, in which they differ.

    >>> [text for _, text in around([97.5, 100]).marks]
    ['97.5', '98.0', '98.5', '99.0', '99.5', '100.0']
    >>> [text for _, text in around([1521911720.8, 1521913720]).marks]
    ['…912,000', '…912,500', '…913,000', '…913,500']
    >>> [text for _, text in around([0, 5e9]).marks]
    ['0', '1e+09', '2e+09', '3e+09', '4e+09', '5e+09']
    """
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = _step(high - low)
    places = (n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1))
    digits = max(0, -math.floor(math.log10(step)))
    at = list(places)
    return Scale(low, high, tuple(zip(at, _short([f"{x:,.{digits}f}" for x in at], at), strict=True)))


def _short(texts: list[str], numbers: list[float]) -> list[str]:
    if all(len(text) <= LONGEST for text in texts):
        return texts
    ends = ["…" + text[1 - LONGEST :].lstrip(",") for text in texts]
    same_sign = min(numbers) > 0 or max(numbers) < 0
    return ends if same_sign and len(set(ends)) == len(ends) else [f"{x:.6g}" for x in numbers]


def instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)


def _step(span: float) -> float:
    """One, two or five times a power of ten."""
    power = 10.0 ** math.floor(math.log10(span / MARKS))
    return next(factor * power for factor in (1, 2, 5, 10) if span / (factor * power) <= MARKS)
