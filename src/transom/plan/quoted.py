"""Names in Spark SQL."""

from __future__ import annotations


def quoted(name: str) -> str:
    """A name in backquotes, whatever it contains."""
    return "`" + name.replace("`", "``") + "`"


def unquoted(name: str) -> str:
    """A name without the backticks that it is written in, if it is one name.

    >>> unquoted("`a b`"), unquoted("`it``s`"), unquoted("`a`.`b`")
    ('a b', 'it`s', '`a`.`b`')
    """
    inner = name[1:-1]
    one = len(name) > 2 and name[0] == name[-1] == "`" and "`" not in inner.replace("``", "")
    return inner.replace("``", "`") if one else name
