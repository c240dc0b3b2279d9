"""What operators over windows with policies need to know on an executor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from transom.windowing import Operator
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Punct

TUPLE, PUNCTUATION = 0, 3
"""What a row is that comes from another operator: a tuple, or a window punctuation. Others say that it is alive."""


@dataclass(frozen=True)
class InputSpec:
    """One input port: its window, and the columns of its tuples. What windows give has the order of its instants, `ties` among
    them by "arrival" or by "content"; None is the order of arrival."""

    port: str
    window: Configuration
    columns: tuple[str, ...]
    ties: str | None = None


@dataclass(frozen=True)
class ContainerSpec(ABC):
    """Input ports with windows. `ordered` is set where all inputs read the same source, so that tuples of different ports have an
    order; with `passes_on`, another operator reads what comes out, window punctuation included. `alone` is why partitions are not
    spread over shards, however many there are."""

    inputs: tuple[InputSpec, ...]
    fingerprint: str = field(default="", kw_only=True)
    spread: bool = field(default=False, kw_only=True)
    ordered: bool = field(default=False, kw_only=True)
    passes_on: bool = field(default=False, kw_only=True)
    alone: str | None = field(default=None, kw_only=True)

    @property
    def about(self) -> dict[str, Any]:
        """What state says of its operator, so that it can be divided by those who have no plan."""
        return {
            "kind": self.name,
            "alone": self.alone or (None if self.alike else "there are no partitions"),
            "keys": list(self.inputs[0].window.keys),
            "limited": any(one.window.limit is not None for one in self.inputs),
            "by_partition": self.by_partition,
        }

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called in messages."""

    @property
    @abstractmethod
    def windows(self) -> dict[str, Configuration]:
        """The windows of the containers, by port."""

    @property
    def alike(self) -> bool:
        """Whether all ports are partitioned by as many columns, so that a partition is the same at all of them."""
        widths = {len(one.window.keys) for one in self.inputs}
        return len(widths) == 1 and 0 not in widths

    @property
    def by_partition(self) -> bool:
        """Whether a micro-batch needs only the partitions that its tuples and the clock touch. A limit, and punctuation, need
        all of them."""
        every = any(one.window.limit is not None or isinstance(one.window.evict, Punct) for one in self.inputs)
        return self.alike and not every


@dataclass(frozen=True)
class AppliedSpec(ContainerSpec):
    """A user's operator, and the output that is taken, with the columns it has."""

    operator: Operator = field(kw_only=True)
    output: str = field(kw_only=True)
    schema: pa.Schema = field(kw_only=True)

    @property
    def name(self) -> str:
        return type(self.operator).__name__

    @property
    def windows(self) -> dict[str, Configuration]:
        return {one.port: one.window for one in self.inputs}
