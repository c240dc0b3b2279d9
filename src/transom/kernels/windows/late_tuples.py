"""No window at all: only which tuples are below the frontier. This is `LATE OF s` of a stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.spec import LateSpec
from transom.kernels.state.store import Blocks
from transom.kernels.windows.stateful import StatefulOperator


class LateTuples(StatefulOperator):
    """The operator that decides which tuples are late and does nothing else."""

    def __init__(self, spec: LateSpec) -> None:
        super().__init__(spec)
        self.spec = spec

    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        late = batch.late
        self.counts.add(late=late.sum(), dropped=late.sum(), used=(batch.valid & ~late).sum(), outside=(~batch.valid).sum())
        rows = np.flatnonzero(late)
        return LateRows(rows, batch.of_tuple[rows])

    def passed_on(self, frontier: Any) -> Any:
        """Late tuples promise nothing."""
        return self.spec.axis.nothing_yet

    def reached(self) -> Any:
        """No further than what was promised."""
        return self.spec.axis.nothing_yet
