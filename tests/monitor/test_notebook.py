"""The live cell of a notebook."""

from __future__ import annotations

from typing import Any

import pytest

from tests.quality.reports import report
from transom.monitor.board.board import Board
from transom.monitor.exports.notebook import SCRIPT, cell, picture


def test_the_cell_follows_a_query_and_stays_when_it_has_ended(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anywidget", reason="needs its extra: transom[notebook]")
    places: list[Place] = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, **about: places.append(Place(bundle)) or places[-1])
    own = Board()
    own.describe("q", {"geometry": {"range": 6e7, "slide": 6e7, "origin": 0, "lag": 0}})
    widget, stop = cell(own, "q")
    assert "Nothing has arrived yet" in widget.picture
    widget._ipython_display_()
    assert "application/vnd.jupyter.widget-view+json" in places[0].shown[-1]
    own.report("q", report(0, 1))
    assert widget.picture.count('class="frame"') > 1
    assert '<span class="live">live</span>' in widget.picture
    assert len(places[0].shown) == 1
    own.end("q")
    assert '<span class="soft">ended</span>' in widget.picture
    assert places[0].shown[-1]["text/html"] == widget.picture  # a saved notebook has no Python to ask
    stop()
    own.report("q", report(1, 1))
    assert widget.picture == places[0].shown[-1]["text/html"]
    assert "Nothing has arrived yet" in picture(own, "other")


class Place:
    """Where something is displayed, and what has been shown there."""

    def __init__(self, bundle: dict[str, Any]) -> None:
        self.shown = [bundle]

    def update(self, bundle: dict[str, Any], *, raw: bool) -> None:
        assert raw
        self.shown.append(bundle)


def test_the_cell_draws_windows(board: Board, page: Any) -> None:
    page.set_content("<main></main>")
    script = SCRIPT.replace("export default", "window.widget =")
    page.evaluate(f"() => {{ {script} }}")
    drawn = """(html) => widget.render({model: {get: () => html, on: () => {}}, el: document.querySelector("main")})"""
    page.evaluate(drawn, picture(board, "query 1"))
    assert page.locator("rect").count() > 20
    assert "frontier 14:1" in page.locator("svg").text_content()
    assert "newest event 14:19:59" in page.locator("svg").text_content()  # of the clocks that are right
    assert "21 windows lie beyond the right edge, to 15:04:59" in page.locator("main").inner_text()


def test_text_of_the_data_is_no_markup(page: Any) -> None:
    own = Board()
    title = "<img src=x onerror=document.title='broken'>"
    own.describe(title, {})
    found = report(0, 1, behind="<b>pump</b>", learns=True)
    own.report(title, found)
    own.end(title, "<script>document.title='broken'</script>")
    page.set_content(picture(own, title))
    assert page.title() == ""
    assert page.locator("img, b, script").count() == 0
    assert "<b>pump</b>" in page.locator(".transom-cell").inner_text()
