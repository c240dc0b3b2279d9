"""Lengths: of time, in rows, or plain numbers; and their unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from transom.errors import MixedUnits, NotALength, NotAName, NotPositive, SlideTooSmall
from transom.semantics.elapsed import Elapsed
from transom.semantics.time import Duration, micros_of

MOST_STEPS = 2**51
"""Beyond this many steps doubles no longer tell one from the next."""

MOST_DIGITS = 18
"""After the point, of numbers that 64 bits and a scale still tell apart."""

Number = int | float | Fraction
"""A value on the axis a window is cut on: exact for integers, decimals and time; IEEE for doubles."""


@dataclass(frozen=True, order=True)
class Rows:
    """A length counted in rows."""

    count: int

    def __post_init__(self) -> None:
        if not isinstance(self.count, int) or isinstance(self.count, bool):
            raise NotALength("rows are counted in whole numbers", given=repr(self.count), remedy="give an integer")

    def __str__(self) -> str:
        return f"{self.count} row{'' if self.count == 1 else 's'}"


def rows(count: int) -> Rows:
    """A length of `count` rows.

    >>> rows(100)
    Rows(count=100)
    """
    return Rows(count)


Length = Duration | Rows | int | float | Decimal
Value = int | float | Decimal | datetime | date | Elapsed


class Unit(Enum):
    """What a length, or a windowing attribute, is measured in."""

    TIME = "time"
    ROWS = "rows"
    NUMBER = "number"


def unit_of(length: object) -> Unit:
    """The unit of a length or of a value."""
    if isinstance(length, Duration | date | Elapsed):
        return Unit.TIME
    if isinstance(length, Rows):
        return Unit.ROWS
    if isinstance(length, int | float | Decimal) and not isinstance(length, bool):
        return Unit.NUMBER
    raise NotALength(
        "this is neither a duration, nor rows, nor a number", given=repr(length), remedy="use seconds(300), rows(100) or a number"
    )


def measure(length: Length | Value) -> Number:
    """A length or value as a number on the axis. Decimals become fractions, so that nothing is rounded."""
    if isinstance(length, Duration | Elapsed):
        return length.micros
    if isinstance(length, Rows):
        return length.count
    if isinstance(length, date):
        return micros_of(length)
    if isinstance(length, Decimal):
        if not length.is_finite():
            raise NotALength("a length is finite", given=str(length), remedy="give a finite number")
        return Fraction(length)
    if isinstance(length, float) and math.isnan(length):
        raise NotALength("NaN is no place on an axis", given="NaN", remedy="give a number")
    return length


def digits_of(lengths: Iterable[Length | Value]) -> int | None:
    """How many digits after the point all of these need; None if no number of them will do, or more than 18.

    >>> digits_of([2, 0.5, Decimal("0.25")])
    2
    """
    numbers = [measure(length) for length in lengths]
    if any(isinstance(number, float) and math.isinf(number) for number in numbers):
        return None
    fine = math.lcm(*(Fraction(number).denominator for number in numbers))
    return next((digits for digits in range(MOST_DIGITS + 1) if 10**digits % fine == 0), None)


def divide(length: Number, step: Number) -> tuple[int, Number]:
    """How often `step` goes into `length`, and what is left.

    A double that is a multiple but for rounding is a multiple: 0.1 goes into 0.3 three times.
    """
    if isinstance(length, float) or isinstance(step, float):
        if not length / step < MOST_STEPS:
            raise SlideTooSmall(
                "a length is too many steps long for doubles", given=f"{length} by {step}", remedy="use a larger SLIDE"
            )
        nearest = round(length / step)
        if nearest and math.isclose(nearest * step, length, rel_tol=1e-12):
            return nearest, 0.0
    return int(length // step), length % step


def positive(clause: str, length: Length) -> Number:
    """The measure of a length that must be finite and greater than zero."""
    if isinstance(length, date | Elapsed):
        raise NotALength(f"{clause} is a length, not a point in time", given=str(length), remedy="use seconds(300) and the like")
    unit_of(length)
    number = measure(length)
    if not number > 0 or (isinstance(number, float) and math.isinf(number)):
        raise NotPositive(f"{clause} must be greater than zero", given=str(length), remedy="give a positive length")
    return number


def on_attribute(**clauses: Length | Value | None) -> Unit:
    """The one unit of clauses that are measured on an attribute: time or numbers, not rows."""
    unit = same_unit(**clauses)
    if unit is Unit.ROWS:
        given = ", ".join(f"{clause.upper()} {value}" for clause, value in clauses.items() if value is not None)
        raise MixedUnits(
            "rows are counted, not measured on an attribute",
            given=given,
            remedy="use a row window: RANGE n ROWS, in Python RowWindow",
        )
    return unit


def attribute_name(clause: str, value: object) -> str:
    """The name of an attribute."""
    if not isinstance(value, str) or not value:
        raise NotAName(f"{clause} names an attribute", given=repr(value), remedy="give the name of a column")
    return value


def names_of(clause: str, value: object) -> tuple[str, ...]:
    """One name, or several."""
    several = (value,) if isinstance(value, str) else value
    if not isinstance(several, tuple | list):
        raise NotAName(f"{clause} names columns", given=repr(value), remedy="give a name, or a tuple of names")
    return tuple(attribute_name(clause, name) for name in several)


def same_unit(**clauses: Length | Value | None) -> Unit:
    """The one unit of all the clauses that are given."""
    given = {clause: value for clause, value in clauses.items() if value is not None}
    units = {clause: unit_of(value) for clause, value in given.items()}
    if len(set(units.values())) != 1:
        raise MixedUnits(
            "the lengths of one window must be in the same unit",
            given=", ".join(f"{clause.upper()} {given[clause]} ({unit.value})" for clause, unit in units.items()),
            remedy="measure them all in time, all in rows, or all in plain numbers",
        )
    return next(iter(units.values()))
