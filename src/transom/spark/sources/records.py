"""From lines to record batches: in bulk where Arrow takes them, one by one where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from transom.spark.sources.lines import Lines
from transom.spark.sources.malformed import Malformed
from transom.spark.sources.options import ReadOptions
from transom.spark.sources.times import NotInBulk, is_time, times

FEW = 64
"""So many records are looked at one by one; more are halved first."""

NOT_READ = (pa.ArrowException, NotInBulk, UnicodeDecodeError, ValueError)


class Parser(Protocol):
    """A text format."""

    columns: pa.Schema

    def bulk(self, lines: Lines) -> list[pa.Array]:
        """The columns of all lines, one row for each; an error if one of them is not plain."""
        ...

    def each(self, lines: Lines) -> Iterator[list[Any] | str]:
        """The values of each record, or the reason why it has none."""
        ...


@dataclass
class Parsed:
    """Columns, the line numbers of their rows, and what is malformed."""

    columns: list[pa.Array]
    numbers: pa.Array
    malformed: list[Malformed] = field(default_factory=list)


def parse(parser: Parser, lines: Lines) -> Iterator[Parsed]:
    """Every record of the lines, in order.

    A bad record spoils the block that Arrow reads it in. Halving finds it in logarithmically many attempts, and its
    neighbours are still read in bulk.
    """
    if not len(lines):
        return
    try:
        columns = parser.bulk(lines)
    except NOT_READ:
        if len(lines) <= FEW:
            yield one_by_one(parser, lines)
            return
        middle = len(lines) // 2
        yield from parse(parser, lines[:middle])
        yield from parse(parser, lines[middle:])
        return
    yield Parsed(columns, pa.array(lines.numbers))


def typed(column: pa.Array, kind: pa.DataType, options: ReadOptions) -> pa.Array:
    """A column as Arrow's readers leave it, in its own type."""
    if is_time(kind):
        return times(column, kind, options)
    if pa.types.is_decimal(kind):
        column.validate(full=True)  # the readers let digits through that the precision has no room for
    return column


def one_by_one(parser: Parser, lines: Lines) -> Parsed:
    rows, numbers, malformed = [], [], []
    for (number, record), values in zip(lines.records(), parser.each(lines), strict=True):
        if not record.strip():
            continue
        if isinstance(values, str):
            malformed.append(Malformed(number, values, record))
        else:
            rows.append(values)
            numbers.append(number)
    return rows_of(parser.columns, rows, numbers, malformed)


def rows_of(columns: pa.Schema, rows: list[list[Any]], numbers: list[int], malformed: list[Malformed]) -> Parsed:
    arrays = [pa.array([row[index] for row in rows], field.type) for index, field in enumerate(columns)]
    return Parsed(arrays, pa.array(np.array(numbers, dtype=np.int64)), malformed)
