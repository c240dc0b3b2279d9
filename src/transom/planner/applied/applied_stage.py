"""An operator that a user applied to streams, as a stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from transom.kernels.applied.applied_spec import AppliedSpec, InputSpec
from transom.plan.nodes.applied import Applied
from transom.plan.quoted import quoted
from transom.planner.applied.container_stage import ContainerStage
from transom.windowing.policies.configuration import Configuration


@dataclass(frozen=True)
class AppliedStage(ContainerStage):
    """The operator, with a window and a feed for each port."""

    node: Applied = field(kw_only=True)

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def windows(self) -> tuple[Configuration, ...]:
        return tuple(window for _, window in self.node.windows)

    @property
    def per_shard(self) -> bool:
        return self.node.per_shard

    @property
    def described(self) -> Any:
        return [port for port, _ in self.node.windows]

    @property
    def partition_by(self) -> tuple[str, ...]:
        return ()

    @property
    def reads_one_source(self) -> bool:
        """Whether all ports read the same stream, so that tuples of different ports have an order."""
        streams = [None if feed.stage is None or feed.stage.scan is None else feed.stage.scan.stream for feed in self.feeds]
        first = streams[0]
        return first is not None and all(one is not None and one == first and one.frame is first.frame for one in streams)

    def spec(self, schema: pa.Schema, *, shards: int) -> AppliedSpec:
        """What runs on executors; `schema` has the columns of the output."""
        inputs = tuple(
            InputSpec(port, window, tuple(feed.schema.names), read.ties)
            for (port, window), feed, read in zip(self.node.windows, self.node.feeds, self.feeds, strict=True)
        )
        return AppliedSpec(
            inputs,
            operator=self.node.operator,
            output=self.node.output,
            schema=schema,
            fingerprint=f"{self.fingerprint}-{shards}",
            spread=shards > 1,
            alone=self.spreads,
            ordered=self.reads_one_source,
            passes_on=self.passes_on,
        )

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """What the operator gives is what the node gives; conditions and select lists stand above."""
        return [(name, quoted(name)) for name in self.node.schema.names], None
