"""The state of operators that users apply, and of windows with policies in containers, for another number of shards.

A block is a partition of a port, and says its key. For all of its partitions a container keeps the time, numbers and counts.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from typing import Any, Self

import pyarrow as pa

from transom.errors import CheckpointDamaged, NotSupported
from transom.kernels.applied.keyed_run import FORMAT, HEAD
from transom.kernels.columns.sharding import shards_of
from transom.kernels.state.rescaling.shard_state import WHOLE, Blocks, Note, ShardState, State, earlier_format
from transom.kernels.state.rescaling.skeletons import skeleton
from transom.windowing.containers.partition import SAVED
from transom.windowing.containers.saved import FORMAT as SAVED_FORMAT

KEY, TUPLES, SIZE = (SAVED.index(name) for name in ("key", "tuples", "size"))
COUNTED = ("came", "processed")
"""What windows note by partition."""


class ContainerState(ShardState):
    """The state of the containers of one shard."""

    ends_of_plan = 1

    def __init__(self, state: State) -> None:
        try:
            written, self.plan, self.own, self.ports, self.keys, self.dues, self.counts, self.note = pickle.loads(state[HEAD])
        except Exception as error:
            raise CheckpointDamaged("a block of state cannot be read", given=f"{HEAD}: {error}", remedy=WHOLE) from None
        if written != FORMAT or "about" not in self.note:
            raise earlier_format(self.plan)
        self.about = self.note["about"]
        self.kind = self.about["kind"]
        self.partitions = {name: block for name, block in state.items() if name != HEAD}

    @property
    def is_spread(self) -> bool:
        return self.about["alone"] is None

    def blocks(self, plan: str) -> Blocks:
        head = (FORMAT, plan, self.own, self.ports, self.keys, self.dues, self.counts, self.note)
        return {HEAD: pickle.dumps(head), **self.partitions}

    # -- splitting -------------------------------------------------------------------------------------------

    def split(self, shards: int) -> list[Blocks]:
        self._check_limit()
        if shards == 1:
            return [self.blocks(self.plan)]
        if skeleton(self.own)[0]:
            raise NotSupported(
                f"{self.kind} keeps self.state for all partitions together, which cannot be spread over shards",
                given=f"{shards} shards",
                remedy="leave it in one shard; or keep it in window.state, and start with a new checkpoint",
            )
        states = {name: skeleton(block) for name, block in self.partitions.items()}
        owners = owners_of([state[KEY] for state in states.values()], shards)
        held = [0] * shards
        for owner, state in zip(owners, states.values(), strict=True):
            held[owner] += state[SIZE] or len(state[TUPLES])
        whose = dict(zip(states, owners, strict=True))
        parts = [self._part(shard, shards, held[shard]) for shard in range(shards)]
        for name, block in self.partitions.items():
            parts[whose[name]].partitions[name] = block
        return [part.blocks(part.plan) for part in parts]

    def _check_limit(self) -> None:
        if self.about["limited"]:
            raise NotSupported(
                "a limit on partitions that each shard holds by itself is another one with another number of shards",
                given=self.kind,
                remedy="keep the number of shards, or start with a new checkpoint",
            )

    def _part(self, shard: int, shards: int, held: int) -> Self:
        """What belongs to one of the new shards, but for its partitions. Counts are added up over shards, and go to the first."""
        part = copy(self)
        part.partitions, part.note = {}, dict(self.note)
        part.keys = set(_of_shard(self.keys, shard, shards))
        if self.about["by_partition"]:
            part.dues = {key: self.dues[key] for key in _of_shard(self.dues, shard, shards)}
        for name in COUNTED:
            if name in self.note:
                part.note[name] = {key: self.note[name][key] for key in _of_shard(self.note[name], shard, shards)}
        part.counts = {**(dict.fromkeys(self.counts, 0) if shard else self.counts), "held": held}
        if shard:
            part.ports = {port: (of, _with_header(header, _without_sums)) for port, (of, header) in self.ports.items()}
        return part

    # -- merging ---------------------------------------------------------------------------------------------

    def merge(self, others: Sequence[Self]) -> None:
        parts = [self, *others]
        if len(parts) == 1:
            return
        self._check_limit()
        self.partitions = {name: block for part in parts for name, block in part.partitions.items()}
        self.keys = set().union(*(part.keys for part in parts))
        self.dues = _earliest(part.dues for part in parts)
        self.counts = {name: sum(part.counts[name] for part in parts) for name in self.counts}
        self.note = self._merged_note([part.note for part in parts])
        self.ports = {
            port: (of, _packed(_merged_header([_header(part.ports[port][1]) for part in parts])))
            for port, (of, _) in self.ports.items()
        }

    def _merged_note(self, notes: Sequence[Note]) -> Note:
        """What is kept by partition, of all; types of columns; and a number that no tuple has had."""
        made = {**self.note}
        for name in (*COUNTED, "types"):
            if any(name in note for note in notes):
                made[name] = {key: value for note in notes for key, value in note.get(name, {}).items()}
        if any("arrived" in note for note in notes):
            made["arrived"] = max(note.get("arrived", 0) for note in notes)
        return made


def owners_of(keys: Sequence[Any], shards: int) -> list[int]:
    """The shard of each partition, as bucket finds it by the columns that make partitions."""
    if not keys:
        return []
    columns = zip(*(key if isinstance(key, tuple) else (key,) for key in keys), strict=True)
    return [int(owner) for owner in shards_of([pa.array(list(values)) for values in columns], len(keys), shards)]


def _of_shard(keys: Iterable[Any], shard: int, shards: int) -> Iterator[Any]:
    known = list(keys)
    return (key for key, owner in zip(known, owners_of(known, shards), strict=True) if owner == shard)


def _earliest(dues: Iterable[dict[Any, int]]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for own in dues:
        for key, at in own.items():
            found[key] = min(at, found.get(key, at))
    return found


# -- headers: the time, tuples in no window, numbers of tuples and partitions, and by delta policy how often it went back and what
# the largest value is ---------------------------------------------------------------------------------------

Header = tuple[int, int, int, int, list[Any]]


def _header(packed: bytes) -> Header:
    _, header = pickle.loads(packed)
    made: Header = header
    return made


def _packed(header: Header) -> bytes:
    return pickle.dumps((SAVED_FORMAT, header))


def _with_header(packed: bytes, change: Callable[[Header], Header]) -> bytes:
    return _packed(change(_header(packed)))


def _without_sums(header: Header) -> Header:
    now, _, arrived, opened, places = header
    return now, 0, arrived, opened, [None if one is None else (0, one[1]) for one in places]


def _merged_header(headers: Sequence[Header]) -> Header:
    now, outside, arrived, opened, places = zip(*headers, strict=True)
    found = [None if own[0] is None else (sum(back for back, _ in own), _known(own)) for own in zip(*places, strict=True)]
    return max(now), sum(outside), max(arrived), max(opened), found


def _known(places: Sequence[Any]) -> Any:
    """The largest value of a type, which is known once a tuple has come."""
    return next((most for _, most in places if most is not None), None)
