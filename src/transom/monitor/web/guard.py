"""Who may use the console: this machine, or whoever has the token. And what a browser may load: only the page's own files."""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "transom"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HOST = re.compile(r"(?:\[(?P<bracketed>[0-9A-Fa-f:.]+)\]|(?P<plain>[\w.-]+))(?::\d+)?")
"""A name or an address, and a port."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether an address is only reached from this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("example")
    (True, True, True, False, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass
class Guard:
    """Wraps the server. With a token every request needs it. Without one, only names of this machine are answered, so that no
    page of another site can reach the console under a name of its own (DNS rebinding)."""

    app: ASGIApp
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        app = self.app if refused is None else refused
        await app(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope, headers: dict[str, str]) -> ASGIApp | None:
        host = headers.get("host", "")
        if self.token is None and not is_loopback(_name_of(host)):
            return PlainTextResponse("this console answers on this machine alone", 421)
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return PlainTextResponse("a page of another site may not use the console", 403)
        if scope["method"] == "POST" and not headers.get("content-type", "").startswith("application/json"):
            return PlainTextResponse("send JSON", 415)
        if self.token is None:
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and self._is_token(given):
            if scope["path"] != "/":
                return None
            answer = RedirectResponse("/", 303)
            answer.set_cookie(COOKIE, given, httponly=True, samesite="strict")
            return answer
        if self._is_token(headers.get("authorization", "").removeprefix("Bearer ")) or self._is_token(_cookie(headers)):
            return None
        return PlainTextResponse("the console needs its token: open the address that it printed", 401)

    def _is_token(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())


def _name_of(host: str) -> str:
    """The name in a Host header, without its port; nothing of what is no such header.

    >>> _name_of("localhost:8017"), _name_of("[::1]:8017"), _name_of("evil@localhost"), _name_of("[")
    ('localhost', '::1', '', '')
    """
    found = HOST.fullmatch(host)
    return "" if found is None else found["bracketed"] or found["plain"]


def _cookie(headers: dict[str, str]) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            raw: MutableMapping[str, Any] = dict(message)
            raw["headers"] = [*message.get("headers", []), *((k.encode(), v.encode()) for k, v in HEADERS.items())]
            message = raw
        await send(message)

    return sending
