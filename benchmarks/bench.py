"""What every part of the benchmark works with: a session, conditions, and streams over the same files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from benchmarks.conditions import Conditions
from benchmarks.contest import Contender, Contest, compete
from benchmarks.data import SCHEMA, Dataset
from benchmarks.running import Run, run

Query = Callable[[DataFrame], DataFrame]


@dataclass(frozen=True)
class Bench:
    """A session and the conditions."""

    spark: SparkSession
    conditions: Conditions

    def data(self, keys: int, rows: int | None = None) -> Dataset:
        return Dataset(rows or self.conditions.rows, keys, self.conditions.files)

    def stream(self, path: Path, files: int | None = None, per_trigger: int | None = None) -> DataFrame:
        """The files as a stream; of the first few, a stream over these."""
        reader = self.spark.readStream.schema(SCHEMA).option(
            "maxFilesPerTrigger", per_trigger or self.conditions.files_per_trigger
        )
        if files is not None:
            reader = reader.option("pathGlobFilter", f"part-{{{','.join(f'{n:03}' for n in range(files))}}}.parquet")
        return reader.parquet(str(path))

    def contender(
        self, name: str, query: Query, keys: int, *, rows: int | None = None, files: int | None = None, at: float = 0
    ) -> Contender:
        """A query over all files, or over the first few; one that is given few is also warmed up with fewer."""
        data = self.data(keys, rows)
        path = data.path(self.conditions.folder)
        count = min(files or data.files, data.files)
        warm = count if count == data.files else max(1, count // 4)
        return Contender(
            name,
            lambda n: query(self.stream(path, n)),
            count,
            data.rows * count // data.files,
            warm,
            data.rows * warm // data.files,
            at,
        )

    def run(self, frame: DataFrame, rows: int, *, look_at_state: bool = False) -> Run:
        return run(frame, rows, self.conditions.folder, look_at_state=look_at_state)

    def compete(self, *contenders: Contender) -> Contest:
        return compete(contenders, self.conditions.repeats, self.run)


def line(contest: Contest, contenders: list[Contender]) -> list[tuple[float, float]]:
    """Rows per second of the contenders of one line of a curve; those that failed are left out."""
    return [(one.at, round(contest.rate(one.name))) for one in contenders if one.name not in contest.failed]
