"""What goes through a window operator: the tuples of a micro-batch, what became of them, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.columns.arrays import Array, Bools, Ints


@dataclass
class Batch:
    """The tuples of a micro-batch in the order of arrival, each with the frontiers before it and its number."""

    table: pa.Table
    a: Array
    valid: Bools
    of_tuple: Array
    of_group: Array
    pick: Bools
    n: Ints

    @property
    def rows(self) -> int:
        return len(self.a)

    @property
    def late(self) -> Bools:
        return np.asarray(self.valid & (self.a < self.of_tuple), bool)


@dataclass
class Counts:
    """How tuples fared: in = used + dropped + outside, of those that WHERE picks.

    `ahead` of them were set aside as ahead of their time.
    """

    used: int = 0
    dropped: int = 0
    outside: int = 0
    late: int = 0
    ahead: int = 0
    above_max: int = 0

    def add(self, **more: int) -> None:
        for name, count in more.items():
            setattr(self, name, getattr(self, name) + int(count))

    @property
    def all(self) -> int:
        """All that came in."""
        return self.used + self.dropped + self.outside

    def plus(self, other: Counts) -> Counts:
        return Counts(**{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)})


@dataclass
class LateRows:
    """Tuples that missed a window, and the frontier that excluded each."""

    rows: Ints
    frontier: Array


@dataclass
class OperatorOutput:
    """What leaves a window operator in a micro-batch. `progress` is the instant below which no more results come,
    `frontier` that below which no more tuples do.

    `boundaries` are the instants of the extents that have ended, in order, where another operator hears of them; `control` is
    what is known of progress, the same in every shard; `ages` are the late tuples by age; `idle` says that nothing has
    come for long; `inspected` is what whoever watches is shown of this micro-batch. `taken` is how many tuples came from each
    input, where there are several.
    """

    rows: pa.Table | None = None
    late: pa.Table | None = None
    counts: Counts = field(default_factory=Counts)
    progress: float | int | None = None
    frontier: float | int | None = None
    boundaries: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    held: int = 0
    control: dict[str, Any] | None = None
    ages: dict[float, int] = field(default_factory=dict)
    idle: bool = False
    inspected: dict[str, Any] | None = None
    taken: tuple[int, ...] = ()
