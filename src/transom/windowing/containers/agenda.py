"""What the clock will cause: a heap of instants, each with a rank (evictions first), a partition and its number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappush

from transom.windowing.containers.partition import Partition

Entry = tuple[int, int, int, Partition]
Agenda = list[Entry]

EVICT, FIRE = 0, 1


def fire_later(agenda: Agenda, length: int) -> Callable[[Partition, int], None]:
    """A function that plans the next trigger, or flush, of a partition: every `length` from its first tuple on."""

    def plan(p: Partition, now: int) -> None:
        if p.fires is None:
            p.fires = now + length
        elif p.fires <= now:
            p.fires += ((now - p.fires) // length + 1) * length
        p.waits = True
        heappush(agenda, (p.fires, FIRE, p.serial, p))

    return plan


def planned(partitions: Iterable[Partition], expires_after: int | None) -> Agenda:
    """The agenda of partitions that were saved. `expires_after` is how long a tuple stays, if that is up to the clock."""
    agenda: Agenda = []
    for p in partitions:
        if expires_after is not None and p.stamps:
            heappush(agenda, (p.stamps[0] + expires_after + 1, EVICT, p.serial, p))
        if p.waits and p.fires is not None:
            heappush(agenda, (p.fires, FIRE, p.serial, p))
    return agenda
