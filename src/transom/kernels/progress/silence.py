"""Silence: while no tuple comes, progress moves with the clock.

`now` is the time of a micro-batch, which Spark notes down before it runs: whoever repeats it moves as far.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

Group = tuple[Any, ...]


@dataclass
class Silence:
    """The time of the last micro-batch and of the last in which something came, in microseconds.

    What comes in a micro-batch ends the silence before it.
    """

    at: int | None = None
    heard: int | None = None

    def passed(self, times: Iterable[int | None]) -> int:
        """How long ago the last micro-batch was; nothing before the first one, or if the clock was set back."""
        now = _latest(times)
        if now is None:
            return 0
        before, self.at = self.at, now if self.at is None else max(self.at, now)
        return 0 if before is None else max(0, now - before)

    def lasts(self, times: Iterable[int | None], *, something: bool) -> int:
        """How long nothing has come; at first, since there was anything to listen for."""
        now = _latest(times)
        if now is None:
            return 0
        if something or self.heard is None:
            self.heard = now
        return max(0, now - self.heard)


def _latest(times: Iterable[int | None]) -> int | None:
    return max((time for time in times if time is not None), default=None)


def moved(promises: dict[Group, Any], heard: Collection[Group], by: Any, nothing: Any) -> None:
    """Move what is promised to the groups that have not been heard of."""
    for group, reached in promises.items():
        if group not in heard and reached > nothing:
            promises[group] = reached + by
