"""The live cell of a notebook."""

from __future__ import annotations

from typing import Any

import pytest

from tests.quality.reports import report
from transom.monitor.board.board import Board
from transom.monitor.exports.notebook import SCRIPT, cell, shown


def test_the_cell_follows_a_query_and_stays_when_it_has_ended(board: Board) -> None:
    pytest.importorskip("anywidget", reason="needs its extra: transom[notebook]")
    own = Board()
    own.describe("q", {"geometry": {"range": 6e7, "slide": 6e7, "origin": 0, "lag": 0}})
    widget, stop = cell(own, "q")
    assert widget.frame is None
    own.report("q", report(0, 1))
    assert widget.frame["n"] == 1
    assert widget.frame["windows"]
    own.end("q")
    assert widget.frame["ended"] is True
    stop()
    own.report("q", report(1, 1))
    assert widget.frame["n"] == 1
    assert shown(own, "other") == {}


def test_the_cell_draws_windows(board: Board, page: Any) -> None:
    page.set_content("<main></main>")
    script = SCRIPT.replace("export default", "window.widget =")
    page.evaluate(f"() => {{ {script} }}")
    drawn = """(frame) => widget.render({model: {get: () => frame, on: () => {}}, el: document.querySelector("main")})"""
    page.evaluate(drawn, {**shown(board, "query 1"), "says": "<b>late</b>"})
    assert page.locator("rect").count() > 20
    assert "<b>late</b>" in page.locator("main").inner_text()
    assert "frontier 14:1" in page.locator("svg").text_content()
    assert "newest event 14:19:59" in page.locator("svg").text_content()  # of the clocks that are right
    assert "21 windows lie beyond the right edge, to 15:04:59" in page.locator("main").inner_text()
