"""Takes the pictures of the console for the README, in chromium: a recorded run of five devices, at its end and played back.

`python -m tools.console_pictures`, after a change of the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.monitor.conftest import ARGUMENTS, RECORD, chromium
from tools.apng import animated
from transom.monitor.board.board import Board
from transom.monitor.board.recording import Recording
from transom.monitor.web.serving import Console

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PACE, LAST = 0.45, 3.0
"""Seconds for which a micro-batch is shown, and the last one."""


def main() -> None:
    board = Board()
    Recording(str(RECORD), board).load()
    with sync_playwright() as running, Console(board, port=0).start() as console:
        browser = running.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        _still(browser, console.url, PICTURES / "console.png")
        _played(browser, console.url, PICTURES / "console_run.png")
        browser.close()


def _open(browser: Any, url: str, width: int, height: int) -> Any:
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.goto(url)
    page.locator("#picture svg").wait_for()
    page.wait_for_timeout(300)
    return page


def _still(browser: Any, url: str, place: Path) -> None:
    page = _open(browser, url, 1100, 1000)
    end = page.locator("#substreams-panel").bounding_box()
    place.write_bytes(
        page.screenshot(clip={"x": 0, "y": 0, "width": 1100, "height": end["y"] + end["height"] + 12}, full_page=True)
    )


def _played(browser: Any, url: str, place: Path) -> None:
    page = _open(browser, url, 820, 900)
    frames = []
    last = int(page.locator("#scrub").get_attribute("max"))
    for n in range(last + 1):
        page.locator("#scrub").fill(str(n))
        page.get_by_text(f"micro-batch {n},").wait_for()
        page.locator("#windows-panel").evaluate("(node) => scrollTo(0, node.offsetTop - 60)")
        box = page.locator("#picture").bounding_box()
        frames.append(page.screenshot(clip={"x": 20, "y": box["y"] - 4, "width": 780, "height": box["height"] + 8}))
    place.write_bytes(animated(frames, [*[PACE] * last, LAST]))


if __name__ == "__main__":
    main()
