"""Controllers whose delay is the same for many tuples, stretch by stretch."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.arrays.controller import Controller
from transom.disorder.arrays.frontier_path import StretchFrontiers
from transom.kernels.columns.arrays import Array, plain
from transom.kernels.columns.sequence import Sequence


class PerStretchController(Controller):
    """A controller that needs only how far tuples are below the maximum. Everything is in whole units on exact axes."""

    def run(self, a: Array, arrival: Array | None = None) -> Array:
        sequence = Sequence.of(self.in_units(a))
        return self.judge(sequence, arrival).before(np.arange(len(a) + 1))

    def waits(self, frontier: Any) -> int:
        return int(np.count_nonzero(self.from_units(self.waiting) >= frontier))

    def _record(self, sequence: Sequence, found: StretchFrontiers, reached: Any) -> None:
        """Add a piece to the figures for the report; the frontier after it is `reached`."""
        found.end(reached)
        self.high, self.frontier = plain(self.from_units(sequence.high[-1].item())), found.last
        sampled = self._sampled(len(sequence))
        frontiers = found.in_units(sampled)
        delays = (sequence.high[sampled] - frontiers)[frontiers > self.axis.nothing_yet]
        first = int(np.searchsorted(sequence.high[1:], reached))
        self._note(len(sequence), len(found.late()), delays * self.step, sequence.since(first), reached)
