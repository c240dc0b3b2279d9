"""A join of two branches as a stage: one operator over their tagged union."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from transom.kernels.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.spec import JoinSpec, Spec
from transom.plan.join import EVENT_TS, Join
from transom.plan.node import Node

if TYPE_CHECKING:
    from transom.physical.stage import Stage


@dataclass(frozen=True)
class Branch:
    """One input of a join: its stages, and what Spark computes between the last of them and the join."""

    stages: tuple[Stage | JoinStage, ...]
    below: tuple[Node, ...]


@dataclass(frozen=True)
class JoinStage:
    """The join, its branches, and the nodes above it."""

    join: Join
    branches: tuple[Branch, ...]
    above: tuple[Node, ...] = ()
    only_late = False
    partition_by: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """What is compared, by number: the instant is the first. Rows of one instant spread over shards as well."""
        return tuple(str(n) for n in range(len(self.join.condition)))

    def columns(self, side: int) -> dict[str, str]:
        """The columns that Spark computes of a branch for bucket."""
        compared = [pair[side] for pair in self.join.condition]
        made = {"__value": _quoted(compared[0])}
        made |= {f"k:{key}": _quoted(name) for key, name in zip(self.keys, compared, strict=True)}
        return made | {f"t:{here}": _quoted(there) for here, there in self.join.columns_of(side).items()}

    def spec(self, types: dict[str, pa.DataType]) -> Spec:
        """The operator, given the types of the columns that go into it."""
        kind = types["__value"]
        left, right = (tuple(self.join.columns_of(side)) for side in (0, 1))
        return Spec(
            axis=self.axis(kind),
            axis_type=kind,
            generating=Generating(derived=True, inputs=len(self.branches)),
            keys=self.keys,
            shard_by=self.keys,
            tuples=(*left, *right),
            join=JoinSpec(left, right, self.join.kind == "LEFT"),
            fingerprint=self.fingerprint,
        )

    def axis(self, kind: pa.DataType) -> Axis:
        if pa.types.is_floating(kind):
            return Axis(None)
        return Axis(10**kind.scale if pa.types.is_decimal(kind) else 1)

    @property
    def fingerprint(self) -> str:
        """What the state depends on: the join, and all that is below it."""
        below = [[stage.fingerprint for stage in branch.stages] for branch in self.branches]
        about = [below, self.join.label(), [self.columns(side) for side in (0, 1)], repr([one.below for one in self.branches])]
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """What the operator gives is what the join gives; conditions and the select list stand above."""
        return [(name, _quoted(name)) for name in (*self.join.schema.names, EVENT_TS)], None


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
