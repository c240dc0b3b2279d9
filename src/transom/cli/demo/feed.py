"""Readings of traffic as files that arrive one after the other, as a folder fills in real life."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from transom.cli.demo.traffic import Reading, readings

PER_FILE = 10


class ReadingFeed:
    """Writes `count` readings into a folder within `seconds`; `told` is called for each file."""

    def __init__(self, folder: Path, count: int, seconds: float, told: Callable[[list[Reading], datetime], None]) -> None:
        self._folder, self._seconds, self._told = folder, seconds, told
        self._files = [readings(count)[start : start + PER_FILE] for start in range(0, count, PER_FILE)]
        self._newest = self._files[0][0]["ts"]
        self._number = 0
        self.count = count
        self.is_flowing = False

    def start(self) -> None:
        """The rest, at its pace, while others work."""
        self.is_flowing = True
        threading.Thread(target=self.write, daemon=True).start()

    def write(self) -> None:
        """All files that are left."""
        while self._number < len(self._files):
            started = time.monotonic()
            self.write_one()
            time.sleep(max(0.0, self._seconds / len(self._files) - (time.monotonic() - started)))

    def write_one(self) -> None:
        """The next file."""
        arrivals = self._files[self._number]
        self._put(f"readings-{self._number:03}.csv", arrivals)
        self._told(arrivals, self._newest)
        self._newest = max(self._newest, *(one["ts"] for one in arrivals))
        self._number += 1

    def _put(self, name: str, arrivals: list[Reading]) -> None:
        """A file that appears as a whole."""
        text = "".join(f"{one['seg_id']},{one['speed']},{one['ts'].isoformat()}\n" for one in arrivals)
        beside = self._folder / f".{name}"
        beside.write_text(text, encoding="utf-8")
        beside.rename(self._folder / name)
