"""Running the jobs of a script: as long as they go, once over what is there, or drained."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery

from transom.errors import BadOption, BadQuery, NotSupported, QueryError, SpecError, SyntaxMistake, TransomError
from transom.planner import plan as planned
from transom.spark.exchange.observing import metrics_of
from transom.spark.frames.query_frame import Executed
from transom.spark.running import checkpoint as checkpoints
from transom.spark.running.execution import executed
from transom.spark.running.jobs import Job, QueryOutput
from transom.spark.running.messages.failures import cause, failure
from transom.spark.running.messages.progress_line import OUT, Tally
from transom.spark.running.micro_batches import Show, Writer, apart
from transom.spark.sinks import holds_others, takes_one_stream, write_batch, write_stream
from transom.spark.sources.filesystem import open_folder

LOOK = 0.1
"""Seconds between two looks at what runs."""
BAD_QUERY = (QueryError, SpecError, SyntaxMistake, NotSupported, BadOption)
"""What is wrong with the query itself, and not with the world it runs in."""


class Watch(Protocol):
    """Whoever wants to know how it goes."""

    def tick(self, tallies: list[Tally], seconds: float) -> None: ...

    def failed(self, tally: Tally, error: TransomError, cause: BaseException) -> None: ...

    def stopped(self, wait: float = 0.0) -> bool:
        """Whether somebody has asked to end it, after a while at the latest."""
        ...


@dataclass
class Running:
    """A job, where it keeps its checkpoint, and what it has done."""

    job: Job
    place: str
    run: str
    tally: Tally
    query: StreamingQuery | None = None
    writer: Writer | None = None
    failed: bool = False
    error: str | None = None
    written: dict[int, int] = field(default_factory=dict)
    prepared: tuple[int, DataFrame, Executed | None] | None = None


@dataclass
class JobRunner:
    """Runs jobs in a session."""

    spark: SparkSession
    mode: str
    show: Show
    watch: Watch
    lasting: bool = True
    """Whether the checkpoints last, so that a query may be drained some day."""
    note: Callable[[str, dict[str, Any]], None] | None = None
    """Called with every progress report and the title of its job."""
    jobs: list[Running] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def add(self, job: Job, place: str, run: str) -> None:
        tally = Tally(job.title, note=self.note)
        self.jobs.append(Running(job, place, run, tally))

    def check(self) -> None:
        """Let Spark analyse every query before any of them runs."""
        self._check_apart()
        for running in self.jobs:
            try:
                check_targets(running.job, running.place, self.spark)
                end = checkpoints.last_end(running.place)
                running.prepared = (end, *self._frame(running, end))
            except AnalysisException as error:
                raise BadQuery(f"Spark does not accept the query: {cause(str(error))}", remedy="correct it") from error
            except BAD_QUERY:
                raise
            except TransomError:
                continue  # reported when it runs; the others run all the same

    def _check_apart(self) -> None:
        """Refuse two queries with one target, of which the second would lose its rows."""
        targets = [output.target for running in self.jobs for output in running.job.outputs if output.target is not None]
        named = [(target.kind.upper(), (target.name or "").lower()) for target in targets]
        for target, name in zip(targets, named, strict=True):
            if named.count(name) > 1 and takes_one_stream(self.spark, target):
                raise BadQuery(
                    "two queries write to one place, where the rows of one would be lost",
                    given=f"{target.kind} {target.name!r} more than once",
                    remedy="name a target for each, or make one query of them: UNION ALL",
                )

    def go(self) -> bool:
        """Run all of them; whether all went well."""
        if self.mode == "stream":
            for running in self.jobs:
                self._guarded(running, lambda one=running: self._start(one, None))  # type: ignore[misc]
            while any(running.query is not None for running in self.jobs) and not self.watch.stopped(LOOK):
                self._look()
        else:
            for running in self.jobs:
                if not self.watch.stopped():
                    self._bounded(running)
        for running in self.jobs:
            self._end(running)
        return not any(running.failed for running in self.jobs)

    def _bounded(self, running: Running) -> None:
        """What is there; and with `drain`, once more from the same checkpoint, to say that it was all."""
        last = checkpoints.last_end(running.place)
        ends: list[Callable[[], int]] = [lambda: last]
        if self.mode == "drain":
            ends.append(lambda: checkpoints.next_end(running.place))
        for end in ends:
            self._guarded(running, lambda end=end: self._start(running, {"availableNow": True}, end()))  # type: ignore[misc]
            while running.query is not None:
                if self.watch.stopped(LOOK):
                    return
                self._look()
            if running.failed or running.tally.is_batch:
                return

    # -- one job ---------------------------------------------------------------------------------------------

    def _frame(self, running: Running, said: int, seen: Observation | None = None) -> tuple[DataFrame, Executed | None]:
        """The rows of a job; tagged, if several outputs take them."""
        return executed(running.job, self.spark, end=said if self.lasting or self.mode == "drain" else None, seen=seen)

    def _start(self, running: Running, trigger: dict[str, Any] | None, end: int | None = None) -> None:
        end = checkpoints.last_end(running.place) if end is None else end
        ready, running.prepared = running.prepared, None
        frame, tagged = ready[1:] if ready is not None and ready[0] == end else self._frame(running, end)
        job, target = running.job, running.job.outputs[0].target
        writer = Writer(self.spark, job, tagged, running.place, running.run, self.show, written=running.written)
        if not frame.isStreaming:
            self._batch(running)
            return
        if tagged is None and target is not None:
            counted = frame.observe(OUT, sf.count(sf.lit(1)).alias("rows"))
            running.query = write_stream(counted, target, checkpoint=running.place, trigger=trigger or {}, query_name=None)
            return
        running.writer = writer
        stream = frame.writeStream.foreachBatch(writer).option("checkpointLocation", running.place)
        running.query = (stream.trigger(**trigger) if trigger else stream).start()

    def _batch(self, running: Running) -> None:
        """An input that has an end: all windows close."""
        running.tally.is_batch = True
        about = Observation() if planned(running.job.late or running.job.outputs[0].plan).stages else None
        frame, tagged = self._frame(running, 0, about)
        with apart(running.job, frame, tagged) as outputs:
            for output, rows in outputs:
                count = self._put(output, rows)
                running.tally.rows_out += count if output.number in running.job.counted else 0
        if about is not None:
            running.tally.take_batch(dict(metrics_of(about)))

    def _put(self, output: QueryOutput, rows: DataFrame) -> int:
        if output.target is None:
            return self.show(output, rows)
        seen = Observation()
        write_batch(rows.observe(seen, sf.count(sf.lit(1)).alias("rows")), output.target)
        return int(seen.get["rows"])

    def _guarded(self, running: Running, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            self._failed(running, error)

    def _failed(self, running: Running, error: BaseException) -> None:
        own = running.writer.error if running.writer is not None else None
        named = failure(own or error)
        running.failed, running.query, running.error = True, None, str(named)
        self.watch.failed(running.tally, named, own or error)

    # -- while they run --------------------------------------------------------------------------------------

    def _look(self) -> None:
        for running in self.jobs:
            query = running.query
            if query is None:
                continue
            active = query.isActive
            self._count(running, query)
            if not active:
                running.query = None
                error = query.exception()
                if error is not None:
                    self._failed(running, error)
        self.watch.tick([running.tally for running in self.jobs], time.monotonic() - self.started)

    def _count(self, running: Running, query: StreamingQuery) -> None:
        running.tally.take(list(query.recentProgress))
        if running.writer is not None:
            running.tally.rows_out = sum(running.written.get(number, 0) for number in running.job.counted)

    def _end(self, running: Running) -> None:
        """Stop a query. A signal that ends a whole group of processes has ended Spark already: then there is nothing to stop."""
        query, running.query = running.query, None
        if query is not None:
            with contextlib.suppress(Exception):
                query.stop()
                self._count(running, query)


def note_of(job: Job, shards: int, sql: list[str], state: str, zone: str = "UTC") -> checkpoints.Note:
    """What the checkpoint of a job is to say, in a session of this time zone."""
    physical = planned(job.late or job.outputs[0].plan, zone=zone)
    sources = dict.fromkeys(scan.stream.source for scan in job.scans)
    named = ", ".join("" if source is None else f"{source.kind} {source.name}" for source in sources)
    return checkpoints.Note(physical.fingerprints, named, shards, sql, state)


def check_targets(job: Job, place: str, spark: SparkSession) -> None:
    """Refuse a folder with another checkpoint's results: Spark's sink would take new ones for those it has, and drop them."""
    taken = [(target.kind, target.name) for output in job.outputs if (target := output.target) is not None]
    for kind, name in taken:
        if taken.count((kind, name)) > 1:
            raise BadQuery(
                "results and late rows have different columns, and go to different places",
                given=f"{kind} {name!r} more than once",
                remedy="name a target for each",
            )
    for output in job.outputs:
        target = output.target
        if target is None or open_folder(place).exists("offsets") or not holds_others(spark, target):
            continue
        raise BadQuery(
            f"{target.kind} {target.name!r} holds results of another run, whose log would hide new ones",
            given=target.name,
            remedy="go on with its checkpoint, remove what is there, or name another",
        )
