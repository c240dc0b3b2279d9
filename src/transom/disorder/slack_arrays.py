"""SLACK on arrays: a distance (where BFSIZE limits it; otherwise the engine folds running maxima alone) or rows."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from transom.disorder.arrays.per_tuple import PerTupleController
from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis


class SlackController(PerTupleController):
    """The running maximum less a distance on the axis."""

    def __init__(self, axis: Axis, step: int, slack: Any) -> None:
        super().__init__(axis, step)
        self.slack = slack

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        np.subtract(high[1:], self.slack, out=reached[1:])


def leaving(held: Array, a: Array, size: int, nothing: float) -> Array:
    """What leaves a buffer of `size` largest values as each value comes in; nothing while it fills.

    Of all that has left, the largest is the (size + 1)-th largest value so far.
    """
    if size == 0:
        return a
    if len(held) > size:
        held = np.partition(held, len(held) - size)[-size:]
    buffer: list[float] = held.tolist()
    fills = max(0, size - len(buffer))
    buffer += a[:fills].tolist()
    heapq.heapify(buffer)
    left: Iterable[float] = map(partial(heapq.heappushpop, buffer), a[fills:].tolist())
    return np.concatenate([np.full(min(fills, len(a)), nothing, a.dtype), np.fromiter(left, a.dtype, max(0, len(a) - fills))])


class SortBufferController(PerTupleController):
    """SLACK n ROWS: the frontier is the largest value that has left a sort buffer of n rows. Equal values take a place each."""

    def __init__(self, axis: Axis, step: int, rows: int) -> None:
        super().__init__(axis, step)
        self.rows = rows

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        reached[1:] = leaving(self.waiting, a, self.rows, self.axis.nothing_yet)
