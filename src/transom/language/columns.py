"""Columns with their types, as a table declares them."""

from __future__ import annotations

from transom.errors import SyntaxMistake, UnknownType
from transom.language.parse.parser import parse_script
from transom.language.parse.syntax import CreateStream
from transom.plan.types.fields import spelled


def declared_columns(text: str) -> tuple[tuple[str, str], ...]:
    """The columns that a schema in SQL names.

    >>> declared_columns("k STRING, v DECIMAL(10, 2), ts TIMESTAMP")
    (('k', 'STRING'), ('v', 'DECIMAL(10, 2)'), ('ts', 'TIMESTAMP'))
    """
    found = parse_script(f"CREATE STREAM s ({text})")
    if len(found) != 1 or not isinstance(found[0], CreateStream):
        raise UnknownType("this is no schema", given=text, remedy='write, for example, "k STRING, v DOUBLE, ts TIMESTAMP"')
    return found[0].columns


def checked_type(name: str, kind: object) -> str:
    """The type that is given for a column, if Spark has it."""
    try:
        declared_columns(f"c {kind}" if isinstance(kind, str) and "," not in kind.partition("(")[0].partition("<")[0] else "")
    except (UnknownType, SyntaxMistake):
        raise UnknownType(
            f"column {name!r} has no type that Spark knows",
            given=repr(kind),
            remedy='write, for example, {"speed": "DOUBLE", "ts": "TIMESTAMP"}',
        ) from None
    return spelled(str(kind))
