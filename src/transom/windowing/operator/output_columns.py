"""The columns that an operator gives, `"ticker STRING, vwap DOUBLE"`, and whether a row fits them."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from numbers import Integral, Real
from typing import Any

from transom.errors import BadOperator, UnknownType, nearest
from transom.semantics.sql_type import SqlType

PYTHON: dict[str, tuple[type, ...]] = {
    "STRING": (str,),
    "BOOLEAN": (bool,),
    "TINYINT": (Integral,),
    "SMALLINT": (Integral,),
    "INT": (Integral,),
    "BIGINT": (Integral,),
    "FLOAT": (Real,),
    "DOUBLE": (Real,),
    "DECIMAL": (Decimal, Integral),
    "DATE": (date,),
    "TIMESTAMP": (datetime,),
    "TIMESTAMP_NTZ": (datetime,),
    "BINARY": (bytes, bytearray),
    "ARRAY": (list, tuple),
    "MAP": (dict,),
    "STRUCT": (dict, tuple),
}
"""What a value of each type is in Python. Inside of arrays, maps and structs Spark looks."""

ALSO = {"INTEGER": "INT", "LONG": "BIGINT", "SHORT": "SMALLINT", "BYTE": "TINYINT", "REAL": "FLOAT", "VARCHAR": "STRING"}


@dataclass(frozen=True)
class OutputColumn:
    """A name and a SQL type."""

    name: str
    type: str

    @property
    def base(self) -> str:
        """The type without its parameters."""
        bare = SqlType.of(self.type).name
        return ALSO.get(bare, bare)

    def takes(self, value: Any) -> bool:
        """Whether a value is of this type. NULL is of every type, and True is no number."""
        if value is None:
            return True
        if isinstance(value, bool):
            return self.base == "BOOLEAN"
        if self.base == "DATE" and isinstance(value, datetime):
            return False
        return isinstance(value, PYTHON[self.base])


def columns(text: str) -> tuple[OutputColumn, ...]:
    """Columns as SQL writes them.

    >>> [column.type for column in columns("a INT, b ARRAY<STRUCT<x: INT, y: INT>>, c DECIMAL(10, 2)")]
    ['INT', 'ARRAY<STRUCT<x: INT, y: INT>>', 'DECIMAL(10, 2)']
    """
    found = []
    for part in _parts(text):
        name, _, kind = part.strip().partition(" ")
        column = OutputColumn(name, kind.strip())
        if not name.isidentifier() or name.startswith("_") or not column.type:
            raise BadOperator("this is no column", given=part.strip() or text, remedy='write "ticker STRING, vwap DOUBLE"')
        if column.base not in PYTHON:
            raise UnknownType(
                f"{name} has a type that does not exist", given=kind, exists=PYTHON, remedy=nearest(column.base, PYTHON)
            )
        found.append(column)
    names = [column.name for column in found]
    if len(set(names)) < len(names):
        raise BadOperator("two columns have the same name", given=text, remedy="rename one of them")
    return tuple(found)


def _parts(text: str) -> list[str]:
    """What stands between commas that are in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "(<") - (character in ")>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


@lru_cache(maxsize=256)
def row_type(names: tuple[str, ...]) -> type:
    """A named tuple that can be pickled, though no module knows it."""
    base = namedtuple("Row", names)  # type: ignore[misc]

    class Row(base):
        __slots__ = ()

        def __reduce__(self) -> tuple[Any, ...]:
            return remade, (names, tuple(self))

    return Row


def remade(names: tuple[str, ...], values: Sequence[Any]) -> Any:
    """A row from what it was pickled as."""
    return row_type(names)(*values)
