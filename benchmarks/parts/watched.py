"""What it costs to be watched: a query with a console attached, against the same query that nobody looks at."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql.streaming.listener import (
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from benchmarks.bench import Bench
from benchmarks.contest import Contender
from benchmarks.part import Floor, Part
from benchmarks.queries import sliding
from transom.monitor.attach import console
from transom.spark.watched import CONF, NEVER

KEYS, OVERLAP = 10_000, 6
AT_MOST = 1.02


class Idle(StreamingQueryListener):
    """What Spark charges for any listener in Python: each report is handed over field by field."""

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        pass

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        pass

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        pass


def measure(bench: Bench) -> Part:
    part = Part("watched", "A console attached")
    data = bench.data(KEYS)
    path, files = data.path(bench.conditions.folder), data.files
    stops: list[Callable[[], None]] = []

    def listened() -> None:
        listener = Idle()
        bench.spark.streams.addListener(listener)
        stops.append(lambda: bench.spark.streams.removeListener(listener))

    def frame(n: int, *, watched: bool, heard: bool = False) -> DataFrame:
        while stops:
            stops.pop()()
        if heard:
            listened()
        if watched:
            bench.spark.conf.unset(CONF)
            stops.append(console(spark=bench.spark, port=0, editor=False).close)
        else:
            bench.spark.conf.set(CONF, NEVER)
        return sliding(OVERLAP)(bench.stream(path, n))

    contest = bench.compete(
        Contender("nobody looks", lambda n: frame(n, watched=False), files, data.rows, files, data.rows),
        Contender("an idle listener", lambda n: frame(n, watched=False, heard=True), files, data.rows, files, data.rows),
        Contender("with a console", lambda n: frame(n, watched=True), files, data.rows, files, data.rows),
    )
    while stops:
        stops.pop()()
    bench.spark.conf.unset(CONF)
    part.take(contest)
    cost = contest.cost("with a console", "nobody looks")
    part.floors.append(Floor(f"cost with a console attached, {KEYS:,} keys", cost, at_most=AT_MOST))
    part.notes.append(
        "`tr.console` is attached: operators report tuples by window and key, late tuples and sampled results; a thread asks for "
        "reports once a second and makes frames of them, and the server of the page runs. An idle listener is one of Spark's in "
        "Python that does nothing; the console has none."
    )
    return part
