"""How many shards there are, and labels that Spark's own hash spreads one to a partition."""

from __future__ import annotations

from functools import lru_cache

from transom.errors import BadOption

CONTROLLED = 8
"""Shards of an operator with a controller, unless more are asked for. Where each folds the whole sequence, that is from here on
more work than what is spread, and bytes across the exchange only grow."""

ONCE = 16
"""From so many shards on, a frontier stage folds the sequence of a controller that walks tuple by tuple, once for all. A second
stateful operator and a second exchange cost some 60 ms of a core for each partition and micro-batch, and spare each shard 250 ns
for each tuple. Of DRATIO and HEARTBEAT they spare it 12 ns, which pays from millions of tuples in a micro-batch on."""

_SEED = 42


def number_of_shards(asked: int | None, partitions: int, *, spread: bool, controlled: bool = False) -> int:
    """As many shards as are asked for, or as there are partitions; one where the work cannot be spread."""
    if asked is not None and (not isinstance(asked, int) or isinstance(asked, bool) or asked < 1):
        raise BadOption(
            "shards is how many there are, at least one", given=f"shards={asked!r}", remedy="give a number, or leave it out"
        )
    if not spread:
        return 1
    return asked or (min(partitions, CONTROLLED) if controlled else partitions)


def folds_once(shards: int, *, by_tuple: bool, asked: str | None, able: bool) -> bool:
    """Whether a frontier stage folds the sequence of a controller: if it is asked for, or where it pays, `by_tuple` and in many
    shards, and the session is `able` to run it."""
    if asked is not None:
        return asked == "stage"
    return able and by_tuple and shards >= ONCE


def _rotated(x: int, by: int) -> int:
    return ((x << by) | (x >> (32 - by))) & 0xFFFFFFFF


def hash_of_int(value: int) -> int:
    """Spark's hash of an INT: 32-bit MurmurHash3 with seed 42."""
    k = _rotated((value & 0xFFFFFFFF) * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF
    h = (_rotated(_SEED ^ k, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    h ^= 4
    h = (h ^ (h >> 16)) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ (h >> 13)) * 0xC2B2AE35 & 0xFFFFFFFF
    h ^= h >> 16
    return h - 2**32 if h >= 2**31 else h


@lru_cache
def labels(shards: int, partitions: int) -> tuple[int, ...]:
    """A label for each shard; no two go to the same partition, as far as there are partitions."""
    found: dict[int, int] = {}
    label = 0
    while len(found) < min(shards, partitions):
        found.setdefault(hash_of_int(label) % partitions, label)
        label += 1
    first = [found[place] for place in sorted(found)]
    return (*first, *range(label, label + shards - len(first)))
