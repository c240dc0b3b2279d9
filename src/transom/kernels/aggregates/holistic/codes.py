"""Ranks instead of values: equal values have equal codes, and smaller values smaller ones, whatever the type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transom.errors import NotSupported
from transom.kernels.aggregates import lanes
from transom.kernels.aggregates.partial import Field, Places
from transom.kernels.columns.nested import text_of


@dataclass(frozen=True)
class Codes:
    """Code by row, from 0 to size - 1, and by code a row that has it. NULL has the largest code of all, if there is any."""

    code: Places
    row: Places
    array: pa.Array

    @property
    def size(self) -> int:
        return len(self.row)

    def values(self, codes: Places) -> pa.Array:
        """The values that these codes stand for."""
        return self.array.take(pa.array(self.row[codes]))


def codes_of(array: pa.Array) -> Codes:
    """The ranks of the values of a column."""
    code, size = _ranks(array)
    if array.null_count:
        code, size = np.where(lanes.valid(array), code, size), size + 1
    return Codes(code, _some_row(code, size), array)


def tuple_codes(args: Sequence[pa.Array]) -> Places:
    """Codes that are equal where all columns are; NULL is a value like any other."""
    code, size = np.zeros(len(args[0]), np.int64), 1
    for arg in args:
        own = codes_of(arg)
        code, size = code * own.size + own.code, size * max(own.size, 1)
        if size > 2**31:
            code = np.unique(code, return_inverse=True)[1].astype(np.int64)
            size = len(code)
    return code


def _ranks(array: pa.Array) -> tuple[Places, int]:
    if pa.types.is_struct(array.type) or pa.types.is_list(array.type):
        return _ranks(text_of(array))  # equal where the values are: ranks of nested values are asked for by DISTINCT alone
    lane = lanes.lane_of(array.type)
    if lane is None:
        return _ranks_by_dictionary(array)
    values = lanes.filled(array, 0)[0]
    if lane.kind == "f":
        values = values + lane.type(0)  # makes 0.0 of -0.0, to which it is equal
    if lane.kind in "bi":
        span = _narrow(values)
        if span is not None:
            return span
    distinct, code = np.unique(values, return_inverse=True)
    return code.astype(np.int64), len(distinct)


def _narrow(values: Field) -> tuple[Places, int] | None:
    """Integers from a range no wider than there are rows need no sorting."""
    values = values.astype(np.int64)
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    if high - low > 2 * len(values) + 256:
        return None
    there = np.zeros(high - low + 1, np.bool_)
    there[values - low] = True
    return (np.cumsum(there) - 1)[values - low], int(there.sum())


def _ranks_by_dictionary(array: pa.Array) -> tuple[Places, int]:
    try:
        encoded = array.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary).to_numpy()
    except pa.ArrowNotImplementedError:
        raise NotSupported(
            "values of this type cannot be compared", given=array.type, remedy="aggregate one of its fields instead"
        ) from None
    rank = np.zeros(len(order) + 1, np.int64)
    rank[order.astype(np.int64)] = np.arange(len(order))
    return rank[encoded.indices.fill_null(len(order)).to_numpy()], len(order)


def _some_row(code: Places, size: int) -> Places:
    row = np.zeros(size, np.int64)
    row[code[::-1]] = np.arange(len(code))[::-1]
    return row


def previous(code: Places) -> Places:
    """For each row the last one before it with the same code, or -1."""
    order = np.argsort(code, kind="stable")
    same = code[order[1:]] == code[order[:-1]]
    before = np.full(len(code), -1, np.int64)
    before[order[1:][same]] = order[:-1][same]
    return before
