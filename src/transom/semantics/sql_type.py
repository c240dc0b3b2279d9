"""SQL types as objects, parsed in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

TIME_TYPES = ("TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "DATE")
INTEGER_TYPES = ("TINYINT", "SMALLINT", "INT", "BIGINT")
FLOATING_TYPES = ("FLOAT", "DOUBLE")
NESTED_TYPES = ("ARRAY", "MAP", "STRUCT", "VARIANT")
TEXT_TYPES = ("STRING", "VARCHAR", "CHAR", "BINARY")
NUMBER_TYPES = (*INTEGER_TYPES, *FLOATING_TYPES, "DECIMAL")

LANE_DIGITS = 18
"""Digits of a decimal that fits into a 64-bit integer; of longer ones no partial aggregates of fixed width are kept."""

_SHAPE = re.compile(r"\s*(\w+)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?")


@dataclass(frozen=True)
class SqlType:
    """A type: its name in upper case; of a DECIMAL its precision and scale.

    >>> SqlType.of("decimal(10, 2)")
    SqlType(name='DECIMAL', precision=10, scale=2)
    >>> SqlType.of("DECIMAL").scale, SqlType.of("ARRAY<INT>").name
    (0, 'ARRAY')
    """

    name: str
    precision: int | None = None
    scale: int | None = None

    @staticmethod
    def of(text: str) -> SqlType:
        """The type that Spark SQL writes so. A DECIMAL without digits has ten, none of them after the point, as in Spark."""
        return _parsed(text)

    @property
    def is_time(self) -> bool:
        return self.name in TIME_TYPES

    @property
    def is_integer(self) -> bool:
        return self.name in INTEGER_TYPES

    @property
    def is_floating(self) -> bool:
        return self.name in FLOATING_TYPES

    @property
    def is_decimal(self) -> bool:
        return self.name == "DECIMAL"

    @property
    def is_number(self) -> bool:
        return self.name in NUMBER_TYPES

    @property
    def is_nested(self) -> bool:
        return self.name in NESTED_TYPES

    @property
    def digits(self) -> int | None:
        """How many digits an exact number has after its point; None of what is no exact number."""
        return 0 if self.is_integer else self.scale

    @property
    def has_lane(self) -> bool:
        """Whether a 64-bit lane holds its values, so that partial aggregates of fixed width exist. Unknown types are taken to."""
        if self.is_decimal:
            return (self.precision or 0) <= LANE_DIGITS
        return not self.is_nested and self.name not in TEXT_TYPES


@lru_cache(maxsize=1024)
def _parsed(text: str) -> SqlType:
    found = _SHAPE.match(text.upper())
    name, precision, scale = found.groups() if found is not None else (text.upper(), None, None)
    if name != "DECIMAL":
        return SqlType(str(name))
    return SqlType("DECIMAL", int(precision or 10), int(scale or 0))
