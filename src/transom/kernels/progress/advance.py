"""How far progress has come in a micro-batch, as window operators need it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from transom.kernels.columns.arrays import Array

KeyFrontier = Callable[[pa.Table], Array]
"""The frontier of each key of a table of keys."""


@dataclass(frozen=True)
class Advance:
    """The frontiers before and after a micro-batch.

    `after` counts the end of the input, `promised` does not; `of_all` is the frontier of groups that have not been seen, `newest`
    the largest place of a tuple so far, and `uniform` says that the frontier is the same for all keys.
    """

    before: KeyFrontier
    after: KeyFrontier
    promised: KeyFrontier
    of_all: Any
    newest: Any
    ended: bool = False
    uniform: bool = False
