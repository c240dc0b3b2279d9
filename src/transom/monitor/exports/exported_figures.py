"""The figures of queries that operators of a system watch: their names, what they mean, and how they are read from a board."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from transom.monitor.board.board import Board

Labels = dict[str, str]
Latest = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """A figure: gauges go up and down, counters only up. Names are those of Prometheus, without the suffix of counters."""

    name: str
    says: str
    read: Callable[[Latest], Iterator[tuple[Labels, float]]]
    is_counter: bool = False


def _of(key: str, scale: float = 1.0) -> Callable[[Latest], Iterator[tuple[Labels, float]]]:
    def read(latest: Latest) -> Iterator[tuple[Labels, float]]:
        if latest.get(key) is not None:
            yield {}, latest[key] * scale

    return read


def _seconds(key: str) -> Callable[[Latest], Iterator[tuple[Labels, float]]]:
    """Of places and lengths of time; on an axis of numbers they are no seconds."""

    def read(latest: Latest) -> Iterator[tuple[Labels, float]]:
        if latest.get("is_time") and latest.get(key) is not None:
            yield {}, latest[key] / 1000

    return read


def _delay(latest: Latest) -> Iterator[tuple[Labels, float]]:
    """That of the substreams whose clocks are right."""
    apart = latest.get("behind_right_clocks")
    return _seconds("delay" if apart is None else "behind_right_clocks")(latest)


def _fates(latest: Latest) -> Iterator[tuple[Labels, float]]:
    for fate in ("used", "dropped", "outside", "late"):
        if latest.get(fate) is not None:
            yield {"fate": fate}, latest[fate]


def _reported(latest: Latest) -> Iterator[tuple[Labels, float]]:
    if latest.get("at"):
        yield {}, datetime.fromisoformat(latest["at"]).timestamp()


def _substreams(read: Callable[[dict[str, Any]], float | None]) -> Callable[[Latest], Iterator[tuple[Labels, float]]]:
    def each(latest: Latest) -> Iterator[tuple[Labels, float]]:
        for one in latest.get("substreams", ()):
            value = read(one)
            if value is not None:
                yield {"substream": one["name"]}, value

    return each


FIGURES = (
    Figure("transom_up", "1 while the query runs, 0 when it has ended.", lambda latest: iter([({}, float(not latest["ended"]))])),
    Figure("transom_tuples", "Tuples by what became of them, since the query first started.", _fates, is_counter=True),
    Figure("transom_late_ratio", "The share of tuples that came late.", _of("ratio")),
    Figure("transom_late_ratio_allowed", "The share that DRATIO allows.", _of("target")),
    Figure(
        "transom_delay_seconds",
        "How far the frontier is behind the newest tuple, in event time; substreams whose clocks are wrong are left out.",
        _delay,
    ),
    Figure("transom_frontier_seconds", "The frontier (watermark), in seconds since 1970.", _seconds("frontier")),
    Figure("transom_newest_seconds", "The newest tuple, in seconds since 1970.", _seconds("newest")),
    Figure("transom_state_rows", "Rows of state that windows still need: partial aggregates or tuples.", _of("held")),
    Figure("transom_waiting_tuples", "Tuples at or above the frontier of their own substream.", _of("waiting")),
    Figure("transom_open_windows", "Windows that are open.", _of("open")),
    Figure("transom_input_rows_per_second", "Rows per second of the last micro-batch.", _of("rate")),
    Figure("transom_batch_seconds", "How long the last micro-batch took.", _of("ms", 0.001)),
    Figure("transom_reported_seconds", "When the last micro-batch with data began, in seconds since 1970.", _reported),
    Figure(
        "transom_substream_off_seconds",
        "How far a substream is ahead of the median of all.",
        _substreams(lambda one: _ms(one, "off")),
    ),
    Figure(
        "transom_substream_silent_seconds",
        "Since when a substream has sent nothing.",
        _substreams(lambda one: _ms(one, "silent_ms")),
    ),
    Figure(
        "transom_substream_holds_back",
        "1 for the substream that holds results back by more than the usual delay.",
        _substreams(lambda one: float(one["holds_back"])),
    ),
)


def _ms(one: dict[str, Any], key: str) -> float | None:
    return None if one.get(key) is None else one[key] / 1000


def latest(board: Board) -> Iterator[tuple[str, Latest]]:
    """The last frame of each query, with its title."""
    for query in board.queries():
        frame = board.frame(query["title"])
        if frame is not None:
            yield query["title"], {**json.loads(frame), "ended": query["ended"]}
