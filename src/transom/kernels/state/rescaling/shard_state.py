"""What any kind of state does to be spread over another number of shards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import pyarrow as pa

from transom.errors import CheckpointDamaged, CheckpointMismatch
from transom.kernels.columns.arrays import Ints, one_chunk
from transom.kernels.columns.sharding import shards_of

State = Mapping[str, bytes]
Blocks = dict[str, bytes]
Note = dict[str, Any]

WHOLE = "restore the checkpoint from a copy"


class ShardState(ABC):
    """The state of one shard of one operator. `plan` is the fingerprint of that; `kind` the name of its class."""

    plan: str
    kind: str
    is_controlled = False
    """Whether a controller makes its progress."""
    ends_of_plan = 2
    """How many numbers its fingerprint ends with: of shards, and of partitions where it names these, too."""

    @property
    @abstractmethod
    def is_spread(self) -> bool:
        """Whether its rows are spread over shards at all."""

    @abstractmethod
    def blocks(self, plan: str) -> Blocks:
        """As blocks of the plan with this fingerprint."""

    @abstractmethod
    def split(self, shards: int) -> list[Blocks]:
        """As the states of several shards, of the same plan."""

    @abstractmethod
    def merge(self, others: Sequence[Self]) -> None:
        """Take in the states of other shards."""

    def plan_for(self, shards: int, partitions: int) -> str:
        """The fingerprint of the same plan with other numbers."""
        numbers = (shards, partitions)[: self.ends_of_plan]
        return "-".join([self.plan.rsplit("-", self.ends_of_plan)[0], *map(str, numbers)])


def earlier_format(plan: str) -> CheckpointMismatch:
    """State that does not say how it is spread."""
    return CheckpointMismatch(
        "the state was written in an earlier format, which does not say how it is spread",
        given=f"plan {plan}",
        remedy="run the query with this version until a micro-batch with tuples has ended, stop it, and try again",
    )


def shards_by_key(table: pa.Table, columns: Sequence[str], shards: int) -> Ints:
    """The shard of each row, as bucket finds it."""
    return shards_of([one_chunk(table[name]) for name in columns], table.num_rows, shards)


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Tables of the same columns, one after the other."""
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()


def merged_promises(tables: Sequence[pa.Table]) -> pa.Table:
    """Promises to groups: all of them, and to each group the largest."""
    found = [table for table in tables if table.num_rows]
    if not found:
        return tables[0]
    whole = joined(found)
    names = [name for name in whole.column_names if name != "x"]
    largest = whole.group_by(names, use_threads=False).aggregate([("x", "max")])
    return largest.rename_columns({"x_max": "x"}).select(whole.column_names)


def merged_progress(found: Sequence[Note]) -> Note:
    """Progress, which is the same in all shards, but for when each has heard of something last."""
    first = found[0]
    for other in found[1:]:
        if {**other, "silence": None} != {**first, "silence": None}:
            raise CheckpointDamaged(
                "shards have come to different places", given=f"{other['frontier']} and {first['frontier']}", remedy=WHOLE
            )
    heard = [one["silence"] for one in found if "silence" in one]
    return first | ({"silence": [max((at for at in ats if at is not None), default=None) for ats in zip(*heard, strict=True)]}
                    if heard else {})  # fmt: skip
