"""Micro-batches written by hand: rows that are shown, and the outputs of one execution, each into its own target.

Spark may hand over a micro-batch again after a restart. A mark beside the checkpoint says which was the last one done, and
files carry the number of their micro-batch: a file that is written again replaces itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from transom.spark.frames.query_frame import Executed
from transom.spark.running.execution import taken
from transom.spark.running.jobs import Job, QueryOutput
from transom.spark.running.messages.interrupted import reported
from transom.spark.sinks import put_batch, show_in
from transom.spark.sources.filesystem import Folder, open_folder

MARK = "transom_written"
Show = Callable[[QueryOutput, DataFrame], int]
"""Shows the rows of an output, and says how many there were."""


@dataclass
class Writer:
    """Writes the micro-batches of a job; it is what `foreachBatch` calls. `spark` is the session that started the query."""

    spark: SparkSession
    job: Job
    executed: Executed | None
    place: str
    run: str
    show: Show
    written: dict[int, int] = field(default_factory=dict)
    error: BaseException | None = None

    def __call__(self, rows: DataFrame, batch: int) -> None:
        with reported(self):
            self._write(rows, batch)

    def _write(self, rows: DataFrame, batch: int) -> None:
        folder = open_folder(self.place)
        waiting = [output for output in self.job.outputs if _last(folder, output) < batch]
        if not waiting:
            rows.count()  # state and counts are made all the same
        with apart(self.job, rows, self.executed) as outputs:
            for output, own in outputs:
                if output in waiting:
                    self._count(output, self._put(output, own, batch))
                    folder.replace(f"{MARK}-{output.number}", str(batch))

    def _count(self, output: QueryOutput, count: int) -> None:
        self.written[output.number] = self.written.get(output.number, 0) + count

    def _put(self, output: QueryOutput, rows: DataFrame, batch: int) -> int:
        if output.target is None:
            return self.show(output, rows)
        count = rows.count()
        if count or batch == 0:  # the first makes the folder or the table
            put_batch(rows, output.target, self.run, batch)
            show_in(self.spark, output.target)
        return count


@dataclass
class Handed:
    """Hands the micro-batches of a job to a function of the user: a DataFrame for each output, and the number of the batch."""

    job: Job
    executed: Executed | None
    function: Callable[..., Any]
    error: BaseException | None = None

    def __call__(self, rows: DataFrame, batch: int) -> None:
        with reported(self), apart(self.job, rows, self.executed) as outputs:
            self.function(*(own for _, own in outputs), batch)


@contextmanager
def apart(job: Job, rows: DataFrame, tagged: Executed | None) -> Iterator[list[tuple[QueryOutput, DataFrame]]]:
    """The rows of each output. Tagged ones are computed once for all of them."""
    if tagged is None:
        yield [(job.outputs[0], rows)]
        return
    rows.persist()
    try:
        yield [(output, taken(job, replace(tagged, rows=rows), output)) for output in job.outputs]
    finally:
        rows.unpersist()


def _last(folder: Folder, output: QueryOutput) -> int:
    """The last micro-batch of an output that is done."""
    name = f"{MARK}-{output.number}"
    return int(folder.text(name)) if folder.exists(name) else -1
