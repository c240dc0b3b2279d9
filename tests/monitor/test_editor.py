"""The query editor: it checks while one types, completes names, and answers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import transom as tr
from transom.errors import BadOption, MissingSession
from transom.language import Catalog
from transom.monitor.board.board import Board
from transom.monitor.editing.editor_names import defined, listed, of_session
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


class Table:
    """What the editor asks of a DataFrame."""

    def __init__(self, *dtypes: tuple[str, str], streams: bool = False) -> None:
        self.dtypes, self.isStreaming = list(dtypes), streams


class Session:
    """A session with tables, one of which cannot be read."""

    catalog = SimpleNamespace(listTables=lambda: [SimpleNamespace(name=name) for name in ("measured", "Traffic", "gone")])

    def table(self, name: str) -> Table:
        if name == "gone":
            raise RuntimeError("the files of the view have gone")
        return Table(("at", "timestamp"), ("x", "int"))


def test_in_python_the_tables_of_the_session_and_what_is_handed_over_are_known(tmp_path: Path) -> None:
    read = tr.sql(GIVEN.format(folder=tmp_path)).plan
    given = {
        "rates": tr.stream({"value": "BIGINT", "timestamp": "TIMESTAMP"}, order_by="timestamp"),
        "live": Table(("value", "bigint"), ("timestamp", "timestamp"), streams=True),
    }
    session: Any = Session()
    known = of_session(session, [read], given)
    assert [(one["name"], one["order"]) for one in listed(known)] == [
        ("rates", "timestamp"),
        ("live", "timestamp"),
        ("traffic", "ts"),
        ("measured", "at"),
    ]
    editor = SqlEditor(lambda: session, lambda: known)
    for right in (
        RIGHT,
        "SELECT max(x) AS hi FROM measured [TUMBLE 1 MINUTE]",
        "SELECT sum(value) AS n FROM rates [RANGE 5 MINUTES]",
    ):
        assert editor.check(right) == {"problem": None}
    assert editor.check("SELECT max(y) AS hi FROM measured [TUMBLE 1 MINUTE]")["problem"]["name"] == "UnknownColumn"
    refused = editor.run("SELECT max(value) AS hi FROM live [TUMBLE 1 MINUTE]")["problem"]
    assert "this DataFrame streams" in refused["text"]
    with pytest.raises(BadOption, match="nothing that a query can read"):
        of_session(session, [], {"x": 5})
    session.catalog = SimpleNamespace(listTables=lambda: 1 / 0)
    assert listed(of_session(session, [], {})) == []


def test_the_editor_makes_no_table() -> None:
    session: Any = SimpleNamespace(catalog=SimpleNamespace(tableExists=lambda name: name == "roads"))
    editor = SqlEditor(lambda: session, Catalog)
    assert editor.run("CREATE TABLE roads (a INT);")["problem"] is None
    assert "makes no table" in editor.run("CREATE TABLE other (a INT);")["problem"]["text"]


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
        assert page.locator("#verdict").get_attribute("class").split() == ["note"]  # neither green nor red: tuples were late
        assert not page.locator("#problem").is_visible()
