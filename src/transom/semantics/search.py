"""Finding window-ids by comparing with the bounds themselves.

A closed formula for an id, floor((a - o) / s), disagrees with the bounds o + w * s as soon as doubles are
rounded. Searching over the ids with the very comparison that defines the extent cannot disagree.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from transom.errors import WindowIdOutOfRange
from transom.semantics.length import Number

MAX_ID = 2**63 - 1
MAX_EXACT_DOUBLE_ID = 2**51
MOST_WINDOWS = 100_000
"""More windows than one tuple can be listed in, one by one."""


def first(holds: Callable[[int], bool], *, limit: int = MAX_ID, near: int = 0) -> int:
    """The smallest integer at which a condition holds that, once it holds, holds for all larger ones. The search begins `near`
    some integer, and is the shorter the nearer that is.

    >>> first(lambda w: w * w * w >= -30)
    -3
    """
    low, high, step = near - 1, near, 1
    while holds(low):
        low, high, step = low - step, low, 2 * step
        _check(low, limit)
    while not holds(high):
        low, high, step = high, high + step, 2 * step
        _check(high, limit)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _check(wid: int, limit: int) -> None:
    if abs(wid) > 2 * limit:
        raise WindowIdOutOfRange(
            "a value lies so far from the origin that window-ids cannot number its windows",
            remedy="use a larger SLIDE, or an ORIGIN nearer to the values",
        )


def id_limit(*numbers: Number) -> int:
    """How far from 0 the ids of a window with these parameters are still exact."""
    return MAX_EXACT_DOUBLE_ID if any(isinstance(number, float) for number in numbers) else MAX_ID


def first_instant(estimate: Number, holds: Callable[[Number], bool]) -> Number:
    """The smallest instant at which a monotone condition holds, given its value in exact arithmetic.

    Only doubles have to be searched, by their place in the order of all doubles.
    """
    if not isinstance(estimate, float):
        return estimate
    place = _place_of_double(estimate)
    return _double_at(place + first(lambda steps: holds(_double_at(place + steps))))


def _place_of_double(value: float) -> int:
    """The place of a double in the order of all doubles, 0 being at 0."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return int(bits) if bits >= 0 else -(int(bits) + 2**63)


def _double_at(place: int) -> float:
    bits = place if place >= 0 else -place - 2**63
    (value,) = struct.unpack("<d", struct.pack("<q", bits))
    return float(value)
