"""Blocks of state: what is written is read again, and what belongs to something else is refused."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from transom.errors import CheckpointMismatch
from transom.kernels.state.store import FORMAT, Memory, pack, unpack

TABLE = pa.table({"k": ["a", None], "x": pa.array([1, 2], pa.int32()), "d": pa.array([1.5, float("inf")])})


def test_a_block_is_read_as_it_was_written() -> None:
    table, note = unpack(pack(TABLE, "plan", {"frontier": float("-inf"), "counts": [1, 2]}), "plan")
    assert table.equals(TABLE)
    assert note == {"frontier": float("-inf"), "counts": [1, 2]}


def test_a_block_may_be_empty() -> None:
    assert unpack(pack(TABLE.slice(0, 0), "plan"), "plan")[0].equals(TABLE.slice(0, 0))
    assert unpack(pack(pa.table({}), "plan"), "plan") == (pa.table({}), {})


def test_a_slice_is_written_alone() -> None:
    long = pa.table({"x": list(range(100_000))})
    assert len(pack(long.slice(5, 1), "plan")) < 2000
    assert unpack(pack(long.slice(5, 1), "plan"), "plan")[0]["x"].to_pylist() == [5]


def test_the_block_of_another_query_is_refused() -> None:
    with pytest.raises(CheckpointMismatch) as caught:
        unpack(pack(TABLE, "old"), "new")
    assert "another query" in str(caught.value)
    assert "old" in str(caught.value)


def test_another_number_of_shards_is_told_from_another_query() -> None:
    with pytest.raises(CheckpointMismatch, match="the number of shards is fixed") as caught:
        unpack(pack(TABLE, "plan-3-4"), "plan-5-4")
    assert "to_df(shards=3)" in str(caught.value)
    with pytest.raises(CheckpointMismatch, match="another query"):
        unpack(pack(TABLE, "old-3-4"), "new-5-4")


def test_a_block_in_another_format_is_refused() -> None:
    about = {"format": FORMAT + 1, "plan": "plan", "note": {}}
    table = TABLE.replace_schema_metadata({b"transom": json.dumps(about).encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(CheckpointMismatch) as caught:
        unpack(sink.getvalue().to_pybytes(), "plan")
    assert "format" in str(caught.value)


def test_blocks_in_memory_are_kept_by_name() -> None:
    memory = Memory()
    assert memory.read("head") is None
    memory.write("head", b"1")
    memory.write("head", b"2")
    assert memory.read("head") == b"2"
    memory.remove("head")
    memory.remove("head")
    assert memory.read("head") is None
