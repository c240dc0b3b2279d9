"""Whether disorder has fallen: QUIET tuples in a row were calm (see `schedule`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transom.disorder.dratio.schedule import QUIET
from transom.kernels.columns.arrays import Array, Ints


class FallDetector:
    """A lateness is calm if it is less than `below`, 0 where none is; the last that was not is tuple `last_stir`."""

    def __init__(self) -> None:
        self.below: Any = 0
        self.last_stir = 0

    def begin(self, below: Any, seen: int) -> None:
        """From here on."""
        self.below, self.last_stir = below, seen

    def lasts(self, seen: int) -> bool:
        """Whether disorder has just fallen, after this many tuples."""
        return self.below > 0 and seen - self.last_stir == QUIET

    def within(self, lateness: Array, peaks: Array, seen: int) -> int:
        """How many of these tuples, behind those seen, there are until disorder has fallen; or all. The peaks of blocks among
        them tell whether it can have."""
        if self.below == 0:
            return len(lateness)
        if self.last_stir == seen and len(peaks) and np.minimum.reduce(peaks) >= self.below:
            last, falls = len(lateness) - 1 - int((lateness[: -QUIET - 1 : -1] >= self.below).argmax()), False
        else:
            last, falls = self._last(
                np.concatenate([[self.last_stir - seen - 1], (lateness >= self.below).nonzero()[0]]), len(lateness)
            )
        self.last_stir = seen + last + 1
        return last + 1 + QUIET if falls else len(lateness)

    def _last(self, stirs: Ints, count: int) -> tuple[int, bool]:
        """The last tuple that is not calm before disorder has fallen, if it does; or of all."""
        gaps = np.concatenate([stirs[1:], [count]]) - stirs
        falls = bool(gaps.max() > QUIET)
        return int(stirs[(gaps > QUIET).argmax() if falls else -1]), falls

    def to_json(self) -> dict[str, Any]:
        return {"below": self.below, "last_stir": self.last_stir}

    def from_json(self, kept: dict[str, Any]) -> None:
        self.below, self.last_stir = kept["below"], kept["last_stir"]
