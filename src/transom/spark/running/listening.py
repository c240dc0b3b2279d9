"""The progress reports of running queries, from a listener of their session, for whoever watches them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Collection
from typing import Any, Protocol

from pyspark.sql import SparkSession
from pyspark.sql.streaming.listener import (
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from transom.errors import MissingSession
from transom.spark.running.messages.failures import failure
from transom.spark.running.polling import Poller
from transom.spark.watched import watch


class Hears(Protocol):
    """Whoever wants to know of queries, by their ids and names."""

    def started(self, id: str, name: str | None) -> None: ...

    def progressed(self, id: str, name: str | None, report: dict[str, Any]) -> None: ...

    def ended(self, id: str, error: str | None) -> None: ...


class Forwarder(StreamingQueryListener):
    """Hands on what Spark says of some queries, or of all of the session."""

    def __init__(self, hears: Hears, ids: Collection[str] | None) -> None:
        self._hears, self._ids = hears, ids

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        """A query has begun."""
        if self._is_wanted(event.id):
            self._hears.started(str(event.id), event.name)

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        """A micro-batch is done."""
        report = json.loads(event.progress.json)
        if self._is_wanted(report["id"]):
            self._hears.progressed(report["id"], report.get("name"), report)

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        """A query has stopped, or failed."""
        if self._is_wanted(event.id):
            self._hears.ended(str(event.id), None if event.exception is None else reason(event.exception))

    def _is_wanted(self, id: Any) -> bool:
        return self._ids is None or str(id) in self._ids


def reason(trace: str) -> str:
    """What went wrong, in a line."""
    return str(failure(RuntimeError(trace))).partition("\n")[0]


def listen(spark: SparkSession | None, hears: Hears, queries: Collection[Any] | None = None) -> Callable[[], None]:
    """Hand on all reports of some running queries, or of all that the session has or will have; the answer ends that.

    What Spark remembers of them is handed on first. From then on operators report details. Over Spark Connect, where reports
    are sent as they come, a listener of Spark's hears of them.
    """
    session = session_to_watch(spark)
    look_away = watch(session)
    leave = Poller(session, hears, queries).stop if isinstance(session, SparkSession) else _listened(session, hears, queries)

    def stop() -> None:
        leave()
        look_away()

    return stop


def _listened(session: Any, hears: Hears, queries: Collection[Any] | None) -> Callable[[], None]:
    chosen = session.streams.active if queries is None else queries
    listener = Forwarder(hears, None if queries is None else {str(query.id) for query in queries})
    for query in chosen:
        hears.started(str(query.id), query.name)
        for report in query.recentProgress:
            hears.progressed(str(query.id), query.name, json.loads(report if isinstance(report, str) else report.json))
        if not query.isActive:
            hears.ended(str(query.id), None if query.exception() is None else reason(str(query.exception())))
    session.streams.addListener(listener)

    def leave() -> None:
        with contextlib.suppress(Exception):  # the session may have ended
            session.streams.removeListener(listener)

    return leave


def session_to_watch(spark: SparkSession | None) -> SparkSession:
    """The session that is given, or the active one."""
    active = spark or SparkSession.getActiveSession()
    if active is None:
        raise MissingSession("there is no Spark session to watch", remedy="start a query first, or give spark=")
    return active
