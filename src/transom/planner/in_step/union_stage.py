"""A union of branches as a stage."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from transom.column_names import EVENT_TS, OWN, VALUE
from transom.kernels.spec import UnionSpec
from transom.plan.nodes.union import Union
from transom.plan.quoted import quoted
from transom.planner.in_step.merged_stage import MergedStage


@dataclass(frozen=True, kw_only=True)
class UnionStage(MergedStage):
    """The union, its branches, and the nodes above it. Rows are not spread: they leave in one order."""

    union: Union
    keys: tuple[str, ...] = ()

    @property
    def node(self) -> Union:
        return self.union

    def columns(self, side: int) -> dict[str, str]:
        """Columns go by their place, and are cast where the streams have different types."""
        made = {VALUE: quoted(EVENT_TS)}
        for here, there in zip(self.union.schema.columns, self.union.streams[side].schema.columns, strict=True):
            text = quoted(there.name)
            made[f"{OWN}{here.name}"] = text if here.type in (there.type, "UNKNOWN") else f"CAST({text} AS {here.type})"
        return made

    def spec(self, types: dict[str, pa.DataType]) -> UnionSpec:
        kind = types[VALUE]
        return UnionSpec(
            axis=self.axis(kind),
            axis_type=kind,
            generating=self.generating,
            tuples=tuple(self.union.schema.names),
            every=self.union.every,
            fingerprint=self.fingerprint,
        )
