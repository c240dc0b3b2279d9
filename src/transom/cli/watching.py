"""How a run goes, on stderr: a line that is written over, errors, and counts at the end. Ctrl-C asks it to end."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import click

from transom.errors import TransomError

if TYPE_CHECKING:
    from transom.spark.running.messages.progress_line import Tally

QUIET_FOR = 1.0
"""Seconds before a line appears at all."""
ERASE = "\r\x1b[2K"


class Screen:
    """Watches a run for a person."""

    def __init__(self, *, progress: bool = False, debug: bool = False, ended: Callable[[], bool] = lambda: False) -> None:
        self._live = sys.stderr.isatty()
        self._progress, self._debug, self._ended = progress, debug, ended
        self._stop = threading.Event()
        self._shown = False
        self._next = QUIET_FOR
        self._last = ""
        self._lock = threading.Lock()
        self._warned: set[int] = set()

    def tick(self, tallies: list[Tally], seconds: float) -> None:
        self.warn(tallies)
        if seconds < self._next or not (self._live or self._progress):
            return
        self._next = seconds + (0.2 if self._live else 1.0)
        line = "; ".join(tally.line(seconds) for tally in tallies)
        with self._lock:
            if self._live:
                sys.stderr.write(ERASE + line[: shutil.get_terminal_size().columns - 1])
            elif line != self._last:
                sys.stderr.write(line + "\n")
            sys.stderr.flush()
            self._shown, self._last = self._live, line

    def clear(self) -> None:
        """Make room for rows."""
        with self._lock:
            if self._shown:
                sys.stderr.write(ERASE)
                sys.stderr.flush()
            self._shown = False

    def say(self, text: str) -> None:
        self.clear()
        click.echo(text, err=True)

    def warn(self, tallies: list[Tally]) -> None:
        """Of each query, once, that tuples came late although nothing says how late they may be."""
        for tally in tallies:
            if tally.warning is not None and id(tally) not in self._warned:
                self._warned.add(id(tally))
                self.say(f"{tally.title}: {tally.warning}")

    def failed(self, tally: Tally, error: TransomError, cause: BaseException) -> None:
        self.say(str(error))
        self.say(f"  query:  {tally.title}")
        if self._debug:
            self.say("".join(traceback.format_exception(cause)))

    def stopped(self, wait: float = 0.0) -> bool:
        return self._stop.wait(wait) or self._ended()

    @property
    def was_stopped(self) -> bool:
        return self._stop.is_set()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C once ends the run in order; twice, at once."""

        def ask(number: int, frame: FrameType | None) -> None:
            if self._stop.is_set():
                raise KeyboardInterrupt
            self._stop.set()

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
