"""Where a tuple stands on the attribute of a delta policy, when that is not simply further than all before it."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from numbers import Number as AnyNumber
from typing import Any

from transom.errors import NotOrdered, WrongUnit
from transom.semantics.length import Unit, unit_of
from transom.semantics.time import Duration
from transom.windowing.policies.periods import timedelta_of
from transom.windowing.policies.policy import Delta


class Places:
    """The places of one delta policy, shared by all partitions.

    `most` is the largest value that can be compared without a second look. Until a tuple has come it is None, which compares with
    nothing, so that the first value is looked at.
    """

    def __init__(self, policy: Delta) -> None:
        self.attribute = policy.attribute
        self.threshold: Any = timedelta_of(policy.threshold) if isinstance(policy.threshold, Duration) else policy.threshold
        self.unit = unit_of(policy.threshold)
        self.most: Any = None
        self.back = 0

    def settle(self, value: Any, reached: Any) -> Any:
        """The place of a value that is the first of its partition, or no further than those before; None if it is on no axis."""
        if not on_axis(value):
            return None
        self._check(value)
        if self.most is None:
            self.most = _largest(value)
        try:
            if reached is None or value >= reached:
                return value
        except TypeError:
            raise NotOrdered(
                f"values of {self.attribute!r} cannot be compared", given=f"{value!r} after {reached!r}", remedy="use one type"
            ) from None
        self.back += 1
        return reached

    def _check(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, AnyNumber | Decimal | date):
            raise NotOrdered(
                f"delta needs an attribute that is measured, and {self.attribute!r} is a {type(value).__name__}",
                given=repr(value),
                remedy="use a number, a timestamp or a date",
            )
        unit = Unit.TIME if isinstance(value, date) else Unit.NUMBER
        if unit is not self.unit:
            raise WrongUnit(
                f"the threshold on {self.attribute!r} is in another unit than its values",
                given=f"{value!r}, and a threshold of {self.threshold}",
                remedy='on timestamps write seconds(10) or "10 seconds", on numbers a number',
            )


def on_axis(value: Any) -> bool:
    """NULL, NaN and infinities are nowhere."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Decimal):
        return value.is_finite()
    return value is not None and bool(value == value)  # NaT does not equal itself


LARGEST_INTEGER = 2**127
LARGEST_DOUBLE = 1.7976931348623157e308


def _largest(value: Any) -> Any:
    """What no finite value of this type is above."""
    if isinstance(value, datetime):
        return datetime.max if value.tzinfo is None else datetime.max.replace(tzinfo=UTC)
    if isinstance(value, date):
        return date.max
    return LARGEST_INTEGER if isinstance(value, int) else LARGEST_DOUBLE
