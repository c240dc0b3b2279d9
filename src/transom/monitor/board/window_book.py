"""The windows of a query while it runs: which are open, which have closed, and how many tuples are in each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from transom.monitor.board.geometry import Geometry

SHOWN = 1200
"""Most open windows that are listed: the oldest, because results wait for them."""
CLOSED = 24
"""Windows that stay in the list after they have closed."""
KEYS = 60
"""Keys whose windows are remembered one by one."""

Spans = dict[tuple[int, int], int]


class WindowBook:
    """Adds up what shards report of each micro-batch. Counts begin when somebody begins to watch."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.spans: Spans = {}
        self.keys: dict[str, Spans] = {}
        self.is_counted = False

    def take(self, inspected: Iterable[dict[str, Any]]) -> None:
        """What the shards have counted in a micro-batch."""
        for shard in inspected:
            self.is_counted |= "windows" in shard
            _add(self.spans, shard.get("windows", ()))
            for key, spans in shard.get("keys", ()):
                if key in self.keys or len(self.keys) < KEYS:
                    _add(self.keys.setdefault(key, {}), spans)

    def forget(self, frontier: float | None) -> None:
        """Drop what only windows hold that have closed long ago."""
        if frontier is None:
            return
        oldest = self.geometry.first_open(frontier) - 4 * CLOSED
        for spans in (self.spans, *self.keys.values()):
            for span in [span for span in spans if span[1] < oldest]:
                del spans[span]

    def windows(self, frontier: float | None, newest: float | None, key: str | None = None) -> list[list[Any]]:
        """Each as its id, bounds, tuples, and whether it has closed. Only those with tuples, once these are counted."""
        if self.is_counted:
            found = _counts(self.spans if key is None else self.keys.get(key, {}))
        elif frontier is None or newest is None:
            found = {}
        else:
            first, last = self.geometry.first_open(frontier), self.geometry.last_begun(newest)
            found = dict.fromkeys(range(max(first - CLOSED, last - SHOWN - CLOSED), last + 1), None)
        opens = min(found, default=0) if frontier is None else self.geometry.first_open(frontier)
        closed = sorted(w for w in found if w < opens)[-CLOSED:]
        listed = [*closed, *sorted(w for w in found if w >= opens)[:SHOWN]]
        return [[w, *self.geometry.bounds(w), found[w], w < opens] for w in listed]

    def key_counts(self, frontier: float | None, newest: float | None) -> dict[str, list[list[Any]]]:
        """The windows of each key, keys with the most tuples first."""
        largest = sorted(self.keys, key=lambda key: -sum(self.keys[key].values()))
        return {key: self.windows(frontier, newest, key) for key in largest}


def _add(spans: Spans, more: Iterable[list[int]]) -> None:
    for first, last, count in more:
        spans[(first, last)] = spans.get((first, last), 0) + count


def _counts(spans: Spans) -> dict[int, int | None]:
    """How many tuples each window holds. Of very long spans, as of windows that never end, the last windows."""
    if not spans:
        return {}
    low = min(first for first, _ in spans)
    high = max(last for _, last in spans)
    if high - low > 1_000_000:
        low = high - 1_000_000
    steps = np.zeros(high - low + 2, np.int64)
    for (first, last), count in spans.items():
        if last >= low:
            steps[max(first, low) - low] += count
            steps[last - low + 1] -= count
    totals = steps.cumsum()
    return {low + int(w): int(totals[w]) for w in np.flatnonzero(totals)}
