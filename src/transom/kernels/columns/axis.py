"""The axis of a window as arrays: 64-bit integers (microseconds, or scaled numbers), or doubles.

All intervals here are half open, also those that are closed by definition: their upper bound is the next number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.errors import WindowIdOutOfRange
from transom.kernels.columns.arrays import Array, Bools
from transom.semantics.length import Number

NOTHING_YET = -(2**62)
EVERYTHING = 2**62
FARTHEST = 2**61
"""Places and lengths are at most so large, so that what is a length beyond a place has a place, too."""


@dataclass(frozen=True)
class Axis:
    """`factor` is the number of integers to one unit of the attribute; None is an axis of doubles."""

    factor: int | None = 1

    @property
    def dtype(self) -> Any:
        return np.float64 if self.factor is None else np.int64

    @property
    def nothing_yet(self) -> Any:
        return -math.inf if self.factor is None else NOTHING_YET

    @property
    def everything(self) -> Any:
        return math.inf if self.factor is None else EVERYTHING

    def numbers(self, column: pa.Array) -> tuple[Array, Bools]:
        """The places of values, and which values have one: NULL, NaN and infinities have none."""
        valid = np.asarray(column.is_valid()) if column.null_count else np.ones(len(column), bool)
        if self.factor is None:
            values = np.asarray(pc.fill_null(column.cast(pa.float64()), math.nan))
            return values, np.isfinite(values)
        if pa.types.is_decimal(column.type):
            unscaled = [0 if value is None else int(value * self.factor) for value in column.to_pylist()]
            return self._places(max(map(abs, unscaled), default=0), lambda: np.array(unscaled, np.int64)), valid
        if pa.types.is_date(column.type):
            column = column.cast(pa.timestamp("us"))
        column = column.cast(pa.int64())
        whole = (pc.fill_null(column, 0) if column.null_count else column).to_numpy(zero_copy_only=False)
        farthest = max(-int(whole.min(initial=0)), int(whole.max(initial=0)))
        return self._places(farthest * self.factor, lambda: whole if self.factor == 1 else whole * self.factor), valid

    def _places(self, farthest: int, places: Callable[[], Array]) -> Array:
        if farthest > FARTHEST:
            raise too_far("a value", Fraction(farthest, self.factor or 1), self.factor)
        return places()

    def number(self, x: Number) -> Any:
        """A bound on the axis; of what lies between two numbers, the upper: a < x is a < number(x)."""
        if self.factor is not None:
            if isinstance(x, float) and math.isinf(x):
                return self.everything if x > 0 else self.nothing_yet
            return math.ceil(Fraction(x) * self.factor)
        near = float(x)
        return math.nextafter(near, math.inf) if math.isfinite(near) and Fraction(near) < Fraction(x) else near

    def after(self, place: Any) -> Any:
        """The next number: a <= x is a < after(x)."""
        return np.nextafter(place, math.inf) if self.factor is None else place + 1

    def values(self, places: Array, type: pa.DataType, empty: Bools | None = None) -> pa.Array:
        """Numbers as values again, of the attribute's type or of a wider one."""
        if self.factor is None:
            return pa.array(places, pa.float64(), mask=empty).cast(type)
        if pa.types.is_decimal(type):
            last = Decimal(1).scaleb(-type.scale)
            with localcontext(prec=76):
                exact = [(Decimal(x) / self.factor).quantize(last) for x in places.tolist()]
            return pa.array(exact if empty is None else [None if no else x for x, no in zip(exact, empty, strict=True)], type)
        whole = places if self.factor == 1 else (places - np.fmod(places, self.factor)) // self.factor
        return pa.array(whole, mask=empty).cast(type, safe=False)


def too_far(what: str, number: Fraction, factor: int | None) -> WindowIdOutOfRange:
    """The error of a value, or a length, that has no room on an axis of integers."""
    return WindowIdOutOfRange(
        f"{what} is too far from 0 to be placed on the axis in 64 bits",
        given=f"{number}, in steps of 1/{factor}",
        remedy="use lengths with fewer digits, or doubles",
    )


NATURAL = Axis()
"""The axis of row numbers and of everything that is counted."""
