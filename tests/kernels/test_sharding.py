"""A key is in one shard, however its column was cut and whatever stood beside it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from transom.kernels.columns.sharding import shards_of


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=50), st.integers(1, 9))
def test_integers_with_and_without_nulls(values: list[int | None], shards: int) -> None:
    whole = shards_of([pa.array(values, pa.int64())], len(values), shards)
    alone = [int(shards_of([pa.array([value], pa.int64())], 1, shards)[0]) for value in values]
    assert whole.tolist() == alone
    assert set(alone) <= set(range(shards))


@given(st.lists(st.tuples(st.text(), st.one_of(st.none(), st.floats(allow_nan=False))), min_size=1, max_size=30))
def test_several_columns(keys: list[tuple[str, float | None]]) -> None:
    columns = [pa.array([key[0] for key in keys]), pa.array([key[1] for key in keys], pa.float64())]
    whole = shards_of(columns, len(keys), 4)
    for row, _ in enumerate(keys):
        part = [column.slice(row, 1) for column in columns]
        assert shards_of(part, 1, 4)[0] == whole[row]


def test_both_zeros_are_one_key() -> None:
    shards = shards_of([pa.array([0.0, -0.0])], 2, 64)
    assert shards[0] == shards[1]


def test_neighbours_are_spread() -> None:
    counts = np.bincount(shards_of([pa.array(np.arange(10_000))], 10_000, 8), minlength=8)
    assert counts.min() > 1_000
