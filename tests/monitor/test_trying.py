"""What one does with the page: try the query of the run, wait for an answer or cancel it, look at one key, look up a word."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.monitor.conftest import RECORD
from tests.monitor.planted import SCRIPT
from transom.monitor.board.board import Board
from transom.monitor.board.recording import Recording
from transom.monitor.editing.editor_names import defined
from transom.monitor.editing.sql_editor import SqlEditor
from transom.monitor.web.serving import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]


class Patient:
    """An editor whose answer comes when it is cancelled."""

    def __init__(self) -> None:
        self.cancelled: list[str] = []
        self._stopped = threading.Event()
        self._known = SqlEditor(lambda: None, lambda: defined(SCRIPT.format(folder="devices")))  # type: ignore[arg-type, return-value]
        self.names, self.check, self.complete = self._known.names, self._known.check, self._known.complete

    def run(self, sql: str, number: str = "") -> dict[str, Any]:
        self._stopped.wait(20)
        return {"problem": None, "tables": [], "says": "cancelled" if number in self.cancelled else "done"}

    def cancel(self, number: str) -> None:
        self.cancelled.append(number)
        self._stopped.set()


def test_the_query_of_the_run_is_tried_and_cancelled(board: Board, page: Any) -> None:
    pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")
    editor = Patient()
    with Console(board, port=0, editor=editor).start() as console:
        page.goto(console.url)
        page.locator("#try").click()
        page.get_by_text("all well").wait_for()  # the stream is known to the editor, and is not defined anew
        assert page.locator("#typed").input_value().startswith("SELECT device, max(pressure) AS highest")
        assert not page.locator("#cancel").is_visible()
        page.locator("#run").click()
        page.locator("#verdict").get_by_text("running … 1 s").wait_for()
        page.locator("#cancel").click()
        page.locator("#verdict").get_by_text(re.compile(r"^cancelled, [\d.]+ s$")).wait_for()
        assert len(editor.cancelled) >= 1
        assert not page.locator("#cancel").is_visible()
        assert page.locator("#run").is_enabled()


def test_where_results_go_is_left_out_of_what_is_tried(page: Any) -> None:
    pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")
    own = Board()
    query = "SELECT max(pressure) AS highest FROM readings [TUMBLE 1 MINUTE]"
    own.describe("q", {"sql": ["CREATE STREAM readings (x INT)", f"INSERT INTO FILE 'out' FORMAT csv\n{query}"], "graph": []})
    with Console(own, port=0, editor=Patient()).start() as console:
        page.goto(console.url)
        page.locator("#try").click()
        assert page.locator("#typed").input_value() == query
        page.get_by_text("all well").wait_for()


def test_a_key_is_chosen_for_all_lists(console: Console, page: Any) -> None:
    page.goto(console.url)
    page.locator("#keys").select_option("pump-3")
    assert {row.split("\t")[0] for row in page.locator("#results tbody tr").all_inner_texts()} == {"pump-3"}
    assert "only those of pump-3" in page.locator("#results").inner_text()
    assert {row.split("\t")[2] for row in page.locator("#late tbody tr").all_inner_texts()} == {"pump-3"}
    page.locator("#keys").select_option("pump-4")
    assert "None of pump-4 among the latest 8 late tuples." in page.locator("#late").inner_text()
    page.locator("#keys").select_option("")
    assert page.locator("#late tbody tr").count() == 8


def test_words_are_explained_as_in_the_glossary(console: Console, page: Any) -> None:
    page.goto(console.url)
    page.get_by_text("What the words of this page mean").click()
    found = dict(zip(page.locator("#words dt").all_inner_texts(), page.locator("#words dd").all_inner_texts(), strict=True))
    assert {"frontier", "late", "substream", "delay", "micro-batch", "AHEAD"} <= set(found)
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").replace("`", "")
    assert [name for name, meaning in found.items() if meaning.partition(". ")[0] not in glossary] == []
    pointed = page.locator("[data-word]").evaluate_all("all => all.map((one) => [one.dataset.word, one.title])")
    assert len(pointed) > 5
    assert all(title == f"{name}: {found[name]}" for name, title in pointed)
    assert page.locator("#says abbr").first.get_attribute("title") == f"AHEAD: {found['AHEAD']}"


@pytest.mark.spark
def test_spark_stops_what_is_cancelled(spark: SparkSession) -> None:
    import transom as tr
    from transom.language import Catalog

    slow = "CAST(java_method('java.lang.Thread', 'sleep', 100L + id % 2) IS NULL AS INT)"
    frame = spark.range(0, 10_000, 1, 2).selectExpr("id", "timestamp_seconds(id) AS ts")
    catalog = Catalog()
    catalog.streams["s"] = tr.stream(frame, order_by="ts", name="s").plan
    editor = SqlEditor(lambda: spark, lambda: catalog)
    sql = f"SELECT sum(x) AS n FROM (SELECT {slow} AS x, ts FROM s) [TUMBLE 1 HOUR]"
    answers: list[dict[str, Any]] = []
    running = threading.Thread(target=lambda: answers.append(editor.run(sql, "1-2")))
    running.start()
    until = time.monotonic() + 120
    while not spark.sparkContext.statusTracker().getActiveJobsIds() and running.is_alive() and time.monotonic() < until:
        time.sleep(0.2)
    while running.is_alive() and time.monotonic() < until:
        editor.cancel("1-2")
        running.join(0.7)
    assert answers == [{"problem": None, "tables": [], "says": "cancelled"}]
    assert list(spark.sparkContext.getJobTags()) == []
    assert editor.run("SELECT count(*) AS n FROM s [TUMBLE 1 DAY] WHERE id < 5", "3-4")["tables"][0]["rows"] == [[5]]


def test_the_record_says_what_the_graph_needs() -> None:
    board = Board()
    Recording(str(RECORD), board).load()
    told = board.query("query 1")
    assert told is not None
    assert [box["kind"] for box in told["about"]["graph"]] == ["result", "window", "source"]
