"""Stages that run containers of the windowing library: what their ports read, and how they are spread."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from transom.plan.nodes.node import Node
from transom.planner.stage import Stage
from transom.windowing.policies.configuration import Configuration


@dataclass(frozen=True)
class Feed:
    """What a port reads: a stream (`stage` has its scan), or what other stages give; and what Spark computes in between.

    Results of windows come in the order of their instants, and those of one instant by `ties`: "arrival" or "content".
    """

    below: tuple[Node, ...]
    stage: Stage | None = None
    stages: tuple[Any, ...] = ()
    ties: str | None = None

    @property
    def reads_clock(self) -> bool:
        return any(isinstance(stage, ContainerStage) and stage.reads_clock for stage in self.stages)

    @property
    def fingerprint(self) -> str:
        below = [node.label() for node in self.below]
        stream = None if self.stage is None or self.stage.scan is None else self.stage.scan.stream.name
        return json.dumps([below, stream, [stage.fingerprint for stage in self.stages]])


@dataclass(frozen=True)
class ContainerStage(ABC):
    """One operator over windows with policies, its feeds, and the nodes above it. With `passes_on`, another operator reads its
    output; with `ticks`, the clock matters to one above."""

    feeds: tuple[Feed, ...]
    above: tuple[Node, ...] = ()
    passes_on: bool = False
    ticks: bool = False
    written: str = ""
    only_late = False

    @property
    @abstractmethod
    def name(self) -> str:
        """What runs in the containers."""

    @property
    @abstractmethod
    def windows(self) -> tuple[Configuration, ...]:
        """The window of each port."""

    @property
    @abstractmethod
    def per_shard(self) -> bool:
        """Whether a limit on partitions holds in each shard by itself."""

    @property
    @abstractmethod
    def described(self) -> Any:
        """What its state depends on, besides its windows and feeds."""

    @property
    @abstractmethod
    def partition_by(self) -> tuple[str, ...]:
        """The columns that make partitions, where rows of one extent are compared."""

    @abstractmethod
    def finish(self) -> tuple[list[tuple[str, str]], str | None]:
        """The select list over what the operator gives, and the condition on it."""

    @property
    def reads_clock(self) -> bool:
        """Whether time matters here, or in an operator below or above: all of them hear of it from the sources."""
        return self.ticks or any(window.reads_clock for window in self.windows) or any(feed.reads_clock for feed in self.feeds)

    @property
    def spreads(self) -> str | None:
        """Why partitions are not spread over shards; None if they are."""
        if not all(window.keys for window in self.windows):
            return "there are no partitions"
        if len({len(window.keys) for window in self.windows}) > 1:
            return "ports are partitioned by different numbers of columns"
        if any(window.limit is not None for window in self.windows) and not self.per_shard:
            return "the limit on partitions holds for all of them together"
        if self.passes_on:
            return "another operator reads its results in their order"
        return None

    @property
    def fingerprint(self) -> str:
        """What the state depends on."""
        if self.written:
            return self.written
        windows = [str(window) for window in self.windows]
        about = [self.name, windows, self.described, [feed.fingerprint for feed in self.feeds], self.per_shard]
        return hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()[:16]
