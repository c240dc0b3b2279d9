"""The shell for a person: completion, help, history, and where a statement ends."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.scripts import TRAFFIC
from transom.cli.shell import shell
from transom.cli.shell.help_texts import TOPICS, asks_for_help, help_text
from transom.cli.shell.statement_lines import is_finished
from transom.language import bind_script
from transom.language.catalog import Catalog
from transom.language.completing import candidates
from transom.language.parse.clauses import WINDOW_CLAUSES


@pytest.fixture
def catalog() -> Catalog:
    sql = TRAFFIC.format(folder="in") + "CREATE STREAM trips (km DOUBLE, span INT) ORDER BY km; CREATE TABLE roads (seg STRING);"
    return bind_script(sql).catalog


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sel", ["select"]),
        ("SELECT * FROM tr", ["traffic", "trips"]),
        ("SELECT * FROM traffic JOIN ro", ["roads"]),
        ("DESCRIBE STREAM tri", ["trips"]),
        ("EXPLAIN AN", ["ANALYZE"]),
        ("SELECT seg", ["seg_id"]),
        ("SELECT count(*) FROM traffic [TUMBLE 5 MINUTES] GROUP BY se", ["seg_id"]),
        ("SELECT * FROM traffic [RANGE 5 MIN", ["MINUTES"]),
        ("SELECT * FROM traffic [RANGE 5 MINUTES DRA", ["DRATIO"]),
        ("SELECT * FROM trips [RANGE 5 WATTR k", ["km"]),
        ("SELECT max(span), avg(sp", ["span", "speed"]),
        ("SELECT approx_perc", ["approx_percentile"]),
    ],
)
def test_what_is_offered(typed: str, offered: list[str], catalog: Catalog) -> None:
    assert candidates(typed, catalog) == offered


def test_every_clause_of_a_window_is_offered_in_a_bracket(catalog: Catalog) -> None:
    assert set(WINDOW_CLAUSES) <= set(candidates("SELECT * FROM traffic [", catalog))


def test_help_has_a_page_for_each_topic() -> None:
    assert all(help_text(f"help {topic};") == page for topic, page in TOPICS.items())
    assert not asks_for_help("SELECT help FROM s;")


def test_help_is_answered_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert shell("table", None, {}, given=io.StringIO("help windows;\nhelp;\n")) == 0
    printed = capsys.readouterr().out
    assert "TUMBLE 5 MINUTES" in printed
    assert "EXPLAIN ANALYZE q" in printed


def test_a_statement_is_finished_by_a_semicolon_outside_of_quotes() -> None:
    assert not is_finished("SELECT ';")
    assert is_finished("SELECT ';';")


def test_enter_ends_a_finished_statement_and_else_begins_a_line(tmp_path: Path, catalog: Catalog) -> None:
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from transom.cli.shell.prompting import prompted

    with create_pipe_input() as keys:
        keys.send_text("SELECT speed\nFROM traffic;\n" + "quit\n")
        texts = prompted(lambda: catalog, tmp_path / "history", input=keys, output=DummyOutput())
        assert next(texts) == "SELECT speed\nFROM traffic;"
        assert next(texts) == "quit"
    kept = (tmp_path / "history").read_text(encoding="utf-8")
    assert "+SELECT speed\n+FROM traffic;\n" in kept


def test_completions_stand_in_for_the_word_before_the_cursor(catalog: Catalog) -> None:
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from transom.cli.shell.prompting import Completing

    found = list(Completing(lambda: catalog).get_completions(Document("SELECT * FROM tri"), CompleteEvent()))
    assert [(one.text, one.start_position) for one in found] == [("trips", -3)]


def test_keywords_of_windows_have_the_colour_of_keywords() -> None:
    pytest.importorskip("prompt_toolkit")
    from pygments.token import Keyword

    from transom.cli.shell.prompting import TransomLexer

    tokens = {value: token for token, value in TransomLexer().get_tokens("SELECT a FROM s [TUMBLE 5 MINUTES DRATIO 1%]")}
    assert all(tokens[word] in Keyword for word in ("SELECT", "TUMBLE", "DRATIO"))
    assert tokens["a"] not in Keyword
