"""What may come next in a statement: keywords, streams, columns and functions that begin with what has been typed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from transom.language.catalog import Catalog
from transom.language.parse.clauses import STREAM_CLAUSES, WINDOW_CLAUSES
from transom.language.parse.statements import SINKS, SOURCES
from transom.plan.types.builtin import BUILT_IN

STATEMENTS = ("SELECT", "INSERT INTO", "CREATE STREAM", "CREATE TABLE", "CREATE AGGREGATE", "EXPLAIN", "EXPLAIN ANALYZE", "CHECK")
COMMANDS = ("SHOW STREAMS", "DESCRIBE STREAM", "DROP STREAM", "HELP", "QUIT")
CLAUSES = (
    *(
        "FROM",
        "WHERE",
        "GROUP BY",
        "HAVING",
        "ORDER BY",
        "LIMIT",
        "AS",
        "ON",
        "USING",
        "JOIN",
        "LEFT JOIN",
        "UNION ALL",
        "DISTINCT",
    ),
    *("OVER", "PARTITION BY", "ROWS", "RANGE", "PRECEDING", "UNBOUNDED PRECEDING", "LATE OF", "ISTREAM", "DSTREAM", "RSTREAM"),
    *(
        "SOURCE",
        "FORMAT",
        "OPTIONS",
        "TIMESTAMP",
        "INTERVAL",
        "BETWEEN",
        "AND",
        "OR",
        "NOT",
        "NULL",
        "CASE",
        "WHEN",
        "THEN",
        "END",
    ),
)
UNITS = ("MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS", "ROWS")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
NAMES = re.compile(r"\b(?:FROM|JOIN|INTO|OF|STREAM)\s+([A-Za-z_][A-Za-z0-9_]*)|,\s*([A-Za-z_][A-Za-z0-9_]*)\s*\[", re.IGNORECASE)
BEFORE_A_STREAM = re.compile(
    r"\b(?:FROM|JOIN|OF|DESCRIBE STREAM|DROP STREAM|EXPLAIN|EXPLAIN ANALYZE|CHECK)\s+[A-Za-z0-9_]*$", re.IGNORECASE
)


def word_before(text: str) -> str:
    """The beginning of a word that the cursor stands behind."""
    found = WORD.search(text)
    return found[0] if found else ""


def candidates(text: str, catalog: Catalog) -> list[str]:
    """What the word before the cursor may become; keywords are in the case of what has been typed.

    >>> candidates("SELECT max(speed) FROM traffic [TUM", Catalog())
    ['TUMBLE']
    >>> candidates("sel", Catalog())
    ['select']
    """
    word = word_before(text)
    low = word.lower()
    keywords = [key.lower() if word.islower() else key for key in _keywords(text)]
    names = [*_streams(text, catalog), *_columns(text, catalog)]
    functions = [] if _inside_bracket(text) or BEFORE_A_STREAM.search(text) else sorted(name.lower() for name in BUILT_IN)
    found = [*names, *keywords, *functions]
    return [one for one in dict.fromkeys(found) if one.lower().startswith(low) and one.lower() != low]


def _keywords(text: str) -> Iterable[str]:
    if BEFORE_A_STREAM.search(text):
        return ("ANALYZE", "SELECT") if re.search(r"\b(EXPLAIN|CHECK)\s+\w*$", text, re.IGNORECASE) else ()
    if _inside_bracket(text):
        return (*WINDOW_CLAUSES, *STREAM_CLAUSES, *UNITS)
    if text.strip() == word_before(text).strip():
        return (*STATEMENTS, *COMMANDS)
    if re.match(r"\s*CREATE\s+STREAM\b", text, re.IGNORECASE):
        return (*CLAUSES, *STREAM_CLAUSES, *SOURCES, *STATEMENTS[:1], *UNITS)
    return (*CLAUSES, *SINKS)


def _inside_bracket(text: str) -> bool:
    return text.rfind("[") > text.rfind("]")


def _streams(text: str, catalog: Catalog) -> list[str]:
    return (
        sorted([*catalog.streams, *catalog.tables, *catalog.views])
        if BEFORE_A_STREAM.search(text) or not _inside_bracket(text)
        else []
    )


def _columns(text: str, catalog: Catalog) -> list[str]:
    """Those of the streams that the statement names; of all, as long as it names none."""
    if BEFORE_A_STREAM.search(text):
        return []
    named = {(one or other).lower() for one, other in NAMES.findall(text)}
    known = [*catalog.streams, *catalog.tables, *catalog.views]
    chosen = [name for name in known if name.lower() in named] or known
    return sorted({column for name in chosen for column in catalog.relation(name).schema.names})
