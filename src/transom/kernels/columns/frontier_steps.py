"""The steps of a frontier: what one operator has found of a whole sequence, for shards that each see a part of it.

A shard must know the frontier before each of its tuples that is late, and of the others no more than that they are not. So for
each slice it gets where the frontier stood before it, and which tuples of the sequence were late, with the frontier before each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from transom.column_names import SEQUENCE_NUMBER
from transom.kernels.columns.arrays import Array, Ints, one_chunk
from transom.kernels.columns.axis import Axis

Order = tuple[Any, ...]


class Placed(Protocol):
    """A slice, as far as it matters here."""

    order: Order
    rows: pa.Table


@dataclass(frozen=True)
class FrontierStep:
    """Of one slice: the frontier before it, and the numbers of the tuples that were late, with the frontier before each."""

    start: Any
    late: Ints
    frontiers: Array


@dataclass(frozen=True)
class FrontierSteps:
    """Of one micro-batch: the step of each slice, the frontier after all, and what is reported of progress, also after an end.

    `counted` are the late tuples that one shard counts for all: their places, and the frontier before each.
    """

    frontier: Any
    of: dict[Order, FrontierStep] = field(default_factory=dict)
    idle: bool = False
    about: dict[str, Any] | None = None
    after_end: dict[str, Any] | None = None
    counted: tuple[Array, Array] | None = None


def judged_by(steps: FrontierSteps, slices: Sequence[Placed], floor: Any, axis: Axis) -> tuple[list[Any], Array]:
    """The frontier before each slice, and before each tuple of all slices in their order."""
    starts: list[Any] = []
    found = [np.zeros(0, axis.dtype)]
    for piece in slices:
        step = steps.of.get(piece.order)
        starts.append(floor if step is None else max(floor, step.start))
        if piece.rows.num_rows and step is not None:
            found.append(_before(step, starts[-1], np.asarray(one_chunk(piece.rows[SEQUENCE_NUMBER])), axis))
    return starts, np.concatenate(found)


def _before(step: FrontierStep, start: Any, numbers: Ints, axis: Axis) -> Array:
    """The frontier before some tuples: that before the slice, unless they were late."""
    before = np.full(len(numbers), start, axis.dtype)
    if len(step.late):
        place = np.minimum(np.searchsorted(step.late, numbers), len(step.late) - 1)
        late = step.late[place] == numbers
        before[late] = np.maximum(start, step.frontiers[place[late]])
    return before
