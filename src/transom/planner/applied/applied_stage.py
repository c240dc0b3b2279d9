"""An applied operator as a stage: what its ports read, how it is spread, and what it runs as on executors."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from transom.kernels.applied.applied_spec import AppliedSpec, InputSpec
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.node import Node
from transom.plan.quoted import quoted
from transom.planner.stage import Stage


@dataclass(frozen=True)
class Feed:
    """What a port reads: a stream (`stage` has its scan), or what other stages give; and what Spark computes in between."""

    below: tuple[Node, ...]
    stage: Stage | None = None
    stages: tuple[Any, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether its tuples are the results of windows, which have an order by instant, and none of arrival."""
        return bool(self.stages) and not isinstance(self.stages[-1], AppliedStage)

    @property
    def reads_clock(self) -> bool:
        return any(isinstance(stage, AppliedStage) and stage.reads_clock for stage in self.stages)

    @property
    def fingerprint(self) -> str:
        below = [node.label() for node in self.below]
        stream = None if self.stage is None or self.stage.scan is None else self.stage.scan.stream.name
        return json.dumps([below, stream, [stage.fingerprint for stage in self.stages]])


@dataclass(frozen=True)
class AppliedStage:
    """One operator, the streams at its ports, and the nodes above it. With `passes_on`, another operator reads its output."""

    node: Applied
    feeds: tuple[Feed, ...]
    above: tuple[Node, ...] = ()
    passes_on: bool = False
    ticks: bool = False
    written: str = ""
    only_late = False
    partition_by: tuple[str, ...] = ()

    @property
    def reads_clock(self) -> bool:
        """Whether time matters here, or in an operator below or above: all of them hear of it from the sources."""
        return self.ticks or self.node.reads_clock or any(feed.reads_clock for feed in self.feeds)

    @property
    def spreads(self) -> str | None:
        """Why partitions are not spread over shards; None if they are."""
        windows = [window for _, window in self.node.windows]
        if not all(window.keys for window in windows):
            return "there are no partitions"
        if len({len(window.keys) for window in windows}) > 1:
            return "ports are partitioned by different numbers of columns"
        if any(window.limit is not None for window in windows) and not self.node.per_shard:
            return "the limit on partitions holds for all of them together"
        if self.passes_on:
            return "another operator reads its results in their order"
        return None

    @property
    def fingerprint(self) -> str:
        """What the state depends on."""
        if self.written:
            return self.written
        windows = [[port, str(window)] for port, window in self.node.windows]
        about = [self.node.name, windows, [feed.fingerprint for feed in self.feeds], self.node.per_shard]
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]

    @property
    def reads_one_source(self) -> bool:
        """Whether all ports read the same stream, so that tuples of different ports have an order."""
        streams = [None if feed.stage is None or feed.stage.scan is None else feed.stage.scan.stream for feed in self.feeds]
        first = streams[0]
        return first is not None and all(one is not None and one == first and one.frame is first.frame for one in streams)

    def spec(self, schema: pa.Schema, *, shards: int) -> AppliedSpec:
        """What runs on executors; `schema` has the columns of the output."""
        inputs = tuple(
            InputSpec(port, window, tuple(feed.schema.names), read.timed)
            for (port, window), feed, read in zip(self.node.windows, self.node.feeds, self.feeds, strict=True)
        )
        fingerprint = f"{self.fingerprint}-{shards}"
        return AppliedSpec(
            self.node.operator, inputs, self.node.output, schema, fingerprint, spread=shards > 1, ordered=self.reads_one_source
        )

    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """What the operator gives is what the node gives; conditions and select lists stand above."""
        return [(name, quoted(name)) for name in self.node.schema.names], None
