"""The order of rows by columns, as SQL has it: NaN above all numbers, NULLs first or last."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.kernels.columns.arrays import Ints, codes_of, one_chunk


def ordered_codes(column: pa.Array | pa.ChunkedArray, *, descends: bool = False, nulls_first: bool = True) -> Ints:
    """Numbers that are ordered as values are, and equal where they are.

    >>> ordered_codes(pa.array([2.0, None, float("nan"), -1.0])).tolist()
    [2, 0, 3, 1]
    """
    values = one_chunk(column)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_nested(values.type):
        return _of_nested(values)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int8())
    empty = np.asarray(values.is_null())
    codes = np.asarray(_ranks(values), np.int64)
    if descends:
        codes = -codes
    codes[empty] = codes.min(initial=0) - 1 if nulls_first else codes.max(initial=0) + 1
    _, dense = np.unique(codes, return_inverse=True)
    return np.asarray(dense, np.int64)


def _ranks(values: pa.Array) -> Ints:
    """Equal values have one number; those of NULLs mean nothing."""
    if pa.types.is_floating(values.type):
        numbers = np.asarray(pc.fill_null(values, 0.0)) + 0.0
        is_nan = np.isnan(numbers)
        _, codes = np.unique(np.where(is_nan, 0.0, numbers), return_inverse=True)
        return np.where(is_nan, len(codes) + 1, codes)
    return np.asarray(pc.rank(values, sort_keys="ascending", tiebreaker="dense"), np.int64)


def _of_nested(values: pa.Array) -> Ints:
    """Lists and structs have some order: that of their texts."""
    texts = [None if value is None else repr(value) for value in values.to_pylist()]
    return ordered_codes(pa.array(texts, pa.string()))


def order_of_rows(columns: Sequence[Ints], rows: int) -> Ints:
    """The place of each row in the order of columns, the first of which counts most; those that are equal stay in order."""
    order = np.lexsort((np.arange(rows), *reversed(columns)))
    places = np.empty(rows, np.int64)
    places[order] = np.arange(rows)
    return places


def peers_of(columns: Sequence[Ints], rows: int) -> Ints:
    """A number for the rows that are equal in all columns."""
    codes, _ = codes_of([pa.array(column) for column in columns], rows)
    return codes
