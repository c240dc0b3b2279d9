"""Batch and progressive sort, by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any


class BatchSortByHand:
    """Tumbling windows in order."""

    def __init__(self, evict: tuple[Any, ...], by: Callable[[Any], Any], key: Callable[[Any], Any] | None) -> None:
        self.evict, self.by, self.key = evict, by, key
        self.parts: dict[Any, list[Any]] = {}
        self.dues: dict[Any, int] = {}
        self.now = 0
        self.out: list[Any] = []

    def insert(self, t: Any) -> None:
        key = self.key(t) if self.key is not None else None
        held = self.parts.get(key)
        if held is None:
            held = self.parts[key] = []
            if self.evict[0] == "time" and key not in self.dues:
                self.dues[key] = self.now + self.evict[1]
        if self.evict[0] == "delta" and held and getattr(t, self.evict[1]) - getattr(held[0], self.evict[1]) > self.evict[2]:
            self.flush(held)
        held.append(t)
        if self.evict[0] == "count" and len(held) == self.evict[1]:
            self.flush(held)
            del self.parts[key]

    def tick(self, now: int) -> None:
        while self.dues and min(self.dues.values()) <= now:
            due, key = min((due, key) for key, due in self.dues.items())
            if self.parts.get(key):
                self.flush(self.parts.pop(key))
                self.dues[key] = due + self.evict[1]
            else:
                del self.dues[key]
        self.now = now

    def punctuate(self) -> None:
        if self.evict[0] == "punct":
            for held in self.parts.values():
                self.flush(held)
            self.parts.clear()

    def flush(self, held: list[Any]) -> None:
        self.out.extend(sorted(held, key=self.by))
        held.clear()


class ProgressiveSortByHand:
    """For each tuple that leaves a sliding window, the smallest held."""

    def __init__(self, evict: tuple[Any, ...], by: Callable[[Any], Any], key: Callable[[Any], Any] | None) -> None:
        self.evict, self.by, self.key = evict, by, key
        self.parts: dict[Any, tuple[deque[Any], list[Any]]] = {}
        self.came = 0
        self.now = 0
        self.out: list[Any] = []

    def insert(self, t: Any) -> None:
        key = self.key(t) if self.key is not None else None
        part = self.parts.get(key)
        if part is None:
            part = self.parts[key] = (deque(), [])
        order, held = part
        if self.evict[0] == "count":
            if len(order) == self.evict[1]:
                self.leave(order, held)
            order.append(None)
        elif self.evict[0] == "delta":
            place = getattr(t, self.evict[1])
            while order and place - order[0] > self.evict[2]:
                self.leave(order, held)
            order.append(place)
        else:
            order.append(self.now)
        self.came += 1
        heappush(held, (self.by(t), self.came, t))

    def tick(self, now: int) -> None:
        if self.evict[0] == "time":
            for order, held in self.parts.values():
                while order and now - order[0] > self.evict[1]:
                    self.leave(order, held)
        self.now = now

    def leave(self, order: deque[Any], held: list[Any]) -> None:
        order.popleft()
        self.out.append(heappop(held)[2])
