"""Types that random windows are cut on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from transom.semantics import (
    Duration,
)
from transom.semantics.time import EPOCH

DAY = 86_400_000_000


@dataclass(frozen=True)
class Axis:
    """A type to cut windows on: the value and the length that a whole number stands for."""

    type: str
    at: Callable[[int], Any]
    span: Callable[[int], Any]
    odd: tuple[Any, ...] = (None,)


AXES = {
    "bigint": Axis("bigint", lambda n: n, lambda n: n),
    "int": Axis("int", lambda n: n, lambda n: n),
    "pairs": Axis("bigint", lambda n: n, lambda n: 2 * n),
    "timestamp": Axis("timestamp", lambda n: EPOCH + timedelta(milliseconds=500 * n), lambda n: Duration(500_000 * n)),
    "date": Axis("date", lambda n: date(1970, 1, 1) + timedelta(days=n), lambda n: Duration(DAY * n)),
    "half days": Axis("date", lambda n: date(1970, 1, 1) + timedelta(days=n), lambda n: Duration(DAY // 2 * n)),
    "double": Axis("double", lambda n: n * 0.1, lambda n: n * 0.1, (None, math.nan, math.inf, -math.inf)),
    "thirds": Axis("double", lambda n: n / 3, lambda n: n / 3, (None, math.nan)),
    "decimal": Axis("decimal", lambda n: Decimal(n) / 10, lambda n: Decimal(n) / 10),
    "fine decimal": Axis("decimal", lambda n: Decimal(n) / 8, lambda n: Decimal(n) / 16),
}
