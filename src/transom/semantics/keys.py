"""Values as keys: NULL is a key like any other, and so is NaN, which is not equal to itself."""

from __future__ import annotations

import math
from typing import Any

NAN = float("nan")


def key(value: Any) -> Any:
    """The value, with one and the same NaN for all NaNs, so that tuples of keys compare as SQL's groups do. Arrays become tuples
    of keys."""
    if isinstance(value, list):
        return tuple(map(key, value))
    return NAN if isinstance(value, float) and math.isnan(value) else value


def same_key(a: Any, b: Any) -> bool:
    """Whether two values are one key."""
    return (key(a),) == (key(b),)
