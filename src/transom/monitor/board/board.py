"""All queries that a console shows, and whoever waits for news of them. Reports come from one thread, pages read from others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from transom.monitor.board.query_history import History

Hears = Callable[[dict[str, Any]], None]


class Board:
    """Histories by title."""

    def __init__(self) -> None:
        self._histories: dict[str, History] = {}
        self._lock = threading.RLock()
        self._hearers: list[Hears] = []

    def describe(self, title: str, about: Mapping[str, Any]) -> None:
        """Say what a query is, before its first report."""
        with self._lock:
            self._histories[title] = History(title, about)
        self._tell({"event": "query", "title": title})

    def report(self, title: str, report: Mapping[str, Any]) -> None:
        """Add a progress report."""
        with self._lock:
            history = self._histories.setdefault(title, History(title))
            added = history.take(report)
            frame, drawn = history.frame(), history.figures[-1] if history.figures else None
        if added:
            self._tell({"event": "frame", "title": title, "frame": frame, "figures": drawn})

    def end(self, title: str, error: str | None = None) -> None:
        """A query has ended."""
        with self._lock:
            history = self._histories.get(title)
            if history is not None:
                history.ended, history.error = True, error
        self._tell({"event": "ended", "title": title, "error": error})

    def queries(self) -> list[dict[str, Any]]:
        """The list of queries."""
        with self._lock:
            return [history.summary() for history in self._histories.values()]

    def query(self, title: str) -> dict[str, Any] | None:
        """What a query is, and the figures of all its frames."""
        with self._lock:
            history = self._histories.get(title)
            return None if history is None else {**history.summary(), "about": history.about, "figures": list(history.figures)}

    def frame(self, title: str, n: int | None = None) -> str | None:
        """A frame of a query, as JSON."""
        with self._lock:
            history = self._histories.get(title)
            return None if history is None else history.frame(n)

    def hear(self, hears: Hears) -> Callable[[], None]:
        """Call a function with all news; the answer ends that."""
        with self._lock:
            self._hearers.append(hears)

        def stop() -> None:
            with self._lock:
                if hears in self._hearers:
                    self._hearers.remove(hears)

        return stop

    def close(self) -> None:
        """No news will come any more."""
        self._tell({"event": "closed"})

    def _tell(self, news: dict[str, Any]) -> None:
        with self._lock:
            hearers = list(self._hearers)
        for hears in hearers:
            hears(news)
