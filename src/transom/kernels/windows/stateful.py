"""What all operators of a shard have in common: tuples in, results out, state and counts in between."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from transom.kernels.columns.arrays import Array
from transom.kernels.columns.batch import Batch, Counts, LateRows, OperatorOutput
from transom.kernels.progress.advance import Advance
from transom.kernels.spec import Spec
from transom.kernels.state.store import Blocks

NOWHERE: Array = np.zeros(0, np.int64)


class StatefulOperator(ABC):
    """One operator with its state. `step` takes a micro-batch; everything else is read after it."""

    advance: Advance
    """How far progress had come in the last micro-batch."""

    def __init__(self, spec: Spec) -> None:
        self.counts = Counts()
        self._nothing_yet = spec.axis.nothing_yet

    def step(self, batch: Batch, advance: Advance, blocks: Blocks, out: OperatorOutput) -> LateRows:
        """Take a micro-batch in, report what is complete, forget what is no longer needed; the tuples that missed a window."""
        self.advance = advance
        return self.take_in(batch, blocks, out)

    @abstractmethod
    def take_in(self, batch: Batch, blocks: Blocks, out: OperatorOutput) -> LateRows:
        """The step itself."""

    @abstractmethod
    def passed_on(self, frontier: Any) -> Any:
        """The timestamp below which no result is still to come, where the frontier is here."""

    @abstractmethod
    def reached(self) -> Any:
        """How far an end of the input reaches, where there is a newest tuple: its windows are the last that are closed. It is the
        same in every shard."""

    def open_windows(self) -> int | None:
        """How many windows hold a tuple and are not complete; None where they are not known or not counted."""
        return None

    def load(self, blocks: Blocks) -> None:  # noqa: B027
        """Read the blocks that every step needs."""

    def save(self, blocks: Blocks) -> None:  # noqa: B027
        """Write the blocks that every step changes."""

    def to_json(self) -> dict[str, Any]:
        """Scalar state, kept beside blocks."""
        return {}

    def from_json(self, note: dict[str, Any]) -> None:  # noqa: B027
        """Scalar state of an earlier execution."""
