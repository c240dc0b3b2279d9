"""What the blocks of a shard say of themselves."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.slices import Slice
from transom.kernels.spec import WindowedSpec
from transom.kernels.state.store import Memory
from transom.kernels.state.summary import summary
from transom.kernels.window_operator import ShardOperator
from transom.semantics.time import Duration
from transom.semantics.windows.session import Session
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window


def state_of(window: Window, seconds: list[int], keys: list[str]) -> dict[str, bytes]:
    """What a shard holds after one micro-batch, in order and with SLACK 2 seconds."""
    spec = WindowedSpec(
        axis=Axis(1),
        axis_type=pa.timestamp("us", "UTC"),
        generating=Generating(slack=2_000_000),
        keys=("k",),
        shard_by=("k",),
        window=window,
        lists_tuples=True,
        tuples=("k",),
        fingerprint="plan-1-1",
    )
    table = pa.table({"__axis": [second * 1_000_000 for second in seconds], "k:k": keys, "t:k": keys})
    operator, blocks = ShardOperator(spec), Memory()
    operator.step([Slice(("", 0, 0), table, highs={"": max(seconds) * 1_000_000})], blocks)
    operator.save(blocks)
    return blocks.blocks


def sliding(**given: Any) -> Sliding:
    return Sliding(range=Duration(10_000_000), slide=Duration(5_000_000), wattr="ts", **given)


def test_a_sliding_window() -> None:
    found = summary(state_of(sliding(), [101, 102, 103, 108], ["a", "a", "b", "a"]))
    assert found is not None
    assert (found.kind, found.keys, found.rows, found.plan) == ("ContextFreeWindow", 2, 4, "plan-1-1")
    assert found.largest == (("a", 3), ("b", 1))
    assert (found.frontier, found.oldest) == ("1970-01-01 00:01:46", "1970-01-01 00:01:41")
    assert found.open_windows == 2  # those that end at 110 and 115
    assert found.size > 0


def test_what_has_left_is_no_longer_there() -> None:
    found = summary(state_of(sliding(), [101, 102, 190], ["a", "a", "b"]))
    assert found is not None
    assert (found.keys, found.rows, found.oldest) == (1, 1, "1970-01-01 00:03:10")


def test_sessions() -> None:
    window = Session(gap=Duration(5_000_000), wattr="ts")
    found = summary(state_of(window, [101, 102, 120, 121], ["a", "a", "a", "b"]))
    assert found is not None
    assert (found.kind, found.open_windows, found.rows) == ("SessionWindow", 1, 2)


def test_nothing_yet() -> None:
    assert summary({}) is None


def test_an_operator_of_the_windowing_library() -> None:
    """Its blocks are its own bytes: how many keys there are, and how large they are, can be said all the same."""
    found = summary({"operator": b"123", "0:a": b"4567", "0:b": b"8"})
    assert found is not None
    assert (found.kind, found.keys, found.rows, found.size, found.plan) == ("AppliedOperator", 2, None, 8, None)
