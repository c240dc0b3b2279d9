"""`transom console`: a local page of a recorded run, which it follows while the run goes on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

import click

from transom.cli.console.observers import Observers
from transom.cli.spark import start_spark, stop_spark
from transom.monitor.board.board import Board
from transom.monitor.board.recording import Recording
from transom.monitor.editing.editor_names import defined
from transom.monitor.editing.sql_editor import SqlEditor
from transom.monitor.exports.otel import export
from transom.monitor.exports.prometheus import metrics_of
from transom.monitor.web.serving import Console

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession


@dataclass(frozen=True)
class Where:
    """Where a console listens, who may use it, and whether it has an editor."""

    host: str = "127.0.0.1"
    port: int | None = None
    token: str | None = None
    with_editor: bool = True
    opentelemetry: bool = False


def console(record: str | None, where: Where, master: str | None, conf: Mapping[str, str]) -> None:
    """Serve until Ctrl-C."""
    board = Board()
    recording = None if record is None else Recording(record, board)
    if recording is not None:
        recording.load()
        recording.follow()
    session = OwnSession(master, conf)
    known = defined("")
    editor = SqlEditor(session.get, lambda: known) if where.with_editor else None
    with Console(
        board, host=where.host, port=where.port, token=where.token, editor=editor, metrics=metrics_of(board)
    ).start() as serving:
        if recording is not None:
            serving.also_close(recording.stop)
        serving.also_close(session.close)
        click.echo(f"console: {serving.url}", err=True)
        wait_for_ctrl_c()


class OwnSession:
    """A Spark session that starts when the editor first runs a query."""

    def __init__(self, master: str | None, conf: Mapping[str, str]) -> None:
        self._master, self._conf = master, conf
        self._spark: SparkSession | None = None

    def get(self) -> SparkSession:
        if self._spark is None:
            self._spark = start_spark(self._master, self._conf)
        return self._spark

    def close(self) -> None:
        if self._spark is not None:
            stop_spark(self._spark)


@contextmanager
def live_console(observers: Observers, script: str, where: Where) -> Iterator[Console]:
    """A console of a run in this process, as long as that goes on. Its editor knows the streams of the script."""
    board = Board()
    known = defined(script)
    editor = SqlEditor(observers.session, lambda: known) if where.with_editor else None
    with Console(
        board, host=where.host, port=where.port, token=where.token, editor=editor, metrics=metrics_of(board)
    ).start() as serving:
        if where.opentelemetry:
            serving.also_close(export(board))
        observers.each.append(board)
        click.echo(f"console: {serving.url}", err=True)
        yield serving


def wait_for_ctrl_c() -> None:
    """Until the user, or the system, asks to end."""
    stop = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)
    while not stop.wait(0.5):
        pass
