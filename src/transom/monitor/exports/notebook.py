"""`tr.live(running)`: the picture of windows in the cell of a notebook, moving while the query runs, still when it has ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from transom.errors import NotSupported
from transom.monitor.board.board import Board
from transom.monitor.exports.still import still

SCRIPT = (Path(__file__).parent / "notebook.js").read_text(encoding="utf-8")
"""What shows the picture in the browser."""


def picture(board: Board, title: str) -> str:
    """The windows of a query as HTML, in its last frame."""
    frame = board.frame(title)
    query: dict[str, Any] = next((query for query in board.queries() if query["title"] == title), {})
    known = None if frame is None else json.loads(frame)
    return still(title, known, ended=query.get("ended", False), error=query.get("error"))


def cell(board: Board, title: str) -> tuple[Any, Callable[[], None]]:
    """A widget that follows a query on a board, and what stops that.

    When the query has ended, the picture takes the place of the widget: a saved notebook shows it without Python.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise NotSupported(
            "the live cell needs anywidget", given="it is not installed", remedy="pip install 'transom[notebook]'"
        ) from None
    places: list[Any] = []

    def shown_in(widget: Any) -> None:
        """Called by the notebook when the widget is the value of a cell."""
        from IPython.display import display

        query = next((query for query in board.queries() if query["title"] == title), {})
        bundle = still_bundle() if query.get("ended") else widget._repr_mimebundle_()
        places.append(display(bundle[0] if isinstance(bundle, tuple) else bundle, raw=True, display_id=True))

    def still_bundle() -> dict[str, str]:
        return {"text/html": picture(board, title), "text/plain": f"the windows of {title}"}

    script, text = SCRIPT, traitlets.Unicode().tag(sync=True)
    kind: Any = type("LiveCell", (anywidget.AnyWidget,), {"_esm": script, "picture": text, "_ipython_display_": shown_in})
    widget = kind(picture=picture(board, title))

    def hear(news: dict[str, Any]) -> None:
        if news.get("title") != title or news["event"] not in ("frame", "ended"):
            return
        widget.picture = picture(board, title)
        if news["event"] == "ended":
            for place in places:
                place.update(still_bundle(), raw=True)

    return widget, board.hear(hear)
