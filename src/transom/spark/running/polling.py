"""The progress reports of running queries, asked for once a second.

Spark hands a report over to a listener in Python field by field, in some hundred calls between the JVM and Python. To ask whether
there is a new one takes three, and its JSON one more.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from transom.spark.running.messages.failures import failure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from transom.spark.running.listening import Hears

LOOKS = 5
"""How often in a second one looks for queries that have begun, which costs two calls: one that begins and ends in between is not
seen."""


class Poller:
    """Hands on what some queries report, or all of a session, from a thread of its own."""

    def __init__(self, spark: SparkSession, hears: Hears, queries: Collection[Any] | None) -> None:
        self._spark, self._hears, self._all = spark, hears, queries is None
        self._running = {str(query.runId): query for query in queries or ()}
        self._latest: dict[str, str] = {}
        self._stop = threading.Event()
        for query in self._running.values():
            hears.started(str(query.id), query.name)
        self.look()
        threading.Thread(target=self._go_on, daemon=True, name="transom-polling").start()

    def stop(self) -> None:
        """Look no more."""
        self._stop.set()

    def meet(self) -> None:
        """Take up the queries that have begun."""
        for query in self._spark.streams.active if self._all else ():
            if str(query.runId) not in self._running:
                self._running[str(query.runId)] = query
                self._hears.started(str(query.id), query.name)

    def look(self) -> None:
        """Hand on what is new."""
        self.meet()
        for run, query in list(self._running.items()):
            has_ended = not query.isActive  # asked first: what it reports before it ends is heard
            for report in self._new(run, query):
                self._hears.progressed(str(query.id), query.name, report)
            if has_ended:
                error = query.exception()
                self._hears.ended(str(query.id), None if error is None else str(failure(error)).partition("\n")[0])
                del self._running[run]

    def _new(self, run: str, query: Any) -> Iterator[dict[str, Any]]:
        """The reports since the last look, from those that Spark remembers."""
        reports = query._jsq.recentProgress()
        new = []
        for n in range(len(reports) - 1, -1, -1):
            if reports[n].timestamp() == self._latest.get(run):
                break
            new.append(reports[n])
        for report in reversed(new):
            self._latest[run] = report.timestamp()
            yield json.loads(report.json())

    def _go_on(self) -> None:
        failed = 0
        for number in count(1):
            if self._stop.wait(1 / LOOKS):
                return
            try:
                self.meet() if number % LOOKS else self.look()
                failed = 0
            except Exception:  # a query that ends meanwhile; or the session, and with it all that there was to hear
                failed += 1
                if failed > LOOKS:
                    return
