"""Who may use the console, and what it answers."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")

from transom.errors import BadOption, NotSupported
from transom.monitor.board.board import Board
from transom.monitor.web.serving import Console


def get(url: str, headers: dict[str, str] | None = None, data: bytes | None = None) -> tuple[int, str, Any]:
    request = urllib.request.Request(url, headers=headers or {}, data=data)
    try:
        with urllib.request.build_opener(NoRedirect()).open(request, timeout=10) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *about: Any) -> None:
        return None


def test_the_page_and_its_files_come_from_the_package(console: Console) -> None:
    code, text, headers = get(console.url)
    assert code == 200
    assert "http" not in text
    assert "default-src 'none'" in headers["content-security-policy"]
    for name in ("main.js", "console.css", "windows.js"):
        code, text, _ = get(f"{console.url}assets/{name}")
        assert code == 200
    assert get(f"{console.url}assets/server.py")[0] == 404
    assert get(f"{console.url}assets/..%2Fserver.py")[0] == 404


def test_data_are_json(console: Console) -> None:
    state = json.loads(get(f"{console.url}api/state")[1])
    assert [query["title"] for query in state["queries"]] == ["query 1"]
    assert state["editor"] is False
    query = json.loads(get(f"{console.url}api/query?title=query%201")[1])
    assert len(query["figures"]) == query["frames"] == 20
    frame = json.loads(get(f"{console.url}api/frame?title=query%201&n=3")[1])
    assert frame["n"] == 3
    assert get(f"{console.url}api/frame?title=no")[0] == 404
    assert get(f"{console.url}api/query?title=no")[0] == 404
    assert get(f"{console.url}metrics")[0] == 404


def test_other_sites_and_other_names_are_refused(console: Console) -> None:
    assert get(console.url, {"Host": "evil.example"})[0] == 421
    assert get(f"{console.url}api/state", {"Origin": "http://evil.example"})[0] == 403
    post = f"{console.url}api/run"
    assert get(post, {"Content-Type": "text/plain"}, b"{}")[0] == 415
    assert get(post, {"Content-Type": "application/json"}, b"{}")[0] == 403  # the editor is switched off


def test_another_address_needs_a_token(board: Board) -> None:
    with pytest.raises(BadOption, match="16 characters"):
        Console(board, token="short")
    with Console(board, token="a-token-of-some-length", port=0).start() as console:
        bare = console.url.partition("?")[0]
        assert get(bare)[0] == 401
        assert get(f"{bare}api/state?token=wrong")[0] == 401
        assert get(f"{bare}api/state", {"Authorization": "Bearer a-token-of-some-length"})[0] == 200
        code, _, headers = get(console.url)
        assert (code, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert get(bare, {"Cookie": cookie.split(";")[0]})[0] == 200
        assert get(bare, {"Cookie": "transom=wrong"})[0] == 401


def test_an_address_beyond_this_machine_gets_a_token_by_itself(board: Board) -> None:
    console = Console(board, host="0.0.0.0", port=0)  # bound, not served
    assert console.token
    console.close()


def test_a_port_that_is_taken_is_refused_if_it_was_asked_for(console: Console) -> None:
    port = int(console.url.rpartition(":")[2].strip("/"))
    with pytest.raises(BadOption, match="cannot listen"):
        Console(console.board, port=port)


def test_a_token_does_not_let_other_sites_in(board: Board) -> None:
    with Console(board, token="a-token-of-some-length", port=0, editor=Editor()).start() as console:
        bare = console.url.partition("?")[0]
        right = {"Authorization": "Bearer a-token-of-some-length", "Content-Type": "application/json"}
        asked = json.dumps({"sql": "SELECT 1"}).encode()
        assert get(f"{bare}api/run", right, asked)[0] == 200
        assert get(f"{bare}api/run", {**right, "Origin": "http://evil.example"}, asked)[0] == 403
        assert get(f"{bare}api/run", {**right, "Origin": "null"}, asked)[0] == 403
        assert get(f"{bare}api/run", {**right, "Content-Type": "text/plain"}, asked)[0] == 415
        assert get(f"{bare}api/run", {"Content-Type": "application/json"}, asked)[0] == 401
        for part in ("", "assets/main.js", "api/state", "api/names", "api/events", "metrics"):
            assert get(f"{bare}{part}")[0] == 401
        assert get(f"{bare}api/state?token=", {"Authorization": "Bearer "})[0] == 401
        assert get(f"{bare}api/state?token=%C3%A4", {})[0] == 401


class Editor:
    """Answers without Spark."""

    def names(self) -> list[dict[str, Any]]:
        return [{"name": "readings", "columns": ["x INT"], "order": None}]

    def check(self, sql: str) -> dict[str, Any]:
        return {"problem": None}

    def complete(self, sql: str, at: int) -> dict[str, Any]:
        return {"start": at, "names": []}

    def run(self, sql: str, number: str = "") -> dict[str, Any]:
        return {"problem": None, "tables": [], "says": sql}


def test_what_is_not_a_query_is_refused(board: Board) -> None:
    with Console(board, port=0, editor=Editor()).start() as console:
        sent = {"Content-Type": "application/json"}
        for body in (b"", b"[]", b"{}", b'{"sql": 5}', b"\xff", b'{"sql": "' + b"x" * 200_000 + b'"}'):
            assert get(f"{console.url}api/run", sent, body)[0] == 400
        for at in ("x", None, [1], -3, 10**9):
            assert get(f"{console.url}api/complete", sent, json.dumps({"sql": "SEL", "at": at}).encode())[0] in (200, 400)
        assert json.loads(get(f"{console.url}api/names")[1])[0]["name"] == "readings"


@pytest.mark.parametrize(
    "host", ["[", "evil.example@127.0.0.1", "127.0.0.1.evil.example", "127.0.0.1/x", "2130706433", "[::1]x]"]
)
def test_a_host_that_is_no_name_of_this_machine_is_refused(console: Console, host: str) -> None:
    assert get(f"{console.url}api/state", {"Host": host})[0] in (400, 421)


def test_odd_requests_are_refused_in_order(board: Board) -> None:
    with Console(board, port=0, editor=Editor()).start() as console:
        json_ = {"Content-Type": "application/json"}
        for body in (b"", b"[]", b"{", b'{"sql": 5}', b'{"sql": "\\ud800"}', b'{"sql": "' + b"a" * 200_000 + b'"}'):
            assert get(f"{console.url}api/check", json_, body)[0] == 400
        assert get(f"{console.url}api/check", {**json_, "Origin": "http://["}, b"{}")[0] == 403
        assert get(f"{console.url}api/state")[0] == 200


def test_a_port_that_there_is_not_is_a_bad_option(board: Board) -> None:
    with pytest.raises(BadOption, match="cannot listen there"):
        Console(board, port=80_000)


def test_a_demo_says_what_the_console_lacks_before_spark_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    from transom.cli.demo import demo

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.setattr(demo, "_started", lambda: pytest.fail("Spark was started"))
    with pytest.raises(NotSupported, match="Starlette and uvicorn"):
        demo.play(0, with_console=True)
