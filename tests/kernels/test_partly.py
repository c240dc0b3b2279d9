"""Windows that a record came too late for: what is left of them."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from transom.kernels.aggregates import Call, algebra_of
from transom.kernels.extents.closing import Extents
from transom.kernels.results import as_lifted, column, lifted_name
from transom.kernels.windows.partly import partly

SUM = algebra_of(Call("sum"), [pa.int64()])


def partials(values: list[int], enter: list[int]) -> pa.Table:
    assert SUM is not None
    fields = SUM.lift([pa.array(values, pa.int64())])
    return pa.table({"enter": enter, **{lifted_name(0, n): as_lifted(field) for n, field in enumerate(fields)}})


def extents(*bounds: tuple[int, int, int]) -> Extents:
    """Of one key: window, first and last row."""
    wid, start, end = (np.array(each, np.int64) for each in zip(*bounds, strict=True))
    return Extents(np.zeros(len(wid), np.int64), wid, start, end)


def sums(table: pa.Table, found: Extents) -> list[int]:
    assert SUM is not None
    fields = tuple(column(table, lifted_name(0, n)).to_numpy(zero_copy_only=False) for n in range(len(SUM.identity(0))))
    return list(SUM.lower(SUM.slices(fields, found.start, found.end)).to_pylist())


@pytest.mark.parametrize("seed", range(40))
def test_what_is_left_is_what_entered(seed: int) -> None:
    assert SUM is not None
    r = random.Random(seed)
    values, enter = [r.randint(1, 99) for _ in range(12)], [r.choice([0, 0, 0, 2, 4]) for _ in range(12)]
    found = extents(*((w, w, w + r.randint(1, 6)) for w in range(6)))
    late = [
        [n for n in range(start, end) if enter[n] > w] for w, start, end in zip(found.wid, found.start, found.end, strict=True)
    ]
    cut = np.array([rows[0] if rows else end for rows, end in zip(late, found.end, strict=True)])
    expected = {
        w: sum(values[n] for n in range(start, end) if enter[n] <= w)
        for w, start, end in zip(found.wid.tolist(), found.start, found.end, strict=True)
        if any(enter[n] <= w for n in range(start, end))
    }
    for parts in ([SUM], []):
        table, rest = partly(partials(values, enter), found, cut, np.array(enter), parts)
        assert dict(zip(rest.wid.tolist(), sums(table, rest), strict=True)) == expected


def test_of_partials_no_more_is_written_out_the_longer_windows_are() -> None:
    assert SUM is not None
    written = []
    for length in (10, 1_000):
        enter = [0] * length
        enter[-3] = 5
        found = extents((1, 0, length), (2, 0, length))
        table, rest = partly(partials([1] * length, enter), found, np.full(2, length - 3), np.array(enter), [SUM])
        assert sums(table, rest) == [length - 1] * 2
        written.append(table.num_rows)
    assert written == [6, 6]
