"""Keeps partitions within their limit: which one goes, and that the operator hears of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

from transom.errors import BadOperator
from transom.windowing.containers.failing import told
from transom.windowing.containers.partition import Partition
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.policies.limits import Age, Limit, Most

Rank = Callable[[Partition], tuple[int, ...]]

RANKS: dict[str, Rank] = {
    "lru": lambda p: (p.last,),
    "lfu": lambda p: (p.updates, p.last),
    "oldest": lambda p: (p.serial,),
    "age": lambda p: (p.at, p.last),
}
"""What the partition that goes first has least of. None of these ever falls for a partition that stays."""


class Crowd:
    """The partitions of one window and their limit.

    A heap holds each partition once, under the rank that it had when somebody last looked. Ranks only grow, so the smallest is
    found by looking at the top again until it has not grown.
    """

    def __init__(
        self, limit: Limit, partitions: dict[Any, Partition], handlers: Mapping[str, Callable[..., Any]], name: str
    ) -> None:
        self.limit = limit
        self.partitions = partitions
        self.tuples = 0
        self.evicted: set[Any] = set()
        self._name = name
        self._evicted = handlers.get("on_partition_eviction")
        self._choose: Callable[[list[Subwindow]], Any] | None = None
        if isinstance(limit, Most) and callable(limit.select):
            self._choose = limit.select
        elif isinstance(limit, Most) and limit.select == "operator":
            if "on_partition_selection" not in handlers:
                raise BadOperator(
                    f"{limit} lets the operator select, which has no on_partition_selection",
                    given=name,
                    remedy="define it, or select lru, lfu or oldest",
                )
            self._choose = handlers["on_partition_selection"]
        selects = "age" if isinstance(limit, Age) else str(limit.select)
        self._rank: Rank = RANKS.get(selects, RANKS["lru"])
        self._heap: list[tuple[tuple[int, ...], int, Partition]] = []

    def join(self, p: Partition, at: int = 0) -> None:
        """A partition has opened."""
        p.at = at
        if self._choose is None:
            heappush(self._heap, (self._rank(p), p.serial, p))

    def refill(self, partitions: Iterable[Partition]) -> None:
        """Begin again with partitions that were saved."""
        present = list(partitions)
        self.tuples = sum(p.size or len(p.tuples) for p in present)
        self._heap = [(self._rank(p), p.serial, p) for p in present]
        heapify(self._heap)

    @property
    def oldest(self) -> int:
        """No partition has been without a tuple for longer than since this instant."""
        return self._heap[0][0][0]

    def shrink(self, updated: Partition, now: int) -> None:
        """Evict until the limit holds. The partition that was just updated goes last."""
        while self._is_over(now):
            p = self._victim(updated)
            told(self._evicted, "on_partition_eviction", self._name, p.window)
            self.tuples -= p.size or len(p.tuples)
            p.gone = True
            self.evicted.add(p.key)
            del self.partitions[p.key]

    def _is_over(self, now: int) -> bool:
        if isinstance(self.limit, Age):
            top = self._top()
            return top is not None and top.at + self.limit.length.micros < now
        return (self.tuples if self.limit.counted == "tuple" else len(self.partitions)) > self.limit.most

    def _victim(self, updated: Partition) -> Partition:
        if self._choose is not None:
            return self._chosen(updated)
        p = self._top()
        assert p is not None
        heappop(self._heap)
        if p is updated and self._top() is not None:
            first, p = p, self._top()
            assert p is not None
            heappop(self._heap)
            heappush(self._heap, (self._rank(first), first.serial, first))
        return p

    def _top(self) -> Partition | None:
        """The partition that ranks lowest now."""
        heap = self._heap
        while heap:
            rank, serial, p = heap[0]
            if p.gone:
                heappop(heap)
            elif rank != (now := self._rank(p)):
                heappop(heap)
                heappush(heap, (now, serial, p))
            else:
                return p
        return None

    def _chosen(self, updated: Partition) -> Partition:
        candidates = [p.window for p in self.partitions.values() if p is not updated] or [updated.window]
        assert self._choose is not None
        choice = told(self._choose, "on_partition_selection", self._name, candidates)
        for window in candidates:
            if choice is window or (not isinstance(choice, Subwindow) and choice == window.partition):
                return self.partitions[window.partition]
        raise BadOperator(
            "the partition selected is none of the candidates",
            given=repr(choice),
            exists=[repr(window.partition) for window in candidates[:20]],
            remedy="return one of the windows given, or its partition",
        )
