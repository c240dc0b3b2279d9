"""Shares, lengths and places as a person reads them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

Length = timedelta | float
Place = datetime | float

UNITS = ((1e-6, "us"), (1e-3, "ms"), (1.0, "s"), (60.0, "min"), (3600.0, "h"), (86_400.0, "d"))
SECONDS = 2
"""The place of seconds."""


def share(ratio: float) -> str:
    """A share in percent.

    >>> share(0.01), share(0.004231), share(0.25), share(0.000001)
    ('1 %', '0.423 %', '25 %', '<0.001 %')
    """
    percent = 100 * ratio
    return "<0.001 %" if 0 < percent < 0.001 else f"{_short(percent, 3 if percent < 1 else 2)} %"


def length(of: Length) -> str:
    """A length, in the largest unit that fits when it is rounded, or as the number it is.

    >>> length(timedelta(seconds=1.234)), length(timedelta(minutes=5)), length(timedelta(seconds=59.999)), length(0.25)
    ('1.23 s', '5 min', '1 min', '0.25')
    """
    if not isinstance(of, timedelta):
        return f"{of:,.6g}"
    seconds = of.total_seconds()
    at = next((n for n in reversed(range(len(UNITS))) if abs(seconds) >= UNITS[n][0]), SECONDS)
    if at + 1 < len(UNITS) and round(abs(seconds) / UNITS[at][0], 2) * UNITS[at][0] >= UNITS[at + 1][0]:
        at += 1
    size, unit = UNITS[at]
    return f"{_short(seconds / size, 2)} {unit}"


def place(of: Place) -> str:
    """A place on the axis: an instant in UTC, or a number.

    >>> place(datetime(2026, 1, 5, 14, 0, 0, 250000, tzinfo=UTC)), place(12.5)
    ('2026-01-05 14:00:00.25', '12.5')
    """
    if not isinstance(of, datetime):
        return f"{of:,.10g}"
    text = f"{of.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
    return text.rstrip("0").rstrip(".")


def _short(number: float, digits: int) -> str:
    text = f"{number:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
