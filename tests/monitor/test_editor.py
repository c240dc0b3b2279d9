"""The query editor: it checks while one types, completes names, and answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from transom.errors import MissingSession
from transom.monitor.board.board import Board
from transom.monitor.editing.editor_names import defined
from transom.monitor.editing.sql_editor import SqlEditor
from transom.monitor.web.serving import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GIVEN = """
    CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS
      SOURCE FILE '{folder}' FORMAT csv;
    SELECT max(speed) AS hi FROM traffic [TUMBLE 1 MINUTE];
"""
RIGHT = "SELECT seg_id, max(speed) AS hi, window_start, window_end FROM traffic [TUMBLE 1 MINUTE] GROUP BY seg_id"


def no_spark() -> Any:
    raise MissingSession("Spark is still starting", remedy="try again")


@pytest.fixture
def editor(tmp_path: Path) -> SqlEditor:
    known = defined(GIVEN.format(folder=tmp_path))
    return SqlEditor(no_spark, lambda: known)


def test_what_is_wrong_is_shown_where_it_is(editor: SqlEditor) -> None:
    sql = "SELECT max(sped) AS hi\nFROM traffic [TUMBLE 1 MINUTE]"
    problem = editor.check(sql)["problem"]
    assert problem["name"] == "UnknownColumn"
    assert sql[problem["start"] : problem["end"]] == "sped"
    assert "did you mean 'speed'?" in problem["text"]
    assert editor.check("SELECT max(speed AS")["problem"]["name"] == "SyntaxMistake"
    assert editor.check(RIGHT) == {"problem": None}
    assert editor.check("SELECT speed FROM nowhere [TUMBLE 1 MINUTE]")["problem"]["name"] == "UnknownStream"


def test_the_editor_writes_nothing(editor: SqlEditor) -> None:
    refused = editor.check(f"INSERT INTO TABLE t {RIGHT}")["problem"]
    assert (refused["name"], "the editor writes nothing" in refused["text"]) == ("NotSupported", True)
    assert editor.run(f"INSERT INTO TABLE t {RIGHT}")["problem"]["name"] == "NotSupported"


def test_names_are_completed(editor: SqlEditor) -> None:
    text = "CREATE STREAM own (alpha INT, ts TIMESTAMP) ORDER BY ts; SELECT al"
    assert editor.complete(text + " FROM own", len(text)) == {"start": len(text) - 2, "names": [{"name": "alpha", "kind": ""}]}
    text = "SELECT speed FROM tra"
    assert editor.complete(text, len(text))["names"] == [{"name": "traffic", "kind": "stream"}]


def test_what_one_types_does_not_stay(editor: SqlEditor) -> None:
    create = "CREATE STREAM own (alpha INT, ts TIMESTAMP) ORDER BY ts;"
    assert editor.check(create) == editor.check(create) == {"problem": None}
    assert editor.run(RIGHT)["problem"]["name"] == "MissingSession"


@pytest.mark.spark
def test_a_query_is_typed_mistaken_corrected_and_run(spark: SparkSession, tmp_path: Path, page: Any) -> None:
    pytest.importorskip("uvicorn", reason="the console needs its extra: transom[console]")
    (tmp_path / "a.csv").write_text("s1,55,2026-01-05T14:00:10Z\ns1,65,2026-01-05T14:01:20Z\ns2,50,2026-01-05T14:00:30Z\n")
    known = defined(GIVEN.format(folder=tmp_path))
    editor = SqlEditor(lambda: spark, lambda: known)
    with Console(Board(), port=0, editor=editor).start() as console:
        page.goto(console.url)
        typed = page.locator("#typed")
        typed.fill(RIGHT.replace("speed", "sped"))
        page.get_by_text("UnknownColumn: the relation has no column 'sped'").wait_for()
        assert page.locator("#marks mark").inner_text() == "sped"
        assert "did you mean 'speed'?" in page.locator("#problem").inner_text()
        typed.fill("")
        typed.press_sequentially("SELECT max(speed) FROM traf")
        page.locator("#names li").get_by_text("traffic").wait_for()
        typed.press("Tab")
        assert typed.input_value().endswith("FROM traffic")
        typed.fill(RIGHT)
        page.get_by_text("all well").wait_for()
        typed.press("Control+Enter")
        page.locator("#answer table").wait_for(timeout=120_000)
        assert page.locator("#answer tbody tr").count() == 2
        assert page.locator("#answer svg rect").count() == 2
        assert "2 rows, late 1, dropped 1" in page.locator("#verdict").inner_text()
        assert not page.locator("#problem").is_visible()
