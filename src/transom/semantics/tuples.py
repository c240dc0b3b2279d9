"""Timed tuples, and the attributes a window can be cut on."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from transom.column_names import ARRIVAL_TS, IMPLICIT, ROW_NUM, WINDOW_COLUMNS, beside
from transom.errors import BadTuple, ReservedName, UnknownColumn, nearest
from transom.semantics.length import Number, measure

RESERVED = (*IMPLICIT, *WINDOW_COLUMNS)

_BESIDE = re.compile(f"({'|'.join(name.rstrip(':') for name in beside())})\\d*", re.IGNORECASE)


def check_beside(names: Iterable[str]) -> None:
    """No column is called as one that stands beside it where a query runs: it would be taken for that."""
    for name in names:
        if _BESIDE.fullmatch(name):
            raise ReservedName(
                "a column of this name stands beside those of a stream while a query runs",
                given=name,
                remedy=f"rename the column, for example {name.lstrip('_')!r}",
            )


def check_columns(names: Iterable[str]) -> None:
    """No column of a stream is called as one that it has by itself, or that its windows have; in any case, as in Spark."""
    names = list(names)
    check_beside(names)
    for name in names:
        if name.lower() in RESERVED:
            raise ReservedName(
                "streams and windows have columns of their own",
                given=name,
                exists=RESERVED,
                remedy=f"rename the column {name!r}",
            )


@dataclass(frozen=True)
class Tuple:
    """A tuple of a stream. `arrival` is its identity, `row_num` its position (from 1) among the arrivals counted.

    The two differ in a partition, where row_num counts the arrivals of that partition alone.
    """

    arrival: int
    row_num: int = field(compare=False)
    values: Mapping[str, Any] = field(compare=False)
    arrival_ts: Any = field(compare=False, default=None)

    def __getitem__(self, attribute: str) -> Any:
        if attribute in self.values:
            return self.values[attribute]
        if attribute == ROW_NUM:
            return self.row_num
        if attribute == ARRIVAL_TS:
            return self.arrival_ts
        names = [*self.values, *IMPLICIT]
        raise UnknownColumn("a tuple has no such attribute", given=attribute, exists=names, remedy=nearest(attribute, names))


Tuples = Sequence[Tuple]
"""T, the tuples of a stream, in the order of arrival."""


def number_arrivals(rows: Sequence[Mapping[str, Any]]) -> list[Tuple]:
    """The tuples of a stream that arrive in the order given."""
    return [Tuple(arrival=n, row_num=n, values=row) for n, row in enumerate(rows, start=1)]


def axis_value(value: Any, attribute: str) -> Number | None:
    """A value as a number on the axis; None for NULL and for doubles that are no point on it."""
    if value is None:
        return None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal) and not value.is_finite():
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal | date):
        raise BadTuple(
            f"the windowing attribute {attribute!r} has a value that is not ordered",
            given=repr(value),
            remedy="window over a timestamp, a date or a number",
        )
    return measure(value)


def rank(t: Tuple, attribute: str, tuples: Tuples) -> int:
    """rank(t, attr, T) of seed 000, section 3.3: the position of `t` in the order of `attr`, from 1, ties by arrival."""
    place = (axis_value(t[attribute], attribute), t.arrival)
    others = [(axis_value(u[attribute], attribute), u.arrival) for u in tuples]
    return 1 + sum(1 for other in others if other[0] is not None and other < place)


@dataclass(frozen=True)
class RowNum:
    """The order of arrival."""

    def __str__(self) -> str:
        return ROW_NUM


@dataclass(frozen=True)
class Rank:
    """The order of an attribute, ties by arrival."""

    attribute: str

    def __str__(self) -> str:
        return f"rank({self.attribute})"


Counting = RowNum | Rank
"""What a window that counts tuples counts them in."""


@dataclass(frozen=True)
class Position:
    """A row_num that the tuples carry themselves, as an integer attribute from 1."""

    attribute: str

    def __str__(self) -> str:
        return self.attribute
