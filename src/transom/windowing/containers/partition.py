"""What is kept of one partition of a window."""

from __future__ import annotations

from collections import deque
from typing import Any

from transom.windowing.containers.subwindow import Subwindow


class Partition:
    """The tuples of a partition, and what its policies need to remember. A policy that is not there leaves its fields alone."""

    __slots__ = (  # noqa: RUF023 - grouped by what they are for
        # which one, and its tuples
        "key",
        "serial",  # partitions are numbered as they open
        "tuples",
        "size",  # of a window that has a summary instead
        "summary",
        "state",  # the operator's own
        "gone",
        "window",
        # eviction
        "stamps",  # for each tuple, what eviction compares: the place on the delta attribute, or the time of arrival
        "first",  # tumbling delta: the place of the oldest tuple
        "reached",  # the largest value of the eviction's attribute so far
        "full",
        # trigger
        "since",  # tuples since the last trigger
        "mark",  # the place of the last triggering tuple
        "passed",  # the largest value of the trigger's attribute so far
        "fires",  # the next instant of a trigger or a flush on the clock; of the last one, while it does not wait
        "waits",
        # limits
        "last",  # the number of its latest tuple among those of all partitions
        "updates",
        "at",  # when that tuple came
    )

    def __init__(self, key: Any, serial: int) -> None:
        self.key = key
        self.serial = serial
        self.tuples: deque[Any] = deque()
        self.stamps: deque[Any] = deque()
        self.size = self.since = self.last = self.updates = self.at = 0
        self.gone = self.full = self.waits = False
        self.summary: Any = None
        self.state: dict[str, Any] | None = None
        self.first = self.reached = self.mark = self.passed = None
        self.fires: int | None = None
        self.window: Subwindow

    def __lt__(self, other: Partition) -> bool:
        """Whether it comes first where both are due at once. Partitions that opened in different shards may have one number."""
        return repr(self.key) < repr(other.key)

    def saved(self) -> tuple[Any, ...]:
        """Everything but the window that shows it."""
        return tuple(getattr(self, name) for name in SAVED)

    def load(self, saved: tuple[Any, ...]) -> None:
        """Take over what was saved; tuples go into the deques that others refer to."""
        for name, value in zip(SAVED, saved, strict=True):
            if name in ("tuples", "stamps"):
                kept: deque[Any] = getattr(self, name)
                kept.clear()
                kept.extend(value)
            else:
                setattr(self, name, value)


SAVED = tuple(name for name in Partition.__slots__ if name not in ("gone", "window"))
