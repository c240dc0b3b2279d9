"""A recorded run, a console over it, and a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from transom.monitor.board.board import Board
from transom.monitor.board.recording import Recording
from transom.monitor.web.serving import Console

RECORD = Path(__file__).parent / "devices.jsonl"
"""What `transom run --record` wrote of the stream in `planted`."""

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def chromium() -> str | None:
    """Where the browser is, if there is one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture
def board() -> Board:
    board = Board()
    Recording(str(RECORD), board).load()
    return board


@pytest.fixture
def console(board: Board) -> Iterator[Console]:
    pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")
    with Console(board, port=0).start() as console:
        yield console


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="the page is tested with Playwright")
    path = chromium()
    if path is None:
        pytest.skip("no browser: Debian's package chromium gives one")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def browser_if_any(request: pytest.FixtureRequest) -> Any:
    """For a test that has more to show than a page: without a browser it shows the rest."""
    try:
        return request.getfixturevalue("browser")
    except pytest.skip.Exception:
        return None


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page whose errors fail the test."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console", lambda said: errors.append(said.text) if said.type == "error" and "events" not in str(said.location) else None
    )
    yield page
    page.close()
    assert errors == []
