"""SLACK d over a sequence, where BFSIZE limits it."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array
from transom.kernels.columns.axis import Axis
from transom.kernels.controllers.each import EachController


class SlackController(EachController):
    """The running maximum less a distance on the axis."""

    def __init__(self, axis: Axis, step: int, slack: Any) -> None:
        super().__init__(axis, step)
        self.slack = slack

    def promise(self, a: Array, high: Array, arrival: Array | None, reached: Array) -> None:
        np.subtract(high[1:], self.slack, out=reached[1:])
