"""The page on the language names every clause, source and sink, and its examples bind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transom.language import bind_script
from transom.language.parse.clauses import STREAM_CLAUSES, WINDOW_CLAUSES
from transom.language.parse.parser import RELATION_TO_STREAM
from transom.language.parse.statements import SINKS, SOURCES

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")

STREAMS = """
CREATE STREAM traffic (seg_id STRING, vehicle STRING, lane INT, speed DOUBLE, done BOOLEAN, ts TIMESTAMP) ORDER BY ts;
CREATE STREAM bid (item BIGINT, price DOUBLE);
CREATE STREAM open_auction (item BIGINT, start_price DOUBLE, start_time TIMESTAMP) ORDER BY start_time;
CREATE STREAM closed_auction (item BIGINT, final_price DOUBLE) ORDER BY arrival_ts;
CREATE STREAM auction (item BIGINT, ts TIMESTAMP) ORDER BY ts;
CREATE STREAM offer (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts;
CREATE STREAM quote (item BIGINT, ask DOUBLE, ts TIMESTAMP) ORDER BY ts;
CREATE TABLE roads (seg STRING, name STRING);
"""


def test_every_clause_is_named() -> None:
    words = {*WINDOW_CLAUSES, *STREAM_CLAUSES, *SOURCES, *SINKS, *RELATION_TO_STREAM}
    assert [word for word in sorted(words) if not re.search(rf"\b{word}\b", PAGE)] == []


def example_queries() -> list[str]:
    blocks = "\n".join(re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL))
    statements = [statement.strip() for statement in re.sub(r"--[^\n]*", "", blocks).split(";")]
    derived = re.compile(r"CREATE STREAM (active|congested) AS")
    definitions = ";\n".join(statement for statement in statements if derived.match(statement))
    queries = [statement for statement in statements if statement.startswith("SELECT") and "..." not in statement]
    return [f"{definitions};\n{query}" for query in queries]


@pytest.mark.parametrize("query", example_queries())
def test_every_query_of_the_page_binds(query: str) -> None:
    assert bind_script(STREAMS + query).queries


def brackets() -> list[str]:
    rows = re.findall(r"^\| [a-z, ]+ \| (.*) \|$", PAGE, re.MULTILINE)
    return [text for row in rows for text in re.findall(r"`((?:RANGE|TUMBLE|LANDMARK|BAND|NOW|SESSION)[^`<]*)`", row)]


@pytest.mark.parametrize("bracket", brackets())
def test_every_bracket_of_the_page_binds(bracket: str) -> None:
    spelled = re.sub(r"\b[xdrs]\b", lambda word: {"x": "0", "d": "10", "s": "5", "r": "10"}[word[0]], bracket).replace(
        " y", " 100"
    )
    on = " WATTR lane" if spelled != bracket else ""
    assert bind_script(f"{STREAMS} SELECT count(*) AS n FROM traffic [{spelled}{on}]").queries


def test_the_definitions_of_the_page_bind() -> None:
    block = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)[0]
    assert set(bind_script(block).catalog.streams) == {"traffic", "fast", "late_traffic"}
