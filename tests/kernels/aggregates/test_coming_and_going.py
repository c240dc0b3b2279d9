"""Aggregates over rows that come and go, against the rows that are there, written out."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.aggregates import Call, aggregate
from transom.kernels.aggregates.coming_and_going import aggregate_of_stays
from transom.kernels.relations.groups import Looks, extents_of, looks_at_changes

SIZE = 80

ARGS = {
    "integers": lambda rng: pa.array(rng.integers(-(2**40), 2**40, SIZE)),
    "integers and NULLs": lambda rng: pa.array([None if rng.random() < 0.3 else int(rng.integers(0, 9)) for _ in range(SIZE)]),
    "doubles": lambda rng: pa.array(rng.normal(size=SIZE) * 1e3),
    "decimals": lambda rng: pa.array([Decimal(int(x)) / 100 for x in rng.integers(0, 10**6, SIZE)], pa.decimal128(12, 2)),
    "conditions": lambda rng: pa.array(rng.random(SIZE) < 0.5),
}


def looks(rng: np.random.Generator) -> Looks:
    since = rng.integers(0, 40, SIZE)
    return looks_at_changes(rng.integers(0, 4, SIZE), since, since + rng.integers(0, 15, SIZE), 5, 35)


def both(call: Call, given: list[pa.Array], found: Looks) -> tuple[pa.Array | None, pa.Array]:
    row = pa.array(found.row)
    extents = extents_of(found)
    rows = pa.array(extents.rows)
    fast = aggregate_of_stays(call, [arg.take(row) for arg in given], found.stays)
    return fast, aggregate(call, [arg.take(rows) for arg in given], extents.start, extents.end)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("function", "kind"),
    [
        *((function, kind) for function in ("sum", "avg", "min", "max", "count") for kind in list(ARGS)[:4]),
        *((function, "conditions") for function in ("bool_and", "bool_or", "count_if")),
    ],
)
def test_values_are_those_of_the_rows_that_are_there(function: str, kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = looks(rng)
    fast, slow = both(Call(function), [ARGS[kind](rng)], found)
    assert fast is not None
    if pa.types.is_floating(fast.type):
        one, other = (values.to_numpy(zero_copy_only=False) for values in (fast, slow))
        assert one == pytest.approx(other, rel=1e-12, nan_ok=True)
    else:
        assert fast.cast(slow.type).to_pylist() == slow.to_pylist()


def test_rows_are_counted_without_a_column() -> None:
    found = looks(np.random.default_rng(7))
    extents = extents_of(found)
    counted = aggregate_of_stays(Call("count"), [], found.stays)
    assert counted is not None
    assert counted.to_pylist() == (extents.end - extents.start).tolist() == found.stays.counts().tolist()


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (Call("collect_list"), pa.array(range(SIZE))),
        (Call("count", distinct=True), pa.array(range(SIZE))),
        (Call("first"), pa.array(range(SIZE))),
        (Call("min"), pa.array([str(n) for n in range(SIZE)])),
        (Call("sum"), pa.array([float("nan"), *map(float, range(SIZE - 1))])),
        (Call("sum"), pa.array([None, *map(float, range(SIZE - 1))])),
    ],
)
def test_the_rest_looks_at_rows(call: Call, given: Any) -> None:
    found = looks(np.random.default_rng(3))
    assert aggregate_of_stays(call, [given.take(pa.array(found.row))], found.stays) is None


def test_a_sum_that_has_lost_its_rows_leaves_nothing_behind() -> None:
    """1e15 comes and goes; what stays is exact."""
    zero = np.zeros(3, np.int64)
    found = looks_at_changes(zero, np.array([0, 1, 2]), np.array([9, 3, 9]), 0, 9)
    fast, _ = both(Call("sum"), [pa.array([0.1, 1e15, 0.2])], found)
    assert fast is not None
    assert fast.to_pylist()[-1] == pytest.approx(0.3, abs=1e-16)
