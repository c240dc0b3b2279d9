"""Micro-batches written by hand: rows that are shown, and the outputs of one execution, each into its own target.

Spark may hand over a micro-batch again after a restart. A mark beside the checkpoint says which was the last one done, and
files carry the number of their micro-batch: a file that is written again replaces itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from uuid import uuid4

import pyarrow.fs as fs
from pyspark.sql import DataFrame

from transom.errors import NotSupported
from transom.plan.nodes.stream import Endpoint
from transom.spark.frames.above import above
from transom.spark.frames.query import Executed
from transom.spark.running.jobs import Job, Output
from transom.spark.sinks import write_batch
from transom.spark.sinks.file import format_of, options_of
from transom.spark.sources.filesystem import Folder, absolute, open_folder

MARK = "transom_written"
Show = Callable[[Output, DataFrame], int]
"""Shows the rows of an output, and says how many there were."""


@dataclass
class Writer:
    """Writes the micro-batches of a job; it is what `foreachBatch` calls."""

    job: Job
    executed: Executed | None
    place: str
    run: str
    show: Show
    written: dict[int, int] = field(default_factory=dict)
    error: BaseException | None = None

    def __call__(self, rows: DataFrame, batch: int) -> None:
        try:
            self._write(rows, batch)
        except BaseException as error:
            self.error = error
            raise

    def _write(self, rows: DataFrame, batch: int) -> None:
        folder = open_folder(self.place)
        waiting = [output for output in self.job.outputs if _last(folder, output) < batch]
        if not waiting:
            rows.count()  # state and counts are made all the same
        once = self.executed is not None
        if once:
            rows.persist()
        try:
            for output in waiting:
                self._count(output, self._put(output, self.taken(output, rows), batch))
                folder.replace(f"{MARK}-{output.number}", str(batch))
        finally:
            if once:
                rows.unpersist()

    def _count(self, output: Output, count: int) -> None:
        self.written[output.number] = self.written.get(output.number, 0) + count

    def taken(self, output: Output, rows: DataFrame) -> DataFrame:
        """Of tagged rows, those of an output."""
        if self.executed is None:
            return rows
        executed = replace(self.executed, rows=rows)
        own = executed.results() if output.late is None else executed.late()
        return above(own, replace(executed.stage, above=tuple(self.job.above(output))))

    def _put(self, output: Output, rows: DataFrame, batch: int) -> int:
        if output.target is None:
            return self.show(output, rows)
        count = rows.count()
        if output.target.kind.upper() == "FILE":
            replace_file(rows, output.target, f"part-{self.run}-{batch:06}")
        elif count:
            write_batch(rows, output.target)
        return count


def logged(folder: Folder) -> bool:
    """Whether Spark's file sink has committed anything to a folder."""
    found = folder.system.get_file_info(fs.FileSelector(f"{folder.path}/_spark_metadata", allow_not_found=True))
    return any(one.base_name.removesuffix(".compact").isdecimal() for one in found)


def _last(folder: Folder, output: Output) -> int:
    """The last micro-batch of an output that is done."""
    name = f"{MARK}-{output.number}"
    return int(folder.text(name)) if folder.exists(name) else -1


def replace_file(rows: DataFrame, target: Endpoint, name: str) -> None:
    """The rows as one file of a folder, all at once: whoever looks sees the whole file or none."""
    form = format_of(target)
    folder = open_folder(absolute(target.name or ""))
    if logged(folder):
        raise NotSupported(
            "this folder belongs to a stream by itself, whose log would hide these rows",
            given=f"FILE {target.name!r}",
            remedy="name another folder",
        )
    beside = f"_writing-{name}-{uuid4().hex[:8]}"
    address = absolute(target.name or "")
    rows.coalesce(1).write.format(form).options(**options_of(form, target)).save(f"{address}/{beside}")
    found = folder.system.get_file_info(fs.FileSelector(f"{folder.path}/{beside}"))
    for part in (one for one in found if one.base_name.startswith("part-")):
        ending = part.base_name.partition(".")[2]
        folder.system.move(part.path, f"{folder.path}/{name}.{ending}")
    with contextlib.suppress(OSError):
        folder.system.delete_dir(f"{folder.path}/{beside}")
