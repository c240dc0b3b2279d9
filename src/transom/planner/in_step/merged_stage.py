"""An operator over several branches as a stage: what joins and unions have in common."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from transom.column_names import EVENT_TS
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.spec import Spec
from transom.plan.nodes.node import Node
from transom.plan.quoted import quoted


@dataclass(frozen=True)
class Branch:
    """One input: its stages, and what Spark computes between the last of them and the operator."""

    stages: tuple[Any, ...]
    below: tuple[Node, ...]


@dataclass(frozen=True)
class MergedStage(ABC):
    """One operator over the tagged union of its branches, and the nodes above it."""

    branches: tuple[Branch, ...]
    above: tuple[Node, ...] = ()
    written: str = ""
    only_late = False
    partition_by: tuple[str, ...] = ()

    @property
    @abstractmethod
    def node(self) -> Node:
        """The node of the plan."""

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """What rows are spread by."""

    @abstractmethod
    def columns(self, side: int) -> dict[str, str]:
        """The columns that Spark computes of a branch for bucket."""

    @abstractmethod
    def spec(self, types: dict[str, pa.DataType]) -> Spec:
        """The operator, given the types of the columns that go into it."""

    @property
    def generating(self) -> Generating:
        return Generating(derived=True, inputs=len(self.branches))

    def axis(self, kind: pa.DataType) -> Axis:
        if pa.types.is_floating(kind):
            return Axis(None)
        return Axis(10**kind.scale if pa.types.is_decimal(kind) else 1)

    @property
    def fingerprint(self) -> str:
        """What the state depends on: the node, and all that is below it, of the query as it was written."""
        if self.written:
            return self.written
        below = [[stage.fingerprint for stage in branch.stages] for branch in self.branches]
        sides = [self.columns(side) for side in range(len(self.branches))]
        about = [below, self.node.label(), sides, repr([one.below for one in self.branches])]
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """What the operator gives is what the node gives; conditions and the select list stand above."""
        return [(name, quoted(name)) for name in (*self.node.schema.names, EVENT_TS)], None
