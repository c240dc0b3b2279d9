"""The query editor of the console: it checks, completes and runs what is typed, over what the sources hold. It writes nothing."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from transom.errors import NotSupported, TransomError
from transom.explain import explain
from transom.language import Catalog, bind_script
from transom.language.completing import candidates, word_before
from transom.language.parse.syntax import Ask, CreateStream, CreateTable, InsertInto
from transom.language.script_text import Stated, stated
from transom.monitor.editing.checked import checked_script
from transom.monitor.editing.editor_names import listed
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.windowed import Cut

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession

SHOWN, NAMES = 500, 12
"""Rows of an answer, and names that may come next, that are sent to the page."""
TAG, STOPPED = "transom-editor-", "cancelled"
TAGGED = re.compile(r"[0-9a-z-]{1,40}")
CANCELLED = 100
"""Cancelled runs that are remembered: one may be cancelled while it still waits for another."""


class SqlEditor:
    """What is typed is a script of its own, over the streams and tables of a catalog, which is asked for anew each time."""

    def __init__(self, spark: Callable[[], SparkSession], catalog: Callable[[], Catalog]) -> None:
        self._spark, self._catalog = spark, catalog
        self._one_at_a_time = threading.Lock()
        self._running = ""
        self._cancelled: deque[str] = deque(maxlen=CANCELLED)

    def names(self) -> list[dict[str, Any]]:
        """The streams and tables that a query may read, with their columns."""
        return listed(self._catalog())

    def check(self, sql: str) -> dict[str, Any]:
        """Whether it could run; else what is wrong, where, and what to do."""
        try:
            self._statements(sql)
        except TransomError as error:
            return {"problem": problem(error, sql)}
        return {"problem": None}

    def complete(self, sql: str, at: int) -> dict[str, Any]:
        """The names and keywords that the word before the cursor may become."""
        catalog, before = self._catalog().copy(), sql[:at]
        done, _, statement = before.rpartition(";")
        for text in done.split(";"):
            try:
                bind_script(text, catalog)
            except TransomError:
                continue
        word = word_before(before)
        streams = {name.lower() for name in (*catalog.streams, *catalog.tables)}
        found = [
            {"name": name, "kind": "stream" if name.lower() in streams else "keyword" if name.isupper() else ""}
            for name in candidates(statement.lstrip(), catalog)
        ]
        return {"start": at - len(word), "names": found[:NAMES]}

    def run(self, sql: str, number: str = "") -> dict[str, Any]:
        """The answers of all queries, over what there is now; `number` is what it can be cancelled by."""
        answers: list[dict[str, Any]] = []
        says: list[str] = []
        with self._one_at_a_time:
            try:
                for one in self._statements(sql):
                    if number in self._cancelled:
                        return {"problem": None, "tables": answers, "says": STOPPED}
                    self._answer(one, answers, says, number)
            except Exception as error:
                if number in self._cancelled:
                    return {"problem": None, "tables": answers, "says": STOPPED}
                from transom.spark.running.messages.failures import failure

                return {"problem": problem(failure(error), sql), "tables": answers}
        return {"problem": None, "tables": answers, "says": "; ".join(says)}

    def cancel(self, number: str) -> None:
        """Stop a run, also one that still waits for another."""
        if TAGGED.fullmatch(number):
            self._cancelled.append(number)
        if number and number == self._running:
            from transom.spark.running.cancelling import cancel

            cancel(self._spark(), f"{TAG}{number}")

    @contextmanager
    def _tagged(self, number: str) -> Iterator[None]:
        """Jobs of Spark with a tag that they can be cancelled by."""
        if not TAGGED.fullmatch(number):
            yield
            return
        from transom.spark.running.cancelling import cancellable

        self._running = number
        try:
            with cancellable(self._spark(), f"{TAG}{number}"):
                yield
        finally:
            self._running = ""

    def _statements(self, sql: str) -> list[Stated]:
        found = stated(checked_script(sql, self._catalog().copy()), sql)
        for one in found:
            if isinstance(one.statement, InsertInto):
                raise NotSupported(
                    "the editor writes nothing", given="INSERT INTO", remedy="run it with transom run", span=one.statement.span
                )
        return found

    def _answer(self, one: Stated, answers: list[dict[str, Any]], says: list[str], number: str) -> None:
        if isinstance(one.statement, CreateTable):
            self._known(one.statement)
        elif one.plan is None or isinstance(one.statement, CreateStream):
            return
        elif isinstance(one.statement, Ask):
            answers.append({"text": explain(one.plan)})
        else:
            from transom.spark.running.bounded import answer_bounded

            _refuse_endless(one)
            with self._tagged(number):
                text = answer_bounded(one.plan, self._spark(), "table")
            if text is None:
                return
            rows = [[_cell(cell, number) for cell, number in zip(row, text.numeric, strict=True)] for row in text.rows[:SHOWN]]
            windowed = any(isinstance(node, Cut) for node in one.plan.walk())
            answers.append({"names": list(text.names), "rows": rows, "total": len(text.rows), "windowed": windowed})
            counted = "1 row" if len(text.rows) == 1 else f"{len(text.rows):,} rows"
            says.append(counted if text.moment is None else f"{counted}, {text.moment.summary()}")

    def _known(self, table: CreateTable) -> None:
        """A table that Spark has may be named; the editor makes none."""
        if not self._spark().catalog.tableExists(table.name):
            raise NotSupported(
                "the editor writes nothing, and makes no table",
                given=f"CREATE {table.kind.upper()} {table.name}",
                remedy="make it in the program, or run the script with transom run",
                span=table.span,
            )


def _refuse_endless(one: Stated) -> None:
    """Refuse to answer over a DataFrame that streams: its rows pass by, and nobody keeps them."""
    assert one.plan is not None
    for scan in (node for node in one.plan.walk() if isinstance(node, Scan)):
        if getattr(scan.stream.frame, "isStreaming", False):
            raise NotSupported(
                "the editor answers over what there is now, and this DataFrame streams",
                given=scan.stream.name,
                remedy=f"read the same data as a batch, and hand it over: streams={{{scan.stream.name!r}: tr.stream(df, ...)}}",
                span=one.statement.span,
            )


def problem(error: TransomError, sql: str) -> dict[str, Any]:
    """An error for the page, with the stretch of the text that it is about."""
    span = error.span
    inside = span is not None and span.text == sql
    start, end = (span.start, span.end) if span is not None and inside else (0, 0)
    return {"name": error.name, "text": str(error), "start": start, "end": end}


def _cell(text: str, number: bool) -> Any:
    """Whole numbers that JavaScript holds exactly, as numbers."""
    return int(text) if number and re.fullmatch(r"-?\d{1,15}", text) else text
