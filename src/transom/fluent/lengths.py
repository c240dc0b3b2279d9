"""What Python takes as a length: of time, in rows, or a number."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import cast

from transom.errors import BadDuration, NotALength
from transom.semantics.length import Length, Rows, unit_of
from transom.semantics.time import Duration, parse_duration

LengthLike = Length | timedelta | str
"""`minutes(5)`, `timedelta(minutes=5)`, `"5 minutes"`, `rows(100)`, `"100 rows"`, or a number on a numeric attribute."""

INTERVAL = re.compile(r"^\s*INTERVAL\s+'?(-?[\d.]+)'?\s*", re.IGNORECASE)
"""How Spark begins an interval: `INTERVAL '5' MINUTE`, `interval 5 minutes`."""
ROWS = re.compile(r"\s*(\d+)\s*rows?\s*", re.IGNORECASE)


def length_of(clause: str, value: LengthLike) -> Length:
    """A length, however it is given.

    >>> from datetime import timedelta
    >>> length_of("slide", "5 minutes") == length_of("slide", timedelta(minutes=5))
    True
    >>> length_of("slide", "100 rows")
    Rows(count=100)
    """
    if isinstance(value, timedelta):
        return Duration((value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds)
    if isinstance(value, str):
        value = INTERVAL.sub(r"\1 ", value)
        counted = ROWS.fullmatch(value)
        try:
            return Rows(int(counted[1])) if counted is not None else parse_duration(value)
        except BadDuration:
            raise _not_a_length(clause, value) from None
    plain = value.item() if type(value).__module__ == "numpy" else value  # type: ignore[union-attr]
    if isinstance(plain, timedelta):
        return length_of(clause, plain)
    try:
        unit_of(plain)
    except NotALength:
        raise _not_a_length(clause, value) from None
    return plain


def duration_of(clause: str, value: Duration | timedelta | str | None) -> Duration | None:
    """A length of time, however it is given; what is none is refused where it is used."""
    return None if value is None else cast(Duration, length_of(clause, value))


def _not_a_length(clause: str, value: object) -> NotALength:
    return NotALength(
        f"{clause} is a length",
        given=repr(value),
        remedy='use minutes(5), timedelta(minutes=5), "5 minutes", rows(100) or a number',
    )
