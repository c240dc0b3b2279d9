"""Expressions as text."""

from __future__ import annotations

CONSTANTS = ("true", "false", "null")


def column_of(text: str) -> str | None:
    """The column that an expression is, if it is nothing but a column with a plain name.

    >>> column_of("`speed`"), column_of("speed"), column_of("speed + 1"), column_of("`true`"), column_of("TRUE")
    ('speed', 'speed', None, 'true', None)
    """
    inner = text[1:-1]
    if text == f"`{inner}`":
        return inner if inner.isidentifier() else None
    return text if text.isidentifier() and text.lower() not in CONSTANTS else None
