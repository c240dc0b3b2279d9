"""Who observes a run: the record that is written, and the console that shows it. Without either, operators report no details."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from transom.errors import MissingSession, TransomError

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession
    from transom.spark.running.jobs import Job
    from transom.spark.running.run_jobs import Running


class Observer(Protocol):
    """Learns what a query is, what Spark reports of it, and that it has ended."""

    def describe(self, title: str, about: dict[str, Any]) -> None: ...

    def report(self, title: str, report: dict[str, Any]) -> None: ...

    def end(self, title: str, error: str | None = None) -> None: ...


@dataclass
class Observers:
    """All of them."""

    each: list[Observer] = field(default_factory=list)
    _spark: SparkSession | None = None

    def session(self) -> SparkSession:
        """The session of the run."""
        if self._spark is None:
            raise MissingSession("Spark is still starting", remedy="try again in some seconds")
        return self._spark

    @property
    def note(self) -> Callable[[str, dict[str, Any]], None] | None:
        """What is called with every report, if anybody wants it."""
        return self._report if self.each else None

    def _report(self, title: str, report: dict[str, Any]) -> None:
        for one in self.each:
            one.report(title, report)

    @contextmanager
    def watching(self, spark: SparkSession, jobs: Sequence[Job], sql: dict[int, list[str]]) -> Iterator[None]:
        """While a run goes on."""
        if not self.each:
            yield
            return
        self._spark = spark
        from transom.monitor.board.about import about
        from transom.spark.watched import watch

        for job in jobs:
            text = list(dict.fromkeys(text for output in job.outputs for text in sql[output.number]))
            try:
                described = about(job.title, job.outputs[0].plan, text)
            except TransomError:  # a query that cannot run fails when it does, with its own error
                continue
            for one in self.each:
                one.describe(job.title, described)
        look_away = watch(spark)
        try:
            yield
        finally:
            look_away()

    def end(self, jobs: Sequence[Running]) -> None:
        """A run is over."""
        for running in jobs:
            for one in self.each:
                one.end(running.tally.title, running.error)
