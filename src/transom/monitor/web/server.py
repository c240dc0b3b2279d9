"""The pages and data of the console, over HTTP. Everything that is sent of queries is JSON, which the page shows as text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from transom.monitor.board.board import Board
from transom.monitor.web.guard import Guard
from transom.version import __version__

ASSETS = Path(__file__).parent / "assets"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
WAITING = 64
"""News that wait for a slow page; older ones are dropped, since each frame is complete."""
ALIVE = 15.0
"""Seconds of silence after which a comment is sent, so that a page that has gone is noticed."""
LONGEST = 100_000
"""Bytes of a request."""


class Editor(Protocol):
    """What the query editor of the page needs."""

    def names(self) -> list[dict[str, Any]]:
        """The streams and tables that may be read."""
        ...

    def check(self, sql: str) -> dict[str, Any]:
        """What is wrong with a text, where, and what to do."""
        ...

    def complete(self, sql: str, at: int) -> dict[str, Any]:
        """The names that may stand at a place of the text."""
        ...

    def run(self, sql: str, number: str = "") -> dict[str, Any]:
        """The answers of a text."""
        ...

    def cancel(self, number: str) -> None:
        """Stop a run by its number."""
        ...


class Metrics(Protocol):
    """Figures for other programs."""

    def text(self) -> tuple[bytes, str]:
        """The figures, and the type of the text."""
        ...


def application(
    board: Board, *, editor: Editor | None = None, metrics: Metrics | None = None, token: str | None = None
) -> ASGIApp:
    """The console as an ASGI application."""
    pages = Pages(board, editor, metrics)
    routes = [
        Route("/", pages.index),
        Route("/assets/{name}", pages.asset),
        Route("/api/state", pages.state),
        Route("/api/query", pages.query),
        Route("/api/frame", pages.frame),
        Route("/api/events", pages.events),
        Route("/api/names", pages.names),
        Route("/api/check", pages.check, methods=["POST"]),
        Route("/api/complete", pages.complete, methods=["POST"]),
        Route("/api/run", pages.run, methods=["POST"]),
        Route("/api/cancel", pages.cancel, methods=["POST"]),
        Route("/metrics", pages.figures),
    ]
    return Guard(Starlette(routes=routes), token)


class Pages:
    """What each address answers."""

    def __init__(self, board: Board, editor: Editor | None, metrics: Metrics | None) -> None:
        self._board, self._editor, self._metrics = board, editor, metrics

    async def index(self, request: Request) -> Response:
        return FileResponse(ASSETS / "index.html", media_type="text/html")

    async def asset(self, request: Request) -> Response:
        path = ASSETS / Path(request.path_params["name"]).name
        if path.suffix not in TYPES or not path.is_file():
            return PlainTextResponse("there is no such file", 404)
        return FileResponse(path, media_type=TYPES[path.suffix])

    async def state(self, request: Request) -> Response:
        return JSONResponse(
            {"version": __version__, "editor": self._editor is not None, "queries": self._board.queries()},
        )

    async def query(self, request: Request) -> Response:
        found = self._board.query(request.query_params.get("title", ""))
        return JSONResponse({"error": "there is no such query"}, 404) if found is None else JSONResponse(found)

    async def frame(self, request: Request) -> Response:
        n = request.query_params.get("n", "")
        found = self._board.frame(request.query_params.get("title", ""), int(n) if n.isdecimal() else None)
        if found is None:
            return JSONResponse({"error": "there is no such frame"}, 404)
        return Response(found, media_type="application/json")

    async def events(self, request: Request) -> Response:
        """News as server-sent events."""
        return StreamingResponse(self._news(), media_type="text/event-stream")

    async def _news(self) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def put(news: dict[str, Any]) -> None:
            if waiting.qsize() >= WAITING:
                waiting.get_nowait()
            waiting.put_nowait(news)

        def hears(news: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(put, news)

        stop = self._board.hear(hears)
        try:
            yield "retry: 1000\n\n"
            while True:
                try:
                    news = await asyncio.wait_for(waiting.get(), ALIVE)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if news["event"] == "closed":
                    yield "event: closed\ndata: {}\n\n"  # the program ends: the page says that, and not that the network broke
                    return
                yield f"event: {news['event']}\ndata: {json.dumps({k: v for k, v in news.items() if k != 'event'})}\n\n"
        finally:
            stop()

    async def names(self, request: Request) -> Response:
        if self._editor is None:
            return JSONResponse({"error": "the editor is switched off"}, 403)
        return JSONResponse(await run_in_threadpool(self._editor.names))

    async def check(self, request: Request) -> Response:
        return await self._edited(request, lambda editor, given: editor.check(given["sql"]))

    async def complete(self, request: Request) -> Response:
        return await self._edited(
            request, lambda editor, given: editor.complete(given["sql"], _place(given.get("at"), given["sql"]))
        )

    async def run(self, request: Request) -> Response:
        return await self._edited(request, lambda editor, given: editor.run(given["sql"], str(given.get("number") or "")))

    async def cancel(self, request: Request) -> Response:
        return await self._edited(request, lambda editor, given: editor.cancel(str(given.get("number") or "")))

    async def _edited(self, request: Request, answer: Any) -> Response:
        if self._editor is None:
            return JSONResponse({"error": "the editor is switched off"}, 403)
        given = await _json_of(request)
        if not isinstance(given, dict) or not isinstance(given.get("sql"), str) or not _is_text(given["sql"]):
            return JSONResponse({"error": "send a JSON object with the text of a query as sql"}, 400)
        return JSONResponse(await run_in_threadpool(answer, self._editor, given))

    async def figures(self, request: Request) -> Response:
        if self._metrics is None:
            return PlainTextResponse("metrics need the extra: pip install 'transom[prometheus]'", 404)
        text, kind = self._metrics.text()
        return Response(text, media_type=kind)


async def _json_of(request: Request) -> Any:
    """What a request says; None of one that is too long, of which no more is read, or that says nothing."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST:
            return None
    try:
        return json.loads(body)
    except ValueError:
        return None


def _is_text(text: str) -> bool:
    """Whether it can be written as UTF-8: halves of characters cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _place(at: Any, sql: str) -> int:
    """A place in a text: where it is no such thing, its end."""
    return at if isinstance(at, int) and 0 <= at <= len(sql) else len(sql)
