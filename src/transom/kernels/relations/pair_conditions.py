"""Conditions on pairs of rows beyond equal keys: what Spark has computed of each row is compared, in SQL's three-valued logic.

Rows that meet nobody are known only when all conditions of a match are, so an outer join cannot leave them to a filter above it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from transom.kernels.columns.arrays import Bools, flags, one_chunk


@dataclass(frozen=True)
class Compared:
    """A comparison of a column of the left row with the column of that name of the right one."""

    operator: str
    column: str


@dataclass(frozen=True)
class OfOne:
    """A condition on one of the rows, which is a column of its own."""

    right: bool
    column: str


@dataclass(frozen=True)
class Combined:
    """AND, OR or NOT."""

    operator: str
    parts: tuple[PairCondition, ...]


PairCondition = Compared | OfOne | Combined


def holds(condition: PairCondition, left: pa.Table, right: pa.Table) -> Bools:
    """For which pairs of rows, side by side in two tables, a condition is true."""
    return flags(_truth(condition, left, right))


def columns_of(condition: PairCondition) -> tuple[set[str], set[str]]:
    """The columns of the left row, and of the right one, that a condition needs."""
    if isinstance(condition, Compared):
        return {condition.column}, {condition.column}
    if isinstance(condition, OfOne):
        return (set(), {condition.column}) if condition.right else ({condition.column}, set())
    found = [columns_of(part) for part in condition.parts]
    return set().union(*(own for own, _ in found)), set().union(*(own for _, own in found))


def _truth(condition: PairCondition, left: pa.Table, right: pa.Table) -> pa.Array:
    if isinstance(condition, OfOne):
        return one_chunk((right if condition.right else left)[condition.column])
    if isinstance(condition, Compared):
        return _compared(condition.operator, one_chunk(left[condition.column]), one_chunk(right[condition.column]))
    parts = [_truth(part, left, right) for part in condition.parts]
    if condition.operator == "NOT":
        return pc.invert(parts[0])
    return reduce(pc.and_kleene if condition.operator == "AND" else pc.or_kleene, parts)


def _compared(operator: str, one: pa.Array, other: pa.Array) -> pa.Array:
    one, other = (each.dictionary_decode() if pa.types.is_dictionary(each.type) else each for each in (one, other))
    if operator in SWAPPED:
        return _compared(SWAPPED[operator], other, one)
    if operator == "<=>":
        same = pc.fill_null(_equal(one, other), False)
        return pc.or_(same, pc.and_(pc.is_null(one), pc.is_null(other)))
    if operator in ("<>", ">="):
        return pc.invert(_equal(one, other) if operator == "<>" else _less(one, other))
    return (_equal if operator == "=" else _less)(one, other)


SWAPPED: Mapping[str, str] = {">": "<", "<=": ">="}


def _equal(one: pa.Array, other: pa.Array) -> pa.Array:
    return _with_nan(pc.equal, pc.and_, one, other)


def _less(one: pa.Array, other: pa.Array) -> pa.Array:
    return _with_nan(pc.less, lambda mine, theirs: pc.and_(pc.invert(mine), theirs), one, other)


def _with_nan(plain: Callable[..., Any], of_nan: Callable[..., Any], one: pa.Array, other: pa.Array) -> pa.Array:
    """In SQL NaN equals itself and is above every number."""
    found = plain(one, other)
    if pa.types.is_floating(one.type) and pa.types.is_floating(other.type):
        return pc.or_(found, of_nan(pc.is_nan(one), pc.is_nan(other)))
    return found
