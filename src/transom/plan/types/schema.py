"""Columns, their Spark types, and what each type can be windowed by."""

from __future__ import annotations

from dataclasses import dataclass

from transom.column_names import ARRIVAL_TS, ROW_NUM
from transom.errors import BadQuery, NotOrdered, UnknownColumn, nearest
from transom.semantics.length import Unit
from transom.semantics.sql_type import SqlType

TIME_TYPES = ("TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "DATE")
INTEGER_TYPES = ("TINYINT", "SMALLINT", "INT", "BIGINT")
NUMBER_TYPES = (*INTEGER_TYPES, "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Column:
    """A column: its name, and its type as Spark SQL writes it."""

    name: str
    type: str


IMPLICIT = (Column(ROW_NUM, "BIGINT"), Column(ARRIVAL_TS, "TIMESTAMP"))


@dataclass(frozen=True, repr=False)
class Schema:
    """The columns of a relation, in order. `hidden` ones can be named but are not part of `*`."""

    columns: tuple[Column, ...]
    hidden: tuple[Column, ...] = ()

    def __str__(self) -> str:
        return ", ".join(f"{column.name} {column.type}" for column in self.columns)

    def __repr__(self) -> str:
        return f"<Schema {self}>"

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def find(self, name: str, of: str = "the relation") -> Column:
        """The column of a name, in any case, as in Spark."""
        known = [*self.columns, *self.hidden]
        for column in known:
            if column.name.lower() == name.lower():
                return column
        names = [column.name for column in known]
        qualified = [given for given in names if given.lower().endswith(f".{name.lower()}")]
        if len(qualified) > 1:
            raise BadQuery(f"two relations have a column {name!r}", given=name, remedy=f"write which: {qualified[0]}")
        raise UnknownColumn(f"{of} has no column {name!r}", given=name, exists=names, remedy=nearest(name, names))


def unit_of_type(column: Column) -> Unit:
    """What a windowing attribute of this type is measured in."""
    base = SqlType.of(column.type).name
    if base in TIME_TYPES:
        return Unit.TIME
    if base in NUMBER_TYPES:
        return Unit.NUMBER
    raise NotOrdered(
        f"column {column.name!r} is a {column.type}, which has no order to window on",
        given=column.name,
        remedy="name a timestamp, a date or a number",
    )
