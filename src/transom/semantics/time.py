"""Time: 64-bit microseconds since the epoch, in UTC. The one home of its arithmetic.

An instant on the axis is a plain `int`; a length of time is a `Duration`. Dates are the instants of their
midnights.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

from transom.errors import BadDuration, BadTimestamp, TimeOutOfRange
from transom.semantics.zone import zone_of

MIN_MICROS = -(2**63)
MAX_MICROS = 2**63 - 1
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

MICROS_PER_UNIT = {
    "microsecond": 1,
    "millisecond": 1_000,
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
    "week": 604_800_000_000,
}


def checked(micros: int) -> int:
    """The same number, if it fits into 64 bits."""
    if not MIN_MICROS <= micros <= MAX_MICROS:
        raise TimeOutOfRange("a time does not fit into 64-bit microseconds", given=f"{micros} us", remedy="use a smaller value")
    return micros


@dataclass(frozen=True, order=True)
class Duration:
    """A length of time in microseconds.

    >>> seconds(300) == minutes(5)
    True
    >>> str(minutes(5) + seconds(30))
    '5 minutes 30 seconds'
    """

    micros: int

    def __post_init__(self) -> None:
        if not isinstance(self.micros, int) or isinstance(self.micros, bool):
            raise BadDuration(
                "a duration is a whole number of microseconds", given=repr(self.micros), remedy="use seconds(1.5) and the like"
            )
        checked(self.micros)

    def __add__(self, other: Duration) -> Duration:
        if not isinstance(other, Duration):
            return NotImplemented
        return Duration(self.micros + other.micros)

    def __str__(self) -> str:
        left, parts = abs(self.micros), []
        for unit, size in reversed(MICROS_PER_UNIT.items()):
            count, left = divmod(left, size)
            if count:
                parts.append(f"{count} {unit}{'' if count == 1 else 's'}")
        sign = "-" if self.micros < 0 else ""
        return sign + (" ".join(parts) or "0 seconds")


def _duration(count: float | Fraction, unit: str) -> Duration:
    if (
        isinstance(count, bool)
        or not isinstance(count, int | float | Fraction)
        or (isinstance(count, float) and not math.isfinite(count))
    ):
        raise BadDuration(f"{unit}s are counted in finite numbers", given=repr(count), remedy="give a number")
    micros = Fraction(repr(count)) * MICROS_PER_UNIT[unit] if isinstance(count, float) else count * MICROS_PER_UNIT[unit]
    if micros != int(micros):
        raise BadDuration(
            "a duration is a whole number of microseconds", given=f"{count} {unit}s", remedy="round it, or use a smaller unit"
        )
    return Duration(int(micros))


def microseconds(count: int) -> Duration:
    """A length of `count` microseconds.

    >>> print(microseconds(100))
    100 microseconds
    """
    return _duration(count, "microsecond")


def milliseconds(count: float) -> Duration:
    """A length of `count` milliseconds.

    >>> print(milliseconds(500))
    500 milliseconds
    """
    return _duration(count, "millisecond")


def seconds(count: float) -> Duration:
    """A length of `count` seconds.

    >>> seconds(1.5)
    Duration(micros=1500000)
    """
    return _duration(count, "second")


def minutes(count: float) -> Duration:
    """A length of `count` minutes.

    >>> print(minutes(5))
    5 minutes
    """
    return _duration(count, "minute")


def hours(count: float) -> Duration:
    """A length of `count` hours.

    >>> print(hours(6))
    6 hours
    """
    return _duration(count, "hour")


def days(count: float) -> Duration:
    """A length of `count` days of 24 hours.

    >>> print(days(2))
    2 days
    """
    return _duration(count, "day")


_PART = re.compile(r"(-?\d+(?:\.\d+)?)\s*([a-z]+?)s?(?=$|[\s\d-])", re.IGNORECASE)


def parse_duration(text: str) -> Duration:
    """Read a duration such as `300 seconds` or `5 minutes 30 seconds`.

    >>> parse_duration("5 MINUTES 30 SECONDS")
    Duration(micros=330000000)
    """
    if not isinstance(text, str):
        raise BadDuration("a duration is read from text", given=repr(text), remedy="write it like '5 minutes'")
    parts = list(_PART.finditer(text.strip()))
    rest = _PART.sub("", text.strip()).strip()
    units = [part[2].lower() for part in parts]
    if not parts or rest or any(unit not in MICROS_PER_UNIT for unit in units):
        raise BadDuration(
            "this is not a duration",
            given=repr(text),
            exists=[f"{unit}s" for unit in MICROS_PER_UNIT],
            remedy="write a number and a unit, such as '5 minutes 30 seconds'",
        )
    total = Duration(0)
    for part, unit in zip(parts, units, strict=True):
        total += _duration(Fraction(part[1]), unit)
    return total


def micros_of(value: datetime | date) -> int:
    """The instant of a timestamp or date. A timestamp without a zone is in UTC."""
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    elif value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return checked((value - EPOCH) // timedelta(microseconds=1))


def timestamp_of(micros: int) -> datetime:
    """The timestamp of an instant, in UTC."""
    try:
        return EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        raise TimeOutOfRange("a time is outside the years 1 to 9999", given=f"{micros} us") from None


_REGION = re.compile(r"(?<=\d)\s+([A-Za-z][\w/+:-]*)\s*$")
"""A zone by its name, behind a timestamp."""

_CLOCK = re.compile(r"^\d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?$")


def parse_timestamp(text: str) -> datetime:
    """Read an ISO 8601 timestamp, or a time of day on the first day of the epoch. Without a zone it is in UTC.

    >>> parse_timestamp("14:05").isoformat()
    '1970-01-01T14:05:00+00:00'
    """
    if not isinstance(text, str):
        raise BadTimestamp("a timestamp is read from text", given=repr(text), remedy="write it like '2026-01-31T14:05:00'")
    parsed = parse_local_timestamp(text)
    try:
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except OverflowError:
        raise BadTimestamp("a time is outside the years 1 to 9999", given=repr(text), remedy="give a time within them") from None


def parse_local_timestamp(text: str) -> datetime:
    """The same, with the zone that is written, if one is: an offset, or as in Spark a region behind the time.

    >>> parse_local_timestamp("2026-01-31 14:05"), parse_local_timestamp("2026-01-31 14:05 Europe/Berlin").isoformat()
    (datetime.datetime(2026, 1, 31, 14, 5), '2026-01-31T14:05:00+01:00')
    """
    value, region = text.strip(), _REGION.search(text)
    if region is not None:
        return parse_local_timestamp(text[: region.start()]).replace(tzinfo=zone_of(region[1]))
    if _CLOCK.match(value):
        value = f"1970-01-01T{value:0>{len(value) + (value.index(':') == 1)}}"
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise BadTimestamp(
            "this is not a timestamp",
            given=repr(text),
            remedy="write it like 2026-01-31T14:05:00.5, or 14:05:00 for a time of day",
        ) from None
