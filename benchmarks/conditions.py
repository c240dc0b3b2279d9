"""The conditions of a run: how much data, how many repeats, and the session that everything runs in."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from transom.spark.spark_session import new_session

FULL = 4_000_000
"""Rows from which on the floors are meant to hold."""


def data_folder() -> Path:
    """Outside of the repository: what is generated can be generated again."""
    return Path(os.environ.get("TRANSOM_BENCH_DATA") or Path(tempfile.gettempdir()) / "transom-bench")


@dataclass(frozen=True)
class Conditions:
    """What is the same for everyone that is measured."""

    rows: int = 8_000_000
    repeats: int = 3
    files: int = 20
    files_per_trigger: int = 4
    cores: int = 2
    memory: str = "8g"
    quick: bool = False
    folder: Path = field(default_factory=data_folder)

    @property
    def is_full(self) -> bool:
        return self.rows >= FULL and self.repeats >= 3 and not self.quick

    def some(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """Of the points of a curve the first and the last, if it has to go fast."""
        return (values[0], values[-1]) if self.quick and len(values) > 2 else values

    def session(self) -> SparkSession:
        settings = {
            "spark.driver.memory": self.memory,
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.streaming.numRecentProgressUpdates": "1000",
            "spark.log.level": "FATAL",
        }
        return new_session(f"local[{self.cores}]", settings)
