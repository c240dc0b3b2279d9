"""Quality as a page."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from tests.quality.reports import SECOND, START, report, without_control
from transom.quality import Quality
from transom.quality.page import page

VOID = {"meta", "line", "polyline", "circle", "rect"}


class Read(HTMLParser):
    """A page's elements, which are all closed; its table, and the names of its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.table: dict[str, str] = {}
        self.pictures: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._name = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "svg":
            self.pictures.append(dict(attrs)["aria-label"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag
        elif tag == "rect":
            return

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["th"]:
            self._name = data
        elif self.open[-1:] == ["td"]:
            self.table[self._name] = data


def quality(count: int = 5, title: str = "speeds") -> Quality:
    return Quality.of_reports([report(n, 2 * n, buffer=50) for n in range(count)], title)


def test_numbers_are_in_the_table() -> None:
    found = Read(quality().to_html())
    assert not found.open
    wanted = {"tuples": "5,000", "late tuples": "8", "share of late tuples": "0.16 %", "share that DRATIO allows": "1 %"}
    wanted |= {
        "tuples at the frontier of their substream or above it": "44",
        "of these, at most (BFSIZE)": "50",
        "delay of results": "2.5 s",
    }
    wanted |= {"delay of 95 % of the tuples, at most": "4 s", "dropped: too late for every window": "2"}
    assert {name: found.table[name] for name in wanted} == wanted


def test_a_wrong_clock_is_left_out_of_the_first_sentence() -> None:
    newest = START + 1000 * SECOND
    each = {"a": newest, "b": newest - SECOND, "c": newest + 2700 * SECOND}
    substreams = [{"name": name, "newest": x, "frontier": x, "seen": 9, "late": 0} for name, x in each.items()]
    told = {"newest": each["c"], "frontier": newest - 4 * SECOND, "delay": 2704 * SECOND}
    text = page([Quality.of_reports([report(0, 3, **told, substreams=substreams)], "q")])
    assert "Results are 4 s behind the newest event of the substreams whose clocks are right; one clock is far ahead." in text
    assert Read(text).table["delay of results, wrong clocks left out"] == "4 s"
    assert "behind the newest event." in page([Quality.of_reports([report(0, 3, substreams=substreams[:2])], "q")])


def test_there_is_a_picture_of_everything() -> None:
    found = Read(quality().to_html())
    assert found.pictures == [
        "Late tuples",
        "Delay of results",
        "Waiting tuples",
        "Frontier and newest event",
        "Late tuples by how late they were",
    ]
    assert len([tag for tag, _ in found.elements if tag == "polyline"]) == 3 + 3 + 2 + 2
    assert len([tag for tag, _ in found.elements if tag == "rect"]) == 3


def test_lines_stay_inside_of_their_picture() -> None:
    text = quality(1000).to_html()
    for points in re.findall(r'points="([^"]*)"', text):
        pairs = [tuple(map(float, pair.split(","))) for pair in points.split()]
        assert 1 < len(pairs) <= 401
        assert all(78 <= x <= 626 and 10 <= y <= 166 for x, y in pairs)


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = quality().to_html()
    assert not re.search(r"https?://|<script|<link|@import|url\(|src=", text)
    assert "prefers-color-scheme:dark" in text


def test_one_moment_is_a_dot() -> None:
    found = Read(quality(1).to_html())
    assert "circle" in [tag for tag, _ in found.elements]
    assert "polyline" not in [tag for tag, _ in found.elements]


def test_without_a_controller_there_is_no_picture_of_what_is_not_known() -> None:
    found = Read(Quality.of_reports([without_control(0), without_control(1)]).to_html())
    assert found.pictures == ["Late tuples", "Delay of results", "Frontier and newest event"]
    assert "share that DRATIO allows" not in found.table


def test_titles_are_escaped() -> None:
    text = page([quality(title="<b>a & b</b>"), quality()])
    assert "<b>a" not in text
    assert "&lt;b&gt;a &amp; b&lt;/b&gt;" in text
    assert not Read(text).open


def test_a_notebook_shows_the_same_inside_of_its_own_page() -> None:
    text = quality()._repr_html_()
    assert "<html" not in text
    assert Read(text).pictures == Read(quality().to_html()).pictures
    assert "nothing has arrived yet" in Quality()._repr_html_()


def test_numbers_have_pictures_too() -> None:
    numbers = {"time": False, "newest": 100.5, "frontier": 98, "delay": 2.5, "delay_50": 2, "delay_95": 4}
    found = Read(Quality.of_reports([report(n, 0, **numbers) for n in range(3)]).to_html())
    assert (found.table["newest event"], found.table["delay of results"]) == ("100.5", "2.5")
    assert "Frontier and newest event" in found.pictures


def test_a_page_says_when_a_query_ran_and_what_it_is() -> None:
    quality = Quality.of_reports([report(1, late=0), report(2, late=3)], "q")
    shown = page([replace(quality, sql=("SELECT max(v) AS hi FROM s [TUMBLE 5] WHERE v < 3",))])
    assert " tuples/s</p>" in shown
    assert "<pre>SELECT max(v) AS hi FROM s [TUMBLE 5] WHERE v &lt; 3;</pre>" in shown
    assert "<pre>" not in page([quality])
