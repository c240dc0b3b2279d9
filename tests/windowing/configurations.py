"""Every configuration, made from the tables of seed 004, with small numbers so that everything happens in short streams."""

from __future__ import annotations

import random
from typing import Any

from transom.semantics.time import microseconds
from transom.windowing import count, delta, partition_age, partition_count, punct, sliding, time, tumbling, tuple_count
from transom.windowing.policies.limits import Limit
from transom.windowing.tumbling_and_sliding import WindowKind

EVICTIONS = {
    "count": lambda n: count(n),
    "delta": lambda n: delta("a", n),
    "time": lambda n: time(microseconds(n + 1)),
}

TRIGGERS = {
    "count": lambda n: count(max(n, 1)),
    "delta": lambda n: delta("b", n),
    "time": lambda n: time(microseconds(n + 1)),
}


def select_largest(windows: list[Any]) -> Any:
    """A user's choice of a partition to evict: the one with the most tuples."""
    return max(windows, key=lambda window: (len(window), str(window.partition))).partition


LIMITS: dict[str, Limit | None] = {
    "unlimited": None,
    **{f"{select}-partitions": partition_count(2, select) for select in ("lru", "lfu", "oldest")},
    "chosen-partitions": partition_count(2, select_largest),
    **{f"{select}-tuples": tuple_count(5, select) for select in ("lru", "lfu", "oldest")},
    "chosen-tuples": tuple_count(5, select_largest),
    "age": partition_age(microseconds(4)),
}
"""Nine limits, and none."""

PARTITIONS = ("whole", *LIMITS)
"""The eleven ways to partition: not at all, without a limit, and with each."""


def kinds(n: int = 3, m: int = 2) -> dict[str, WindowKind]:
    """The 13 kinds: 4 tumbling, 9 sliding."""
    made = {f"tumbling {name}": tumbling(policy(max(n, 1))) for name, policy in EVICTIONS.items()}
    made["tumbling punct"] = tumbling(punct())
    for evict, evicting in EVICTIONS.items():
        for trigger, triggering in TRIGGERS.items():
            made[f"sliding {evict} {trigger}"] = sliding(evicting(n), triggering(m))
    return made


def partitioned(kind: WindowKind, way: str) -> WindowKind:
    if way == "whole":
        return kind
    limit = LIMITS[way]
    return kind.partitioned_by("k") if limit is None else kind.partitioned_by("k").limited_to(limit)


def everything(n: int = 3, m: int = 2) -> dict[str, WindowKind]:
    """Each kind, each way to partition."""
    return {f"{name}, {way}": partitioned(kind, way) for name, kind in kinds(n, m).items() for way in PARTITIONS}


def history(seed: int, length: int = 60, disorder: bool = True) -> list[Any]:
    """A random stream: tuples, ticks, punctuation. Times and attributes move in small steps, so that bounds are hit exactly."""
    rng = random.Random(seed)
    now, a, b, items = 0, 0, 0, []
    for number in range(length):
        now += rng.choice((0, 0, 1, 1, 2, 5))
        a += rng.choice((0, 1, 1, 2, 4))
        b += rng.choice((0, 1, 3))
        kind = rng.random()
        if kind < 0.1:
            items.append(("tick", now))
        elif kind < 0.2:
            items.append(("punct",))
        else:
            t = {"id": number, "k": rng.choice("xyzw"), "a": a, "b": b}
            if disorder and rng.random() < 0.15:
                t[rng.choice("ab")] = rng.choice((a - 3, b - 2, None, float("nan"), float("inf"), -5))
            items.append(("tuple", now, t))
    return items
