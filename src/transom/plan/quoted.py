"""Names in Spark SQL."""

from __future__ import annotations


def quoted(name: str) -> str:
    """A name in backquotes, whatever it contains."""
    return "`" + name.replace("`", "``") + "`"
