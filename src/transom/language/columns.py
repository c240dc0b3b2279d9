"""Columns with their types, as a table declares them."""

from __future__ import annotations

from transom.errors import UnknownType
from transom.language.parse.parser import parse_script
from transom.language.parse.syntax import CreateStream


def declared_columns(text: str) -> tuple[tuple[str, str], ...]:
    """The columns that a schema in SQL names.

    >>> declared_columns("k STRING, v DECIMAL(10, 2), ts TIMESTAMP")
    (('k', 'STRING'), ('v', 'DECIMAL(10, 2)'), ('ts', 'TIMESTAMP'))
    """
    found = parse_script(f"CREATE STREAM s ({text})")
    if len(found) != 1 or not isinstance(found[0], CreateStream):
        raise UnknownType("this is no schema", given=text, remedy='write, for example, "k STRING, v DOUBLE, ts TIMESTAMP"')
    return found[0].columns
