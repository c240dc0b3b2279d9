"""The frames of a query, as many as fit: what pages are drawn from, and what playback plays."""

from __future__ import annotations

import json
import statistics
from collections import deque
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from transom.monitor.board.edge_rows import EdgeRows
from transom.monitor.board.frame import details, figures, is_time, moment_of, shards_of
from transom.monitor.board.geometry import Geometry
from transom.monitor.board.window_book import WindowBook
from transom.quality.clocks import offsets, wrong_clocks

KEPT = 600
"""Frames that are kept. Of more, every other one of the older half goes."""
LEAST = 1000.0
"""Milliseconds. A substream that is nearer to the others than this never counts as the one that holds results back."""
RECENT = 40
"""Results and late tuples that a frame lists: its own, and those before it."""


class History:
    """One query. Frames are kept as JSON text, because that is what leaves."""

    def __init__(self, title: str, about: Mapping[str, Any] | None = None) -> None:
        self.title = title
        self.about: dict[str, Any] = dict(about or {"title": title, "sql": [], "graph": []})
        geometry = Geometry.from_json(self.about.get("geometry"))
        self.book = None if geometry is None else WindowBook(geometry)
        self.figures: list[dict[str, Any]] = []
        self.frames: list[str] = []
        self.ended = False
        self.error: str | None = None
        self._recent: dict[str, deque[Any]] = {name: deque(maxlen=RECENT) for name in ("results", "late_tuples")}
        self._totals = dict.fromkeys(self._recent, 0)
        self._moved: dict[str, tuple[Any, int, float]] = {}
        self._number = 0
        self._edges = EdgeRows(self.about.get("graph", ()))

    def take(self, report: Mapping[str, Any]) -> bool:
        """Add a progress report of Spark; whether it was of a micro-batch with something in it."""
        moment = moment_of(report)
        if moment is None and not report.get("numInputRows"):
            return False
        drawn = figures(report, moment)
        more = details(report, moment)
        scale = 1000.0 if is_time(report) else 1.0
        usual = max(_usual(more["substreams"], drawn, more["tradeoff"]), LEAST if scale > 1 else 0.0)
        more["substreams"] = self._judged(more["substreams"], drawn, usual)
        more["is_time"] = scale > 1
        more["edges"] = self._edges.take(report, moment)
        windows: list[list[Any]] = []
        keys: dict[str, Any] = {}
        if self.book is not None:
            self.book.take(shards_of(report))
            reach = [None if drawn.get(name) is None else drawn[name] * scale for name in ("frontier", "newest")]
            windows = [[w, low / scale, high / scale, n, over] for w, low, high, n, over in self.book.windows(*reach)]
            keys = {key: [[w, n] for w, _, _, n, _ in each] for key, each in self.book.key_counts(*reach).items()}
            self.book.forget(reach[0])
        drawn["open"] = None if self.book is None else sum(not closed for *_, closed in windows)
        for name, recent in self._recent.items():
            recent.extendleft(reversed(more[name]))
            self._totals[name] += more[f"{name}_count"]
            more[f"recent_{name}"], more[f"{name}_in_all"] = list(recent), self._totals[name]
        self._number += 1
        drawn["n"] = self._number
        self.figures.append(drawn)
        self.frames.append(json.dumps({**drawn, **more, "windows": windows, "keys": keys}, default=str, allow_nan=False))
        if len(self.frames) > KEPT:
            half = KEPT // 2
            self.frames = self.frames[:half:2] + self.frames[half:]
            self.figures = self.figures[:half:2] + self.figures[half:]
        return True

    def frame(self, n: int | None = None) -> str | None:
        """A frame by its number, the nearest that is kept; without one, the last."""
        if not self.frames:
            return None
        if n is None:
            return self.frames[-1]
        place = min(range(len(self.figures)), key=lambda k: abs(self.figures[k]["n"] - n))
        return self.frames[place]

    def summary(self) -> dict[str, Any]:
        """The query in the list of queries."""
        last = self.figures[-1] if self.figures else {}
        says = last.get("says", "nothing has arrived yet")
        return {"title": self.title, "frames": self._number, "ended": self.ended, "error": self.error, "says": says}

    def _judged(self, substreams: list[dict[str, Any]], drawn: Mapping[str, Any], least: float) -> list[dict[str, Any]]:
        """Substreams with what is to be seen at once: which holds the others back by more than `least`, which is silent, whose
        clock is ahead."""
        known = {one["name"]: one["newest"] for one in substreams if one["newest"] is not None}
        if not known:
            return substreams
        off, wrong = offsets(known), wrong_clocks(known)
        for one in substreams:
            mark = (one["newest"], one["seen"])
            since = self._moved.get(one["name"])
            if since is None or since[0] != mark:
                self._moved[one["name"]] = since = (mark, self._number, _instant(drawn))
            one["silent_for"] = self._number - since[1]
            one["silent_ms"] = _instant(drawn) - since[2]
            one["off"] = off.get(one["name"])
            one["clock_ahead"] = one["name"] in wrong
        for one in substreams:
            one["held_by"] = _held_by(one, substreams) if drawn.get("behind") == one["name"] else None
            one["holds_back"] = one["held_by"] is not None and one["held_by"] > least
        return substreams


def _held_by(slow: Mapping[str, Any], substreams: list[dict[str, Any]]) -> float | None:
    """How much farther results would be without a substream: from its frontier to the lowest of those that still send."""
    others = [one for one in substreams if one["name"] != slow["name"] and one["frontier"] is not None and not one["idle"]]
    heard = [one["frontier"] for one in others if not one["silent_for"]] or [one["frontier"] for one in others]
    return None if slow["idle"] or slow["frontier"] is None or not heard else min(heard) - slow["frontier"]


def _usual(substreams: list[dict[str, Any]], drawn: Mapping[str, Any], tradeoff: list[list[float]]) -> float:
    """The delay that is to be expected anyway: what DRATIO promises, or what half of the substreams have."""
    promised = next((delay for ratio, delay in tradeoff if ratio == drawn.get("target")), 0.0)
    delays = [one["delay"] for one in substreams if one["delay"] is not None]
    return max(promised, statistics.median(delays) if delays else 0.0)


def _instant(drawn: Mapping[str, Any]) -> float:
    """When a micro-batch began, in milliseconds since 1970."""
    at = drawn.get("at")
    return 0.0 if at is None else datetime.fromisoformat(str(at)).timestamp() * 1000
