"""What Spark's processes write to the terminal: kept from it, since rows alone go to stdout and words for people to stderr."""

from __future__ import annotations

import logging
import os
import sys
import threading
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

OURS = b"transom: "
"""How the lines begin that workers mean for people."""


@contextmanager
def hushed(*, debug: bool) -> Iterator[None]:
    """What PySpark logs about errors is reported in other words."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        if not debug:
            warnings.simplefilter("ignore")
            logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(before)


class Chatter:
    """Stands in for stdout and stderr while a process starts that inherits them."""

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self.last: deque[str] = deque(maxlen=20)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Processes that are started meanwhile write here; with `debug`, to stderr."""
        sys.stdout.flush()
        sys.stderr.flush()
        saved = os.dup(1), os.dup(2)
        if self._debug:
            os.dup2(2, 1)
        else:
            self._hush(saved[1])
        try:
            yield
        finally:
            os.dup2(saved[0], 1)
            os.dup2(saved[1], 2)
            os.close(saved[0])
            if self._debug:
                os.close(saved[1])

    def _hush(self, stderr: int) -> None:
        read, write = os.pipe()
        os.dup2(write, 1)
        os.dup2(write, 2)
        os.close(write)
        threading.Thread(target=self._listen, args=(read, stderr), daemon=True).start()

    def _listen(self, pipe: int, stderr: int) -> None:
        with os.fdopen(pipe, "rb") as lines:
            for line in lines:
                self.last.append(line.decode(errors="replace").rstrip())
                if line.startswith(OURS):
                    os.write(stderr, line)
