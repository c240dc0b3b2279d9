"""A recorded run on a board: all of it at once, and then what is added to it while the run goes on."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from transom.errors import BadRecord
from transom.monitor.board.board import Board
from transom.quality.record import REMEDY, record_lines, title_of

LOOK = 0.5
"""Seconds between two looks at a record that may still grow."""


class Recording:
    """A record of `transom run --record`, read into a board."""

    def __init__(self, path: str, board: Board) -> None:
        self._path, self._board = Path(path), board
        self._place = 0
        self._stop = threading.Event()

    def load(self) -> None:
        """Read what is there. Refuses what is no record."""
        for line in record_lines(str(self._path)):
            self._take(line)
        self._place = self._path.stat().st_size
        if not any(query["frames"] for query in self._board.queries()):
            raise BadRecord("the record is empty", given=str(self._path), remedy=REMEDY)

    def follow(self) -> None:
        """Go on reading in the background, until it is stopped."""
        threading.Thread(target=self._follow, daemon=True, name="transom-recording").start()

    def stop(self) -> None:
        """Read no more."""
        self._stop.set()

    def _follow(self) -> None:
        while not self._stop.wait(LOOK):
            self.look()

    def look(self) -> None:
        """Read the lines that have been added."""
        if not self._path.exists() or self._path.stat().st_size <= self._place:
            return
        with self._path.open("rb") as file:
            file.seek(self._place)
            whole, _, _ = file.read().rpartition(b"\n")
        self._place += len(whole) + 1 if whole else 0
        for text in whole.decode("utf-8", "replace").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict):
                self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        if "about" in line:
            self._board.describe(title_of(line), line["about"])
        elif "ended" in line:
            self._board.end(title_of(line), line["ended"])
        else:
            self._board.report(title_of(line), line)
