"""Late tuples of a query of several operators: those of one operator go through the operators above it, and come out there.

A late tuple is a struct of its columns and the frontier that excluded it, in a column of its own for each stream that the query
reads. Rows with such a column are no tuples of the operator that they go through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from transom.column_names import FRONTIER, LATE_TUPLE, LISTED
from transom.kernels.columns.arrays import Bools, one_chunk, take

_NUMBERED = re.compile(rf"{LATE_TUPLE}\d+")


def late_column(number: int) -> str:
    """The column of the late tuples of a stream, by its number."""
    return f"{LATE_TUPLE}{number}"


def late_columns(names: Iterable[str]) -> list[str]:
    """Which columns hold late tuples."""
    return [name for name in names if _NUMBERED.fullmatch(name)]


def late_type(types: Sequence[tuple[str, pa.DataType]], frontier: pa.DataType) -> pa.DataType:
    """The type of late tuples, given the columns that go into an operator."""
    own = [(name.removeprefix(LISTED), kind) for name, kind in types if name.startswith(LISTED)]
    return pa.struct([*own, (FRONTIER, frontier)])


def as_late(table: pa.Table, frontier: pa.Array, number: int) -> pa.Table:
    """Tuples with their columns `l:..` as late ones."""
    columns = {name.removeprefix(LISTED): _plain(one_chunk(table[name])) for name in table.column_names}
    fields = [pa.field(name, values.type) for name, values in columns.items()]
    made = pa.StructArray.from_arrays([*columns.values(), frontier], fields=[*fields, pa.field(FRONTIER, frontier.type)])
    return pa.table({late_column(number): made})


def _plain(values: pa.Array) -> pa.Array:
    """Values themselves: repeated ones may have come as numbers of a dictionary."""
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def parted(table: pa.Table) -> tuple[pa.Table, pa.Table | None]:
    """The rows that an operator takes, and the late tuples of operators below it, if there are any."""
    names = late_columns(table.column_names)
    if not names:
        return table, None
    are: Bools = np.zeros(table.num_rows, bool)
    for name in names:
        are |= np.asarray(one_chunk(table[name]).is_valid())
    late = take(table.select(names), are) if are.any() else None
    return take(table.drop_columns(names), ~are), late


def all_late(own: Iterable[pa.Table | None], passed: Iterable[pa.Table | None]) -> pa.Table | None:
    """An operator's own late tuples and those that pass through it."""
    tables = [table for table in (*passed, *own) if table is not None and table.num_rows]
    return pa.concat_tables(tables, promote_options="default") if tables else None
