"""Tumbling and sliding windows (seed 004, section 3.1), as users write them."""

from __future__ import annotations

from dataclasses import dataclass

from transom.errors import BadPolicy
from transom.windowing.clock import Clock
from transom.windowing.containers.container import Container, Summarizer
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Policy


@dataclass(frozen=True)
class WindowKind(Configuration):
    """A configuration that containers can be made of."""

    def container(
        self,
        handler: object,
        *,
        clock: Clock | None = None,
        summarizer: Summarizer | None = None,
        port: str = "in",
        name: str | None = None,
        tracks: bool = False,
    ) -> Container:
        """A window of this kind, which calls the methods of `handler` that are named after events.

        `clock` is the machine's unless another is given. `summarizer` makes an object that takes the tuples of a tumbling window,
        which are then not kept. `port` and `name` are what windows and messages are called; with `tracks`, `touched` collects the
        partitions that have changed since the last snapshot.

        >>> from transom.windowing import count
        >>> class Total:
        ...     def on_trigger(self, window, partition):
        ...         print(partition, sum(t["x"] for t in window))
        >>> window = tumbling(count(2)).partitioned_by("k").container(Total())
        >>> window.insert({"k": "a", "x": 1})
        >>> window.insert({"k": "b", "x": 5})
        >>> window.insert({"k": "a", "x": 2})
        a 3
        """
        return Container(self, handler, clock=clock, summarizer=summarizer, port=port, name=name, tracks=tracks)


def tumbling(evict: Policy) -> WindowKind:
    """A window that is processed and emptied when it is full.

    >>> from transom.windowing import count
    >>> print(tumbling(count(100)))
    [TUMBLING count(100)]
    """
    return WindowKind(evict)


def sliding(evict: Policy, trigger: Policy, *, partial: bool = True) -> WindowKind:
    """A window that loses its oldest tuples when it is full, and is processed when the trigger says so.

    `partial=False` processes no window before the eviction policy has applied for the first time.

    >>> from transom.windowing import count, delta
    >>> print(sliding(delta("ts", "1 hour"), count(10)).partitioned_by("ticker"))
    [SLIDING delta(ts, 1 HOUR), count(10) PARTITIONED BY (ticker)]
    """
    if trigger is None:
        raise BadPolicy(
            "a sliding window needs a trigger policy", given=f"sliding({evict})", remedy="add count(1), or use tumbling"
        )
    return WindowKind(evict, trigger, partial=partial)
