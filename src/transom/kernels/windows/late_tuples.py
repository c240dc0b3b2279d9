"""No window at all: only which tuples are below the frontier. This is `LATE OF s` of a stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.columns.batch import Batch, Counts, Late, Output
from transom.kernels.spec import Spec
from transom.kernels.state.store import Blocks
from transom.kernels.windows.reporting import KeyFrontier


class Judging:
    """The operator that judges tuples and does nothing else."""

    of_all: Any = None
    newest: Any = None
    ended = False
    uniform = False

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.counts = Counts()

    def step(self, batch: Batch, before: KeyFrontier, after: KeyFrontier, blocks: Blocks, out: Output) -> Late:
        late = batch.late
        self.counts.add(late=late.sum(), dropped=late.sum(), used=(batch.valid & ~late).sum(), outside=(~batch.valid).sum())
        rows = np.flatnonzero(late)
        return Late(rows, batch.of_tuple[rows])

    def passed_on(self, frontier: Any) -> Any:
        """The timestamp below which no result is still to come: late tuples promise nothing."""
        return self.spec.axis.nothing_yet

    def reached(self) -> Any:
        """How far an end of the input reaches: no further than what was promised."""
        return self.spec.axis.nothing_yet

    def load(self, blocks: Blocks) -> None:
        """There is nothing to keep but the frontier."""

    def save(self, blocks: Blocks) -> None:
        """There is nothing to keep but the frontier."""

    def to_json(self) -> dict[str, Any]:
        return {}

    def from_json(self, note: dict[str, Any]) -> None:
        """There is nothing to keep but the frontier."""
