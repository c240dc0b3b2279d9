"""The operational tables of seed 004 as slow, obvious code: lists, a clock that moves microsecond by microsecond, no shared code.

A history is a list of `("tuple", now, t)`, `("tick", now)` and `("punct",)`. What comes out is each event with the partition, the
tuple, and the tuples that the window holds at that moment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.limits import Age, Most
from transom.windowing.policies.policy import Count, Delta, Punct, Time

Logged = tuple[str, Any, Any, tuple[Any, ...]]


@dataclass
class Held:
    tuple: Any
    came: int
    place: Any


@dataclass
class Part:
    key: Any
    number: int
    held: list[Held] = field(default_factory=list)
    evict_values: list[Any] = field(default_factory=list)
    trigger_values: list[Any] = field(default_factory=list)
    mark: Any = None
    counted: int = 0
    was_full: bool = False
    timer: int | None = None
    updates: int = 0
    last: int = 0
    updated_at: int = 0


class Model:
    """One window, recomputed the slow way."""

    def __init__(self, configuration: Configuration, choose: Any = None) -> None:
        self.configuration = configuration
        self.evict = configuration.evict
        self.trigger = configuration.trigger
        self.choose = choose
        self.parts: dict[Any, Part] = {}
        self.log: list[Logged] = []
        self.now = 0
        self.numbers = 0
        self.tuples = 0
        self.back = 0
        self.outside = 0

    def run(self, history: list[Any]) -> list[Logged]:
        for kind, *what in history:
            if kind == "tuple":
                self.clock(what[0])
                self.take(what[1])
            elif kind == "tick":
                self.clock(what[0])
            elif isinstance(self.evict, Punct):
                for part in list(self.parts.values()):
                    self.flush(part)
        return self.log

    def say(self, event: str, part: Part, t: Any = None) -> None:
        self.log.append((event, part.key, t, tuple(held.tuple for held in part.held)))

    # The clock

    def clock(self, now: int) -> None:
        while self.now < now:
            self.now += 1
            for part in list(self.parts.values()):
                if self.trigger is not None and isinstance(self.evict, Time):
                    while part.held and self.now - part.held[0].came > self.evict.length.micros:
                        self.initial_full(part)
                        self.evict_oldest(part)
            for part in list(self.parts.values()):
                self.timers(part)

    def timers(self, part: Part) -> None:
        policy = self.evict if self.trigger is None else self.trigger
        if not isinstance(policy, Time) or part.timer is None or self.now == part.timer:
            return
        if (self.now - part.timer) % policy.length.micros:
            return
        if self.trigger is not None:
            self.process(part)
        elif part.held:
            self.flush(part)
        elif self.configuration.keys:
            del self.parts[part.key]
        else:
            part.timer = None

    # A tuple

    def take(self, t: Any) -> None:
        keys = [t[name] for name in self.configuration.keys]
        key = None if not keys else keys[0] if len(keys) == 1 else tuple(keys)
        part = self.parts.get(key) or Part(key, self.numbers + 1)
        places = self.places(part, t)
        if places is None:
            self.outside += 1
            return
        if key not in self.parts:
            self.numbers += 1
            self.parts[key] = part
        place, turn = places
        if self.trigger is None:
            self.take_tumbling(part, t, place)
        else:
            self.take_sliding(part, t, place, turn)

    def places(self, part: Part, t: Any) -> tuple[Any, Any] | None:
        """A value is where it is, or where the furthest before it was; then it has gone back."""
        found = []
        apart = True
        if isinstance(self.evict, Delta) and isinstance(self.trigger, Delta):
            apart = self.evict.attribute != self.trigger.attribute
        for policy, values in ((self.evict, part.evict_values), (self.trigger, part.trigger_values)):
            if not isinstance(policy, Delta):
                found.append(None)
                continue
            value = t[policy.attribute]
            if value is None or value != value or value in (float("inf"), float("-inf")):
                return None
            if values and value < max(values) and (apart or policy is self.evict):
                self.back += 1
            found.append(max([*values, value]))
        for place, values in zip(found, (part.evict_values, part.trigger_values), strict=True):
            if place is not None:
                values.append(place)
        return found[0], found[1]

    def take_tumbling(self, part: Part, t: Any, place: Any) -> None:
        if isinstance(self.evict, Delta) and part.held and place - part.held[0].place > self.evict.threshold:
            self.flush(part)
        self.insert(part, t, place)
        if part.key in self.parts and isinstance(self.evict, Count) and len(part.held) == self.evict.n:
            self.flush(part)

    def take_sliding(self, part: Part, t: Any, place: Any, turn: Any) -> None:
        if isinstance(self.evict, Delta) and part.held and place - part.held[0].place > self.evict.threshold:
            self.initial_full(part)
        if isinstance(self.trigger, Delta):
            self.trigger_by_delta(part, turn)
        if isinstance(self.evict, Count):
            while self.evict.n and len(part.held) >= self.evict.n:
                self.evict_oldest(part)
        if isinstance(self.evict, Delta):
            while part.held and place - part.held[0].place > self.evict.threshold:
                self.evict_oldest(part)
        self.insert(part, t, place)
        if part.key in self.parts and isinstance(self.trigger, Count):
            part.counted += 1
            if part.counted == self.trigger.n:
                part.counted = 0
                self.process(part)

    def trigger_by_delta(self, part: Part, turn: Any) -> None:
        assert isinstance(self.trigger, Delta)
        if part.mark is None:
            part.mark = turn
        elif turn - part.mark > self.trigger.threshold:
            part.mark = turn
            self.process(part)

    # What can happen to a window

    def insert(self, part: Part, t: Any, place: Any) -> None:
        self.say("before_insertion", part, t)
        holds_nothing = self.evict == Count(0)
        if not holds_nothing:
            part.held.append(Held(t, self.now, place))
            if part.timer is None:
                part.timer = self.now
        self.say("after_insertion", part, t)
        if holds_nothing:
            self.say("before_eviction", part, t)
            self.say("after_eviction", part, t)
        if self.trigger is not None and not holds_nothing and self.evict == Count(len(part.held)):
            self.initial_full(part)
        self.tuples += 1
        part.updates += 1
        part.last = self.tuples
        part.updated_at = self.now
        self.limit(part)

    def evict_oldest(self, part: Part) -> None:
        oldest = part.held[0].tuple
        self.say("before_eviction", part, oldest)
        part.held.pop(0)
        self.say("after_eviction", part, oldest)

    def flush(self, part: Part) -> None:
        if part.held:
            self.say("before_flush", part)
            part.held.clear()
            self.say("after_flush", part)
        if self.configuration.keys and isinstance(self.evict, Count | Punct):
            del self.parts[part.key]

    def process(self, part: Part) -> None:
        if part.held and (self.configuration.partial or part.was_full):
            self.say("on_trigger", part)

    def initial_full(self, part: Part) -> None:
        if not part.was_full:
            part.was_full = True
            self.say("on_initial_full", part)

    def limit(self, updated: Part) -> None:
        limit = self.configuration.limit
        if isinstance(limit, Age):
            for part in sorted(self.parts.values(), key=lambda part: part.last):
                if self.now - part.updated_at > limit.length.micros:
                    self.drop(part)
        if isinstance(limit, Most):
            while self.size(limit) > limit.most:
                others = [part for part in self.parts.values() if part is not updated] or [updated]
                self.drop(self.pick(limit, others))

    def size(self, limit: Most) -> int:
        return len(self.parts) if limit.counted == "partition" else sum(len(part.held) for part in self.parts.values())

    def pick(self, limit: Most, parts: list[Part]) -> Part:
        if limit.select == "lru":
            return min(parts, key=lambda part: part.last)
        if limit.select == "lfu":
            return min(parts, key=lambda part: (part.updates, part.last))
        if limit.select == "oldest":
            return min(parts, key=lambda part: part.number)
        key = self.choose([(part.key, len(part.held)) for part in parts])
        return next(part for part in parts if part.key == key)

    def drop(self, part: Part) -> None:
        self.say("on_partition_eviction", part)
        del self.parts[part.key]
