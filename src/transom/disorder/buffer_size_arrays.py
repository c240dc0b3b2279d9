"""BFSIZE on arrays, over another controller."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.arrays.controller import Controller
from transom.disorder.arrays.per_tuple import PerTupleController
from transom.disorder.slack_arrays import leaving
from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis

PIECE = 4096
"""Tuples at least in a piece that is tested as a whole: shorter pieces cost more than the heap saves."""


class BufferedController(PerTupleController):
    """Where a piece cannot reach the limit, it is skipped; in others, each tuple passes a heap."""

    def __init__(self, axis: Axis, step: int, other: Controller, size: int) -> None:
        super().__init__(axis, step)
        self.other, self.size = other, size

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        length = max(self.size // 4, PIECE)
        reached[1:] = self.other.run(a, arrival)[1:]
        held = self.waiting
        for start in range(0, len(a), length):
            piece, own = a[start : start + length], reached[1 + start : 1 + start + length]
            if len(held) + len(piece) > self.size:
                left = leaving(held, piece, self.size, self.axis.nothing_yet)
                above = np.where(left <= self.axis.nothing_yet, left, self._above(left))
                np.maximum(own, np.maximum.accumulate(above), out=own)
            held = np.concatenate([held, piece])
            held = held[held >= max(own[-1], self.frontier)]

    def _above(self, a: Array) -> Any:
        return np.nextafter(a, np.inf) if self.axis.factor is None else a + self.step

    @property
    def target(self) -> float | None:
        return self.other.target

    @property
    def learns(self) -> bool:
        return self.other.learns

    def about(self, frontier: Any = None) -> dict[str, Any]:
        return {**super().about(frontier), "buffer": self.size}

    def delay_for(self, ratio: float) -> Any:
        return self.other.delay_for(ratio)

    def own_to_json(self) -> dict[str, Any]:
        return {"other": self.other.to_json()}

    def own_from_json(self, kept: dict[str, Any]) -> None:
        self.other.from_json(kept["other"])
