"""A join of two branches as a stage."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from transom.column_names import KEY, OWN, VALUE
from transom.kernels.spec import JoinSpec
from transom.plan.nodes.join_in_step import Join
from transom.plan.quoted import quoted
from transom.planner.in_step.merged_stage import MergedStage


@dataclass(frozen=True, kw_only=True)
class JoinInStepStage(MergedStage):
    """The join, its branches, and the nodes above it."""

    join: Join

    @property
    def node(self) -> Join:
        return self.join

    @property
    def keys(self) -> tuple[str, ...]:
        """What is compared, by number: the instant is the first. Rows of one instant spread over shards as well."""
        return tuple(str(n) for n in range(len(self.join.condition)))

    def columns(self, side: int) -> dict[str, str]:
        compared = [pair[side] for pair in self.join.condition]
        made = {VALUE: quoted(compared[0])}
        made |= {f"{KEY}{key}": quoted(name) for key, name in zip(self.keys, compared, strict=True)}
        return made | {f"{OWN}{here}": quoted(there) for here, there in self.join.columns_of(side).items()}

    def spec(self, types: dict[str, pa.DataType]) -> JoinSpec:
        kind = types[VALUE]
        left, right = (tuple(self.join.columns_of(side)) for side in (0, 1))
        return JoinSpec(
            axis=self.axis(kind),
            axis_type=kind,
            generating=self.generating,
            keys=self.keys,
            shard_by=self.keys,
            tuples=(*left, *right),
            left=left,
            right=right,
            outer=self.join.kind == "LEFT",
            fingerprint=self.fingerprint,
        )
