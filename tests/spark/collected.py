"""The rows of each micro-batch, collected by `foreachBatch`: in this process, or over Spark Connect in one of the server's."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame


class Collected:
    """What `foreachBatch` calls. Rows go by files, as the process that has them may be another."""

    def __init__(self, rows_of: Callable[[DataFrame], list[Any]]) -> None:
        self._rows_of, self._folder = rows_of, tempfile.mkdtemp(prefix="transom-collected-")

    def __call__(self, frame: DataFrame, number: int) -> None:
        Path(self._folder, str(number)).write_bytes(pickle.dumps(self._rows_of(frame)))

    @property
    def found(self) -> dict[int, list[Any]]:
        """The rows by micro-batch, in their order."""
        files = sorted(Path(self._folder).iterdir(), key=lambda file: int(file.name))
        return {int(file.name): pickle.loads(file.read_bytes()) for file in files}
