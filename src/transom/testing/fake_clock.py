"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import datetime

from transom.errors import NotPositive
from transom.semantics.time import EPOCH, Duration, micros_of, timestamp_of


class FakeClock:
    """The time that `arrival_ts` is read from in tests.

    >>> from transom import seconds
    >>> clock = FakeClock()
    >>> clock.advance(seconds(90))
    >>> clock.now().isoformat()
    '1970-01-01T00:01:30+00:00'
    """

    def __init__(self, start: datetime = EPOCH) -> None:
        self._micros = micros_of(start)

    def now(self) -> datetime:
        """The time it shows, in UTC."""
        return timestamp_of(self._micros)

    def advance(self, duration: Duration) -> None:
        """Move it forward. Time does not run back."""
        if duration.micros < 0:
            raise NotPositive("a clock does not run back", given=str(duration), remedy="advance by 0 or more")
        self._micros += duration.micros
