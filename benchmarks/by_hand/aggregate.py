"""A grouped aggregate in every window, by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any


class Part:
    """One partition."""

    def __init__(self) -> None:
        self.tuples: deque[Any] = deque()
        self.came: deque[int] = deque()
        self.groups: dict[Any, list[Any]] = {}
        self.size = 0
        self.first: Any = None
        self.since = 0
        self.mark: Any = None
        self.due: int | None = None


class AggregateByHand:
    """Sum and count of `x` by `g`. `evict` and `trigger` are ("count", n), ("delta", attribute, d), ("time", p) or ("punct",)."""

    def __init__(self, evict: tuple[Any, ...], trigger: tuple[Any, ...] | None, key: Callable[[Any], Any] | None) -> None:
        self.evict, self.trigger, self.key = evict, trigger, key
        self.parts: dict[Any, Part] = {}
        self.now = 0
        self.out: list[Any] = []

    def insert(self, t: Any) -> None:
        key = self.key(t) if self.key is not None else None
        part = self.parts.get(key)
        if part is None:
            part = self.parts[key] = Part()
        if self.trigger is None:
            self.insert_tumbling(key, part, t)
        else:
            self.insert_sliding(part, t)

    def insert_tumbling(self, key: Any, part: Part, t: Any) -> None:
        kind = self.evict[0]
        if kind == "delta":
            place = getattr(t, self.evict[1])
            if part.size and place - part.first > self.evict[2]:
                self.flush(part)
            if not part.size:
                part.first = place
        elif kind == "time" and part.due is None:
            part.due = self.now + self.evict[1]
        state = part.groups.get(t.g)
        if state is None:
            part.groups[t.g] = [t.x, 1]
        else:
            state[0] += t.x
            state[1] += 1
        part.size += 1
        if kind == "count" and part.size == self.evict[1]:
            self.flush(part)
            del self.parts[key]

    def insert_sliding(self, part: Part, t: Any) -> None:
        assert self.trigger is not None
        if self.trigger[0] == "delta":
            turn = getattr(t, self.trigger[1])
            if part.mark is None:
                part.mark = turn
            elif turn - part.mark > self.trigger[2]:
                part.mark = turn
                self.process(part)
        if self.evict[0] == "count":
            if len(part.tuples) == self.evict[1]:
                part.tuples.popleft()
        elif self.evict[0] == "delta":
            place, name = getattr(t, self.evict[1]), self.evict[1]
            while part.tuples and place - getattr(part.tuples[0], name) > self.evict[2]:
                part.tuples.popleft()
        part.tuples.append(t)
        if self.evict[0] == "time":
            part.came.append(self.now)
        if self.trigger[0] == "count":
            part.since += 1
            if part.since == self.trigger[1]:
                part.since = 0
                self.process(part)
        elif self.trigger[0] == "time" and part.due is None:
            part.due = self.now + self.trigger[1]

    def tick(self, now: int) -> None:
        while True:
            dues = [(part.due, key) for key, part in self.parts.items() if part.due is not None and part.due <= now]
            if not dues:
                break
            due, key = min(dues)
            self.fire(key, due)
        self.expire(now)
        self.now = now

    def fire(self, key: Any, due: int) -> None:
        part = self.parts[key]
        if self.trigger is None:
            if part.size:
                self.flush(part)
                part.due = due + self.evict[1]
            else:
                del self.parts[key]
        else:
            self.expire(due)
            self.process(part)
            part.due = due + self.trigger[1]

    def expire(self, now: int) -> None:
        if self.trigger is None or self.evict[0] != "time":
            return
        for part in self.parts.values():
            while part.came and now - part.came[0] > self.evict[1]:
                part.came.popleft()
                part.tuples.popleft()

    def punctuate(self) -> None:
        if self.evict[0] == "punct":
            for part in self.parts.values():
                if part.size:
                    self.flush(part)
            self.parts.clear()

    def flush(self, part: Part) -> None:
        self.emit(part.groups)
        part.groups = {}
        part.size = 0

    def process(self, part: Part) -> None:
        if not part.tuples:
            return
        groups: dict[Any, list[Any]] = {}
        for t in part.tuples:
            state = groups.get(t.g)
            if state is None:
                groups[t.g] = [t.x, 1]
            else:
                state[0] += t.x
                state[1] += 1
        self.emit(groups)

    def emit(self, groups: dict[Any, list[Any]]) -> None:
        for group, (total, n) in groups.items():
            self.out.append((group, total, n))
