"""What an applied operator needs to know on an executor."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from transom.windowing import Operator
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Punct

KIND = "__kind"
TUPLE, CONTROL, PUNCTUATION = 0, 2, 3
"""What a row is that comes from another operator: a tuple, a sign of life, or a window punctuation."""


@dataclass(frozen=True)
class InputSpec:
    """One input port: its window, and the columns of its tuples. In `timed`, tuples come from windows, in the order of their
    instants."""

    port: str
    window: Configuration
    columns: tuple[str, ...]
    timed: bool = False


@dataclass(frozen=True)
class AppliedSpec:
    """An operator, its input ports, and the output that is taken, with the columns it has.

    `ordered` is set where all inputs read the same source, so that tuples of different ports have an order.
    """

    operator: Operator
    inputs: tuple[InputSpec, ...]
    output: str
    schema: pa.Schema
    fingerprint: str = ""
    spread: bool = False
    ordered: bool = False

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

    @property
    def windows(self) -> dict[str, Configuration]:
        return {one.port: one.window for one in self.inputs}
