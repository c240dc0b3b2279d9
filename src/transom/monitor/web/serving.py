"""The console's server in a thread of this process, on an address that is loopback unless a token guards it."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
import time
from typing import Any

from transom.errors import BadOption, NotSupported
from transom.monitor.board.board import Board

PORT = 8017
"""The port that is tried first; if it is taken, any free one is used, unless it was asked for."""
STARTS = 10.0
"""Seconds in which the server starts."""


class Console:
    """A running console: its address, and how to end it.

    `editor`, `metrics` are what the page offers besides the board.
    """

    def __init__(
        self,
        board: Board,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        token: str | None = None,
        editor: Any = None,
        metrics: Any = None,
    ) -> None:
        uvicorn = _uvicorn()
        from transom.monitor.web.guard import is_loopback
        from transom.monitor.web.server import application

        if token is not None and len(token) < 16:
            raise BadOption("a token has 16 characters at least", given=f"{len(token)}", remedy="leave it out, and one is made")
        self.board = board
        self.token = token or (None if is_loopback(host) else secrets.token_urlsafe(24))
        self._socket = _bound(host, port)
        app = application(board, editor=editor, metrics=metrics, token=self.token)
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1))
        self._thread = threading.Thread(target=self._serve, daemon=True, name="transom-console")
        self._host = host
        self._closing: list[Any] = []

    def start(self) -> Console:
        """Serve in the background."""
        self._thread.start()
        until = time.monotonic() + STARTS
        while not self._server.started and self._thread.is_alive() and time.monotonic() < until:
            time.sleep(0.01)
        return self

    @property
    def url(self) -> str:
        """Where it is; with its token, if it has one."""
        port = self._socket.getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{port}/" + ("" if self.token is None else f"?token={self.token}")

    def also_close(self, close: Any) -> None:
        """Call something when the console is closed."""
        self._closing.append(close)

    def close(self) -> None:
        """End it."""
        self.board.close()
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(5)
        with contextlib.suppress(OSError):
            self._socket.close()
        while self._closing:
            self._closing.pop()()

    def __enter__(self) -> Console:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Console at {self.url}>"

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])


def _uvicorn() -> Any:
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError:
        raise NotSupported(
            "the console needs Starlette and uvicorn", given="neither is installed", remedy="pip install 'transom[console]'"
        ) from None
    return uvicorn


def _bound(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tried = [PORT, 0] if port is None else [port]
    for number in tried:
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
        except (OSError, OverflowError) as error:
            found.close()
            if number == tried[-1]:
                raise BadOption(
                    "the console cannot listen there", given=f"{host}:{number}: {error}", remedy="name another host or port"
                ) from None
            continue
        return found
    raise AssertionError
