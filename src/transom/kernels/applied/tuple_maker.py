"""Columns as the tuples that handlers see: named tuples, or dictionaries where names are not those of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from keyword import iskeyword
from typing import Any

import pyarrow as pa

from transom.kernels.columns.arrays import one_chunk
from transom.windowing.operator.output_columns import row_type


class TupleMaker:
    """Makes the tuples of one input.

    >>> TupleMaker(["id", "x"])(pa.table({"id": [1, 2], "x": [0.5, None]}))
    [Row(id=1, x=0.5), Row(id=2, x=None)]
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        plain = all(name.isidentifier() and not iskeyword(name) and not name.startswith("_") for name in names)
        self._make: Callable[[tuple[Any, ...]], Any] | None = row_type(tuple(names))._make if plain else None  # type: ignore[attr-defined]

    def __call__(self, table: pa.Table) -> list[Any]:
        values = zip(*(one_chunk(table[name]).to_pylist() for name in self._names), strict=True)
        if self._make is None:
            return [dict(zip(self._names, one, strict=True)) for one in values]
        return list(map(self._make, values))
