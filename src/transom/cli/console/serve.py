"""`transom console`: a local page of a recorded run, which it follows while the run goes on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from transom.cli.console.observers import Observers
from transom.monitor.board.board import Board
from transom.monitor.board.recording import Recording
from transom.monitor.web.serving import Console


def console(record: str, host: str, port: int | None, token: str | None) -> None:
    """Serve until Ctrl-C."""
    board = Board()
    recording = Recording(record, board)
    recording.load()
    recording.follow()
    with Console(board, host=host, port=port, token=token).start() as serving:
        serving.also_close(recording.stop)
        click.echo(f"console: {serving.url}", err=True)
        wait_for_ctrl_c()


@contextmanager
def live_console(observers: Observers, host: str, port: int | None, token: str | None) -> Iterator[Console]:
    """A console of a run in this process, as long as that goes on."""
    board = Board()
    with Console(board, host=host, port=port, token=token).start() as serving:
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
