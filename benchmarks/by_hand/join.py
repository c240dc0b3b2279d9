"""A streaming join, outer or not, by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any


class Side:
    """The window of one side: for each partition its tuples, each with when it came and whether it has been matched."""

    def __init__(self, evict: tuple[Any, ...], key: Callable[[Any], Any] | None) -> None:
        self.evict, self.key = evict, key
        self.parts: dict[Any, deque[list[Any]]] = {}

    def make_room(self, key: Any, t: Any) -> list[list[Any]]:
        """What a new tuple evicts."""
        held = self.parts.get(key)
        gone: list[list[Any]] = []
        if held is None:
            return gone
        if self.evict[0] == "count":
            if self.evict[1] and len(held) == self.evict[1]:
                gone.append(held.popleft())
        elif self.evict[0] == "delta":
            place, name = getattr(t, self.evict[1]), self.evict[1]
            while held and place - getattr(held[0][0], name) > self.evict[2]:
                gone.append(held.popleft())
        return gone

    def expire(self, now: int) -> list[list[Any]]:
        """What the clock evicts."""
        gone: list[list[Any]] = []
        if self.evict[0] == "time":
            for held in self.parts.values():
                while held and now - held[0][1] > self.evict[1]:
                    gone.append(held.popleft())
        return sorted(gone, key=lambda one: one[1])


class JoinByHand:
    """Pairs that match, and for an outer join what leaves unmatched."""

    def __init__(
        self,
        sides: dict[str, tuple[Any, ...]],
        key: Callable[[Any], Any] | None,
        match: Callable[[Any, Any], bool],
        pair: Callable[[Any, Any], Any],
        outer: tuple[str, ...] = (),
    ) -> None:
        self.sides = {name: Side(evict, key) for name, evict in sides.items()}
        self.match, self.pair, self.outer = match, pair, outer
        self.now = 0
        self.out: list[Any] = []
        self.unmatched: dict[str, list[Any]] = {name: [] for name in sides}

    def insert(self, t: Any, name: str) -> None:
        side, other = self.sides[name], self.sides["right" if name == "left" else "left"]
        key = side.key(t) if side.key is not None else None
        for gone in side.make_room(key, t):
            self.leave(name, gone)
        entry = [t, self.now, False]
        for theirs in other.parts.get(key, ()):
            left, right = (t, theirs[0]) if name == "left" else (theirs[0], t)
            if self.match(left, right):
                entry[2] = theirs[2] = True
                self.out.append(self.pair(left, right))
        if side.evict == ("count", 0):
            self.leave(name, entry)
            return
        held = side.parts.get(key)
        if held is None:
            held = side.parts[key] = deque()
        held.append(entry)

    def tick(self, now: int) -> None:
        for name, side in self.sides.items():
            for gone in side.expire(now):
                self.leave(name, gone)
        self.now = now

    def leave(self, name: str, entry: list[Any]) -> None:
        if name in self.outer and not entry[2]:
            self.unmatched[name].append(entry[0])
