"""An operator of the windowing library, applied to streams (seed 004)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from transom.errors import NotSupported
from transom.plan.nodes.node import Node
from transom.plan.nodes.policies_of_columns import check_columns
from transom.plan.types.schema import Column, Schema
from transom.windowing import Operator, Output
from transom.windowing.operator.ports import outputs_of
from transom.windowing.policies.configuration import Configuration

Windows = tuple[tuple[str, Configuration], ...]


@dataclass(frozen=True)
class Applied(Node):
    """One output of an operator whose input ports read streams, each through a window.

    `feeds` are in the order of the ports in `windows`. With `per_shard`, a limit on partitions holds in each shard by itself.
    """

    operator: Operator = field(repr=False)
    windows: Windows
    feeds: tuple[Node, ...]
    output: str
    per_shard: bool = False

    def __post_init__(self) -> None:
        for (port, window), feed in zip(self.windows, self.feeds, strict=True):
            if feed.is_windowed:
                raise NotSupported(
                    "an operator reads a stream, and these rows still belong to windows",
                    given=feed.label(),
                    remedy="aggregate or select them first",
                )
            check_columns(window, feed.schema, f"the stream at port {port!r} of {self.name}")

    @property
    def name(self) -> str:
        return type(self.operator).__name__

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.feeds

    @property
    def outputs(self) -> dict[str, Output]:
        return outputs_of(self.operator.gives)

    @cached_property
    def schema(self) -> Schema:
        output = self.outputs[self.output]
        if output.like is None:
            return Schema(tuple(Column(column.name, column.type.upper()) for column in output.parsed))
        return Schema(self.feed(output.like).schema.columns)

    def feed(self, port: str) -> Node:
        """The stream that a port reads."""
        return self.feeds[[name for name, _ in self.windows].index(port)]

    @property
    def time_attribute(self) -> str | None:
        """Rows come in the order in which the operator emits them, whatever their timestamps."""
        return None

    @property
    def is_blocking(self) -> bool:
        return True

    @property
    def keys(self) -> tuple[str, ...]:
        return self.windows[0][1].keys

    @property
    def reads_clock(self) -> bool:
        """Whether anything here depends on the clock."""
        return any(window.reads_clock for _, window in self.windows)

    def label(self) -> str:
        named = len(self.windows) > 1
        windows = ", ".join(f"{port} {window}" if named else str(window) for port, window in self.windows)
        output = f" ({self.output})" if len(self.outputs) > 1 else ""
        return f"Applied {self.name}{output} {windows}"
