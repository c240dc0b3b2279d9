"""Expressions as text."""

from __future__ import annotations


def bare(text: str) -> str:
    """A column's name without quotes, and any other expression as it is.

    >>> bare("`speed`"), bare("speed"), bare("`two words`"), bare("speed + 1")
    ('speed', 'speed', '`two words`', 'speed + 1')
    """
    inner = text[1:-1]
    return inner if text == f"`{inner}`" and inner.isidentifier() else text
