"""The kinds of values that bodies compute with, and how they go together."""

from __future__ import annotations

from transom.semantics.sql_type import SqlType

NUMBERS = ("int", "decimal", "double")

_KINDS = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INT", "INTEGER", "BIGINT", "LONG"), "int"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "REAL"), "double"),
    **dict.fromkeys(("DECIMAL", "NUMERIC", "DEC"), "decimal"),
    **dict.fromkeys(("STRING", "VARCHAR", "CHAR", "TEXT"), "string"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "TIMESTAMPNTZ"), "timestamp"),
    "BOOLEAN": "boolean",
    "DATE": "date",
}

NAMES = {
    "int": "BIGINT",
    "double": "DOUBLE",
    "decimal": "DECIMAL(38, 12)",
    "string": "STRING",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "null": "VOID",
    "interval": "INTERVAL",
}
"""A SQL type of each kind, for messages."""


def kind_of(sql_type: str) -> str | None:
    """The kind of a SQL type; None for those that bodies do not compute with.

    >>> kind_of("DECIMAL(10, 2)")
    'decimal'
    """
    return _KINDS.get(SqlType.of(sql_type).name)


def common(kinds: list[str]) -> str | None:
    """The kind that values of these kinds have together: NULL goes with all, numbers with numbers."""
    known = {kind for kind in kinds if kind != "null"}
    if not known:
        return "null"
    if len(known) == 1:
        return known.pop()
    if known <= set(NUMBERS):
        return max(known, key=NUMBERS.index)
    return None


def fits(kind: str, column: str) -> bool:
    """Whether a value of a kind can be kept in a column of another: nothing is lost on the way but digits of a decimal."""
    if kind in ("null", column):
        return True
    return kind in NUMBERS and column in NUMBERS and NUMBERS.index(kind) < NUMBERS.index(column)
