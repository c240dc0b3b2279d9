"""Row numbers count the rows of each partition, over any cut, and survive being kept."""

from __future__ import annotations

import math
import random
from collections import Counter

import pyarrow as pa
import pytest

from transom.kernels.columns.numbering import Numbering, groups_of
from transom.semantics.keys import key

KEYS = [("u", 1.0), ("u", math.nan), ("v", None), (None, 0.0), (None, -0.0), ("v", 1.0)]


def rows_of(keys: list[tuple[str | None, float | None]]) -> pa.Table:
    return pa.table({"k:p": pa.array([p for p, _ in keys], pa.string()), "k:q": pa.array([q for _, q in keys], pa.float64())})


@pytest.mark.parametrize("columns", [(), ("k:p",), ("k:p", "k:q")])
@pytest.mark.parametrize("seed", range(20))
def test_rows_are_numbered_in_their_partition(seed: int, columns: tuple[str, ...]) -> None:
    r = random.Random(seed)
    seen: Counter[tuple[object, ...]] = Counter()
    numbering = Numbering(columns)
    for _ in range(5):
        keys = r.choices(KEYS, k=r.randint(0, 9))
        table = rows_of(keys)
        expected = []
        for p, q in keys:
            group = tuple(key(value) for value, name in ((p, "k:p"), (q, "k:q")) if name in columns)
            expected.append(seen[group])
            seen[group] += 1
        assert numbering.number(table).tolist() == expected
        kept, numbering = numbering.to_table(), Numbering(columns)
        numbering.from_table(kept)
    everyone = rows_of(KEYS)
    assert numbering.of(everyone).tolist() == [seen[group] for group in groups_of(everyone, columns)]


def test_a_copy_counts_by_itself() -> None:
    numbering = Numbering(("k:p",))
    numbering.number(rows_of(KEYS))
    twin = numbering.copy()
    twin.number(rows_of(KEYS))
    assert numbering.of(rows_of([("u", None)])).tolist() == [2]
    assert twin.of(rows_of([("u", None)])).tolist() == [4]


def test_all_nans_are_one_group() -> None:
    table = rows_of([("u", math.nan), ("u", float("nan"))])
    first, second = groups_of(table, ["k:p", "k:q"])
    assert {first: 1}[second] == 1
    assert groups_of(table, []) == [(), ()]
