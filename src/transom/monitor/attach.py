"""`tr.console`: the page of queries that run in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from transom.errors import BadOption, TransomError
from transom.language import Catalog
from transom.monitor.board.board import Board
from transom.monitor.editing.editor_names import of_session
from transom.monitor.editing.sql_editor import SqlEditor
from transom.monitor.exports.otel import export
from transom.monitor.exports.prometheus import metrics_of
from transom.monitor.web.serving import Console
from transom.plan.nodes.node import Node

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession

AGAIN = 3.0
"""Seconds for which the editor remembers which tables a session has."""


class Titles:
    """Puts what a listener hears on a board, under the titles of queries."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._titles: dict[str, str] = {}
        self._latest: dict[str, int] = {}

    def name(self, id: str, title: str) -> str:
        """The title of a query; of two that have the same, the later one gets a number."""
        if id not in self._titles:
            taken = set(self._titles.values())
            numbered = (f"{title} ({n})" for n in range(2, len(taken) + 3))
            self._titles[id] = title if title not in taken else next(one for one in numbered if one not in taken)
        return self._titles[id]

    def started(self, id: str, name: str | None) -> None:
        if id not in self._titles:
            self._board.describe(self.name(id, name or f"query {id[:8]}"), {"sql": [], "graph": []})

    def progressed(self, id: str, name: str | None, report: dict[str, Any]) -> None:
        key = f"{id} {report.get('runId')}"
        if report.get("batchId", 0) <= self._latest.get(key, -1):
            return  # handed on when the listener was added, and heard of by itself
        self._latest[key] = report.get("batchId", 0)
        self._board.report(self.name(id, name or f"query {id[:8]}"), report)

    def ended(self, id: str, error: str | None) -> None:
        if id in self._titles:
            self._board.end(self._titles[id], error)


class LiveConsole(Console):
    """A console in a notebook: its representation is a link."""

    def _repr_html_(self) -> str:
        return f'<a href="{escape(self.url)}" target="_blank" rel="noopener">Transom console</a>'


def console(
    *queries: Any,
    host: str = "127.0.0.1",
    port: int | None = None,
    token: str | None = None,
    spark: SparkSession | None = None,
    editor: bool = True,
    streams: Mapping[str, Any] | None = None,
    opentelemetry: Any = None,
) -> LiveConsole:
    """Serve a page of running queries: their windows, progress and late tuples, as they go.

    ```
    running = tr.write(q.insert_into("TABLE", "speeds"), checkpoint="out/_checkpoint")
    page = tr.console(running)
    print(page.url)
    page.close()
    ```

    `port` is that of the page, by default a free one; `spark` is the session, by default the active one.

    The page has a query editor, which answers over what there is now and writes nothing: over the tables and views of the
    session, the streams of SQL that the queries read, and the `streams` that are given by name, as to `tr.sql`. `editor=False`
    leaves it out.

    `queries` are what `write` and `start` return, or Spark's StreamingQuery; without any, all queries of the session are
    shown, also those that start later. The page is served on the loopback address; a `host` beyond this machine needs the
    `token`, which is in `url`. It needs the extra `transom[console]`; with `transom[prometheus]` it answers at `/metrics`. With
    `opentelemetry=True` the same figures are exported over OTLP, or to a MeterProvider that is given.
    """
    from transom.spark.running.listening import listen, session_to_watch

    board = Board()
    titles = Titles(board)
    streaming = [_described(query, titles, board) for query in queries]
    session = session_to_watch(spark)
    plans = [query.plan for query in queries if getattr(query, "plan", None) is not None]
    tried = _editor(session, plans, streams or {}) if editor else None
    page = LiveConsole(board, host=host, port=port, token=token, editor=tried, metrics=metrics_of(board))
    if opentelemetry:
        page.also_close(export(board, None if opentelemetry is True else opentelemetry))
    page.also_close(listen(session, titles, streaming if queries else None))
    page.start()
    return page


def _editor(spark: SparkSession, plans: list[Node], streams: Mapping[str, Any]) -> SqlEditor:
    """An editor over a session; its tables are looked up again after some seconds."""
    latest: list[tuple[float, Catalog]] = []

    def catalog() -> Catalog:
        if not latest or time.monotonic() - latest[0][0] > AGAIN:
            latest[:] = [(time.monotonic(), of_session(spark, plans, streams))]
        return latest[0][1]

    catalog()  # what makes no sense is refused at once
    return SqlEditor(lambda: spark, catalog)


def live(query: Any, *, spark: SparkSession | None = None) -> Any:
    """A cell of a notebook with the windows of a running query: it moves as the query goes on, and stays when it has ended.

    It needs the extra `transom[notebook]`. `query` is what `write` or `start` returned, or Spark's StreamingQuery; `spark` is the
    session, by default the active one.

    ```
    tr.live(tr.write(q.insert_into("TABLE", "speeds"), checkpoint="out/_checkpoint"))
    ```
    """
    from transom.monitor.exports.notebook import cell
    from transom.spark.running.listening import listen

    board = Board()
    titles = Titles(board)
    own = _described(query, titles, board)
    widget, silent = cell(board, board.queries()[0]["title"])
    stop = listen(spark, titles, [own])

    def end(news: dict[str, Any]) -> None:
        if news["event"] == "ended":
            silent()
            threading.Thread(target=stop, daemon=True).start()  # a listener cannot remove itself while it is called

    board.hear(end)
    return widget


def _described(query: Any, titles: Titles, board: Board) -> Any:
    """Spark's query, after the board knows what it is."""
    own, plan = _streaming(query), getattr(query, "plan", None)
    title = titles.name(str(own.id), getattr(query, "title", None) or own.name or f"query {str(own.id)[:8]}")
    board.describe(title, {"sql": [], "graph": []} if plan is None else _about(title, plan))
    return own


def _streaming(query: Any) -> Any:
    own = getattr(query, "streaming_query", query)
    if own is None or not hasattr(own, "recentProgress"):
        raise BadOption(
            "the console shows queries that stream",
            given=type(query).__name__ if own is not None else "a query over a batch, which has ended",
            exists=["RunningQuery", "StreamingQuery"],
            remedy="give what write() or start() returned",
        )
    return own


def _about(title: str, plan: Any) -> dict[str, Any]:
    from transom.monitor.board.about import about
    from transom.plan.sql.render import render

    try:
        sql = [render(plan)]
    except TransomError:
        sql = []
    try:
        return about(title, plan, sql)
    except TransomError:
        return {"sql": sql, "graph": []}
