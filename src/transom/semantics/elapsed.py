"""Points in time that lie INTERVALs behind a timestamp, and intervals of months."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TypeVar

from transom.semantics.time import Duration, micros_of, timestamp_of

DAY = 86_400_000_000

D = TypeVar("D", bound=date)


@dataclass(frozen=True)
class Months:
    """An INTERVAL of months or years, which have no fixed length."""

    count: int

    def __str__(self) -> str:
        return f"{self.count} MONTHS"

    def after(self, day: D) -> D:
        """The same day of another month, or the last there is.

        >>> Months(1).after(date(2026, 1, 31))
        datetime.date(2026, 2, 28)
        """
        year, month = divmod(day.year * 12 + day.month - 1 + self.count, 12)
        return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True)
class Elapsed:
    """`TIMESTAMP '...' + INTERVAL ...`, which depends on the session's zone: by Spark's rules days and months go by the calendar
    there, and what is shorter than a day by the time that passes.

    >>> from transom import hours
    >>> print(Elapsed(datetime(2026, 3, 28, 12), (hours(6),)))
    TIMESTAMP '2026-03-28T12:00:00' + INTERVAL 21600000000 MICROSECONDS
    """

    start: datetime
    steps: tuple[Duration | Months, ...]

    @property
    def micros(self) -> int:
        """The instant in a session in UTC."""
        return micros_of(self.within(UTC))

    def within(self, zone: tzinfo) -> datetime:
        """The instant in a session of this zone."""
        now = self.start if self.start.tzinfo is not None else self.start.replace(tzinfo=zone)
        for step in self.steps:
            clock = timestamp_of(micros_of(now)).astimezone(zone).replace(tzinfo=None)
            if isinstance(step, Months):
                now = step.after(clock).replace(tzinfo=zone)
                continue
            days = int(step.micros / DAY)
            later = (clock + timedelta(days=days)).replace(tzinfo=zone) if days else now
            now = timestamp_of(micros_of(later) + step.micros - days * DAY)
        return timestamp_of(micros_of(now))

    def __str__(self) -> str:
        steps = (
            f" + INTERVAL {one.micros} MICROSECONDS" if isinstance(one, Duration) else f" + INTERVAL {one}" for one in self.steps
        )
        return f"TIMESTAMP '{self.start.isoformat()}'{''.join(steps)}"
