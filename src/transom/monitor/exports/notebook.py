"""`tr.live(running)`: the picture of windows in the cell of a notebook, moving while the query runs, still when it has ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from transom.errors import NotSupported
from transom.monitor.board.board import Board

SCRIPT = (Path(__file__).parent / "notebook.js").read_text(encoding="utf-8")
"""What draws the cell in the browser. Text of the data only ever becomes text."""

SENT = ("windows", "frontier", "newest", "newest_right", "recent_late_tuples", "says", "is_time", "n")


def shown(board: Board, title: str) -> dict[str, Any]:
    """What the cell needs of the last frame of a query."""
    frame = board.frame(title)
    if frame is None:
        return {}
    every = json.loads(frame)
    ended = next((query["ended"] for query in board.queries() if query["title"] == title), False)
    return {"title": title, "ended": ended, **{name: every.get(name) for name in SENT}}


def cell(board: Board, title: str) -> tuple[Any, Callable[[], None]]:
    """A widget that follows a query on a board, and what stops that."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise NotSupported(
            "the live cell needs anywidget", given="it is not installed", remedy="pip install 'transom[notebook]'"
        ) from None
    kind: Any = type(
        "LiveCell", (anywidget.AnyWidget,), {"_esm": SCRIPT, "frame": traitlets.Dict(allow_none=True).tag(sync=True)}
    )
    widget = kind(frame=shown(board, title) or None)

    def hear(news: dict[str, Any]) -> None:
        if news.get("title") == title and news["event"] in ("frame", "ended"):
            widget.frame = shown(board, title) or None

    return widget, board.hear(hear)
