"""The page in a real browser: what a person finds on it."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.monitor.planted import DEVICES, FAST_CLOCK, SILENT
from tests.quality.reports import SECOND, START, report, told_by
from transom.monitor.board.board import Board
from transom.monitor.web.serving import Console

GRID = {"range": 1000 * 60 * SECOND, "slide": 60 * SECOND, "origin": 0, "lag": 0}


def test_the_troubles_of_a_stream_are_named_on_the_screen(console: Console, page: Any) -> None:
    page.goto(console.url)
    says = page.locator("#says")
    says.get_by_text("The clock of").wait_for()
    assert f"The clock of {FAST_CLOCK} is 45 min ahead of the other substreams" in says.inner_text()
    assert f"Results wait for {SILENT}, which is silent: it has sent nothing for" in says.inner_text()
    assert "The promise is kept" in says.inner_text()
    assert "DRATIO 0.1 % instead of 1 % would cost a delay of 1 min" in page.locator("#tradeoff").inner_text()
    assert "smallest frontier of all substreams" in page.locator("#tradeoff").inner_text()
    assert "0.036 % late, 1 % allowed" in page.locator("#series").inner_text()
    assert "FROM readings [TUMBLE 1 MINUTE]" in page.locator("#sql").inner_text()
    assert "class: CF" in page.locator("#explain").text_content()
    assert "Scan readings" in page.locator("#plan").inner_text()
    assert page.locator("#results tbody tr").count() > 3


LENGTHS = """async ([alone, column]) => {
  const { length, lengths } = await import("/assets/format.js");
  return [alone.map((x) => length(x)), column.map(lengths(column))];
}"""


def test_lengths_are_rounded_before_they_are_split(console: Console, page: Any) -> None:
    page.goto(console.url)
    seconds = (0.552, 9.996, 59.96, 60.4, 2699.8, 3599.9, 86399)
    alone, column = page.evaluate(LENGTHS, [[1000 * x for x in seconds], [552, 8010, 60416]])
    assert alone == ["552 ms", "10 s", "1 min", "1 min 0.4 s", "45 min", "1 h", "1 d"]
    assert column == ["0.6 s", "8.0 s", "1 min 0.4 s"]
    every = [n * 7.3 + n * n * 0.9 for n in range(12_000)]
    alone, column = page.evaluate(LENGTHS, [every, every[:2_000]])
    assert not [text for text in (*alone, *column) if re.search(r"\b(60|60\.0) (s|min)|\b24 h|1,000 ms", text)]


def test_a_wrong_clock_leaves_the_others_their_room(console: Console, page: Any) -> None:
    page.goto(console.url)
    beyond = page.locator("text.t-beyond")
    beyond.wait_for(state="attached")
    assert beyond.text_content() == f"21 windows beyond, to 15:04:59 (clock of {FAST_CLOCK}) →"
    assert "newest event 14:19:59" in page.locator("#picture").text_content()
    assert "30 windows are open" in page.locator("#picture-note").inner_text()
    page.locator("#keys").select_option(FAST_CLOCK)
    assert beyond.count() == 0  # alone it has all of the room
    assert page.locator("#keys option").all_inner_texts() == ["all", *sorted(DEVICES)]


def test_what_is_pointed_at_is_explained_inside_of_the_page(console: Console, page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(console.url)
    page.locator("circle.late").first.hover(force=True)
    tip = page.locator(".tip")
    assert re.search(r"^pump-\d of 2026-01-05 14:\d\d:\d\d\n[\d.]+ m?s late; still counted$", tip.inner_text())
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 14, box["y"] + 100)
    tip.get_by_text("open, ").wait_for()
    shown = tip.bounding_box()
    assert shown["x"] + shown["width"] <= 400
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    plot = page.locator("#series .plot").nth(1)
    plot.hover(position={"x": 2, "y": 20})
    assert "micro-batch 0: " in page.locator("#series").inner_text()


def test_playback_shows_windows_that_close(console: Console, page: Any) -> None:
    page.goto(console.url)
    page.locator("#picture svg").wait_for()
    closed = "path.w-closed-frame"
    assert int(page.locator(closed).get_attribute("data-windows")) > 5
    page.locator("#scrub").fill("2")
    page.get_by_text("micro-batch 2,").wait_for()
    assert page.locator(closed).count() == 0
    assert "still learning" in page.locator("#says").inner_text()
    page.locator("#play").click()
    page.locator("path.w-new").wait_for(state="attached", timeout=20_000)
    page.locator("#live").click()
    page.get_by_text("micro-batch 19,").wait_for()
    page.locator("#keys").select_option(SILENT)
    page.locator("#listed summary").click()
    assert "240" in page.locator("#windows").inner_text()


def live(board: Board, batch: int, missed: int, windows: list[list[int]]) -> None:
    """A micro-batch of a query whose windows overlap a thousand times."""
    made = report(batch, 3)
    shard = json.loads(made["observedMetrics"]["transom"]["shards"][0])
    at = [[START + 5 * SECOND, START + 65 * SECOND, "<b>pump</b>"]] * missed
    shard["inspected"] = {
        "windows": windows,
        "missed": {"count": missed, "tuples": at, "by_pane": False},
        "results": {"count": 0, "rows": []},
    }
    made["observedMetrics"]["transom"] = told_by(shard)
    board.report("speeds", made)


def test_a_live_query_is_followed_and_a_late_tuple_found(page: Any) -> None:
    board = Board()
    board.describe(
        "speeds", {"sql": ["SELECT <script>alert(1)</script>"], "graph": [], "geometry": GRID, "window": "RANGE 1000 MINUTES"}
    )
    first = START // (60 * SECOND)
    with Console(board, port=0).start() as console:
        page.goto(console.url)
        page.get_by_text("Nothing has arrived yet").wait_for()
        live(board, 0, 0, [[first, first + 999, 40]])
        page.get_by_text("micro-batch 0,").wait_for()
        assert page.locator("#state").inner_text() == "live"
        assert page.locator("circle.late").count() == 0
        live(board, 1, 2, [[first + 17, first + 1016, 40]])
        page.locator("circle.late").first.wait_for(state="attached")
        assert "1 min" in page.locator("#late").inner_text()
        assert "<b>pump</b>" in page.locator("#late").inner_text()  # shown, not obeyed
        assert "<script>" in page.locator("#sql").inner_text()
        assert int(page.locator("path.w-open").get_attribute("data-windows")) > 980
        page.set_viewport_size({"width": 380, "height": 700})
        page.wait_for_timeout(400)
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        board.end("speeds", "QueryFailed: no <disk>")
        page.get_by_text("The query failed: QueryFailed: no <disk>").wait_for()


HOSTILE = "<img src=x onerror=\"window.hit='image'\">"
QUOTED = "a\"b'c</option><script>window.hit='key'</script>"


def test_nothing_of_the_data_becomes_markup(page: Any) -> None:
    board = Board()
    about = {"sql": [HOSTILE], "explain": HOSTILE, "graph": [{"label": HOSTILE, "kind": "source", "reads": []}], "geometry": GRID}
    board.describe(HOSTILE, {**about, "window": HOSTILE, "tolerance": HOSTILE})
    board.describe("another", {"sql": [], "graph": []})
    first = START // (60 * SECOND)
    substreams = [{"name": name, "newest": START, "frontier": START, "seen": 3, "late": 0} for name in (HOSTILE, QUOTED)]
    made = report(0, 3, behind=QUOTED, substreams=substreams, tradeoff=[[0.01, 5e6], [0.001, 9e6]])
    shard = json.loads(made["observedMetrics"]["transom"]["shards"][0])
    shard["inspected"] = {
        "windows": [[first, first, 5]],
        "keys": [[QUOTED, [[first, first, 3]]], [HOSTILE, [[first, first, 2]]]],
        "missed": {"count": 1, "tuples": [[START, START + SECOND, QUOTED]], "by_pane": False},
        "results": {"count": 1, "rows": [{HOSTILE: HOSTILE, "n": 5}]},
    }
    made["observedMetrics"]["transom"] = told_by(shard)
    board.report(HOSTILE, made)
    with Console(board, port=0).start() as console:
        page.goto(console.url)
        page.get_by_text("micro-batch 0,").wait_for()
        page.locator("#keys").select_option(QUOTED)
        board.end(HOSTILE, HOSTILE)
        page.get_by_text("The query failed").wait_for()
        page.wait_for_timeout(200)
        assert page.evaluate("window.hit") is None
        assert page.locator("img, body script").count() == 0
        for part in ("#results", "#sql", "#about", "#says"):
            assert HOSTILE in page.locator(part).inner_text()
        assert QUOTED in page.locator("#late").inner_text()
        assert page.locator("#keys").input_value() == QUOTED


def test_a_page_says_when_nobody_runs_and_when_the_program_has_gone(page: Any) -> None:
    board = Board()
    console = Console(board, port=0).start()
    page.goto(console.url)
    page.get_by_text("No query is running").wait_for()
    for title in ("speeds", "second", "third"):
        board.describe(title, {"sql": [], "graph": []})
    page.get_by_text("Nothing has arrived yet").wait_for()
    page.locator("#queries option").get_by_text("third").wait_for(state="attached")
    page.wait_for_timeout(500)
    assert page.locator("#queries").input_value() == "speeds"  # the first, not the last that was heard of
    assert not page.locator("#windows-panel").is_visible()
    live(board, 0, 0, [])
    page.get_by_text("micro-batch 0,").wait_for()
    page.evaluate("window.addEventListener('error', (event) => event.preventDefault())")
    console.close()
    page.get_by_text("The program has ended.").wait_for()
    assert page.locator("#state").inner_text() == "ended"
    assert not page.get_by_text("The connection is lost.").is_visible()
    page.goto("about:blank")


def test_a_page_keeps_what_it_shows_when_nobody_answers(board: Board, browser: Any) -> None:
    console = Console(board, port=0).start()
    page = browser.new_page()  # the browser itself reports what it could not fetch
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(console.url)
    page.get_by_text("micro-batch 19,").wait_for()
    console.close()
    page.get_by_text("The program has ended.").wait_for()
    page.locator("#scrub").fill("3")
    page.wait_for_function("document.querySelector('#scrub').value === '19'")
    assert page.get_by_text("micro-batch 19,").is_visible()
    page.close()
    assert failed == []


def test_the_keyboard_goes_through_a_run(console: Console, page: Any) -> None:
    page.goto(console.url)
    page.get_by_text("micro-batch 19,").wait_for()
    page.locator("#when").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("micro-batch 18,").wait_for()
    assert page.locator("#state").inner_text().startswith("ended")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")
