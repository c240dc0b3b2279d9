"""Containers that go on with another number of shards after each micro-batch: each partition gives what it gave undisturbed."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from tests.applied.extents import columns_in, outputs, stage_of
from tests.applied.extents import spec_of as extents_spec
from tests.applied.harness import kernel_rows
from tests.applied.test_kernels_are_containers import Teller, arriving, batches_of, by_partition, in_container, spec_of
from tests.applied.test_two_inputs import NAMES, PAIRS, join, tables
from tests.applied.test_two_inputs import WINDOWS as JOINED
from tests.applied.test_windows_on_the_clock import BOUNDS, INSTANT, columns_of, specs_of
from tests.applied.test_windows_with_policies import BOUNDS as POSITIONS
from tests.applied.test_windows_with_policies import CALLS, QUERY
from tests.windowing.configurations import everything, history
from transom.errors import CheckpointDamaged, CheckpointMismatch, NotSupported
from transom.kernels.applied.applied_operator import container_operator
from transom.kernels.applied.applied_spec import AppliedSpec, InputSpec
from transom.kernels.applied.port_slices import slices_of_chunk
from transom.kernels.columns.sharding import shards_of
from transom.kernels.state.rescaling.container_state import owners_of
from transom.kernels.state.rescaling.rescale_shards import merge, rescaled, state_of
from transom.kernels.state.store import Memory
from transom.windowing import Operator, Output, Port

SPREAD = {name: window for name, window in everything().items() if window.keys and window.limit is None}


def numbers(seed: int) -> Iterator[int]:
    random_ = random.Random(seed)
    while True:
        yield random_.choice((1, 2, 3, 5, 8))


@pytest.mark.parametrize("name", SPREAD)
def test_operators_give_the_same_events_in_each_partition(name: str) -> None:
    for seed in range(2):
        batches = batches_of(history(seed, 80), seed)
        expected = in_container(SPREAD[name], batches, Teller())
        found = kernel_rows(spec_of(SPREAD[name]), arriving(batches), 2, numbers(seed))
        assert expected
        assert by_partition(found) == by_partition(expected)


@pytest.mark.parametrize("name", [name for name in SPREAD if "punct" not in name])
def test_windows_with_policies_give_the_same_extents(name: str) -> None:
    stage = stage_of(QUERY.format(keys="k, ", window=SPREAD[name]))
    output = {**outputs(stage, ("k",), *CALLS), **POSITIONS, "wid": pa.int64()}
    spec, sources = extents_spec(stage, output)
    for seed in (3, 4):
        batches = batches_of([item for item in history(seed, 80) if item[0] != "punct"], seed)
        arrived = [[columns_in(table, sources) for table in each] for each in arriving(batches)]
        calm = kernel_rows(spec, arrived, 1)
        assert calm
        assert sorted(map(repr, kernel_rows(spec, arrived, 3, numbers(seed)))) == sorted(map(repr, calm))


@pytest.mark.parametrize("window", ["TUMBLING delta(a, 3)", "TUMBLING delta(a, 1)"])
def test_windows_that_a_delta_cuts(window: str) -> None:
    stage = stage_of(f"SELECT k, count(*) AS n, sum(id) AS total, max(id) AS hi FROM s [{window} PARTITIONED BY (k)]")
    spec, sources = extents_spec(stage, outputs(stage, ("k",), *CALLS))
    for seed in range(3):
        batches = batches_of([item for item in history(seed, 80) if item[0] != "punct"], seed)
        arrived = [[columns_in(table, sources) for table in each] for each in arriving(batches)]
        calm = kernel_rows(spec, arrived, 1)
        assert calm
        assert sorted(map(repr, kernel_rows(spec, arrived, 2, numbers(seed)))) == sorted(map(repr, calm))


CLOCK = [f"TUMBLING time({p} MICROSECONDS) PARTITIONED BY (k)" for p in (1, 3, 6)] + [
    f"SLIDING time({p} MICROSECONDS), time({q} MICROSECONDS) PARTITIONED BY (k)" for p, q in ((2, 1), (6, 4), (10, 3), (2, 5))
]


@pytest.mark.parametrize("window", CLOCK)
@pytest.mark.parametrize("beside", [BOUNDS, {"event_ts": INSTANT}], ids=["positions", "instants"])
def test_windows_on_the_clock(window: str, beside: dict[str, pa.DataType]) -> None:
    selected = ", ".join(["k", "count(*) AS n", "sum(id) AS total", "min(a) AS lo", *beside])
    adding, _ = specs_of(f"SELECT {selected} FROM s [{window}]", ("k",), beside)
    for seed in range(2):
        batches = arriving(batches_of([item for item in history(seed, 100) if item[0] != "punct"], seed))
        arrived = [[columns_of(table, adding) for table in each] for each in batches]
        calm = kernel_rows(adding, arrived, 1)
        assert calm
        assert sorted(map(repr, kernel_rows(adding, arrived, 3, numbers(seed)))) == sorted(map(repr, calm))


@pytest.mark.parametrize("kind", ["inner", "outer"])
def test_operators_with_two_ports(kind: str) -> None:
    left, right = (one.partitioned_by("k") for one in JOINED["both"])
    inputs = (InputSpec("left", left, NAMES), InputSpec("right", right, NAMES))
    spec = AppliedSpec(inputs, operator=join(kind), output="matched", schema=PAIRS)
    for seed in range(4):
        batches = tables(seed)
        assert sorted(kernel_rows(spec, batches, 2, numbers(seed))) == sorted(kernel_rows(spec, batches, 1))


INSTANTS = [datetime(2026, 1, 1), None, datetime(1960, 5, 6, 7, 8, 9, 10)]
KEYS: dict[str, pa.Array] = {
    "numbers": pa.array([1, -5, None, 2**40, 0], pa.int64()),
    "small numbers": pa.array([1, -5, 7, 2, 0], pa.int32()),
    "texts": pa.array(["a", "", None, "é", "a'b"]),
    "doubles": pa.array([0.0, -0.0, float("nan"), None, 1.5]),
    "floats": pa.array([0.1, -0.0, float("nan"), None, 1.5], pa.float32()),
    "decimals": pa.array([Decimal("1.50"), None, Decimal("-2.25"), Decimal("0.00"), Decimal("10.10")], pa.decimal128(10, 2)),
    "instants": pa.array(INSTANTS, pa.timestamp("us", "UTC")),
    "local instants": pa.array(INSTANTS, pa.timestamp("us")),
    "dates": pa.array([date(2026, 1, 1), None, date(1960, 5, 6)] * 2),
    "bytes": pa.array([b"a", b"", None, b"\x00"]),
    "flags": pa.array([True, False, None]),
    "nothing": pa.array([None, None], pa.string()),
}  # fmt: skip


@pytest.mark.parametrize("name", KEYS)
def test_a_partition_is_where_bucket_sends_its_tuples(name: str) -> None:
    """Its key is a value of Python there, and a column here."""
    column = KEYS[name]
    for shards in (2, 7):
        assert owners_of(column.to_pylist(), shards) == shards_of([column], len(column), shards).tolist()
        both = list(zip(column.to_pylist(), column.to_pylist(), strict=True))
        assert owners_of(both, shards) == shards_of([column, column], len(column), shards).tolist()


class Remembering(Operator):
    """Keeps a number for all partitions together."""

    takes = Port()
    gives = Output("n BIGINT", punctuation="free")

    def after_insertion(self, window: object, partition: object, t: object) -> None:
        self.state["n"] = self.state.get("n", 0) + 1
        self.emit(self.state["n"])


def state(spec: AppliedSpec) -> dict[str, bytes]:
    """What one shard keeps after some tuples."""
    blocks = Memory()
    table = arriving([(5, [{"id": n, "k": "xyz"[n % 3], "a": float(n), "b": 1.0} for n in range(7)])])[0][0]
    table = table.append_column("__keep", pa.array([True] * table.num_rows))
    container_operator(spec).step([piece for _, piece in slices_of_chunk(table, spec.inputs[0], 0, 1, 0, 0)], blocks)
    return blocks.blocks


def test_what_is_kept_for_all_partitions_is_refused() -> None:
    window = SPREAD["tumbling count, unlimited"]
    inputs = (InputSpec("in", window, ("id", "k", "a", "b")),)
    spec = AppliedSpec(inputs, operator=Remembering(), output="out", schema=pa.schema([("n", pa.int64())]), fingerprint="p-1")
    kept = state(spec)
    with pytest.raises(NotSupported, match=r"Remembering keeps self\.state"):
        rescaled([kept], 3)
    assert state_of(rescaled([kept], 1, "p-1")[0]).plan == "p-1"


def test_limits() -> None:
    """One that holds over all partitions keeps them in one shard; one that each shard holds by itself is refused."""
    window = everything()["tumbling count, lru-partitions"]
    alone = AppliedSpec(
        (InputSpec("in", window, ("id", "k", "a", "b")),),
        operator=Teller(), output="out", schema=spec_of(window).schema, fingerprint="p-1", alone="the limit",
    )  # fmt: skip
    (same,) = rescaled([state(alone)], 5, "p-1")
    assert state_of(same).plan == "p-1"
    with pytest.raises(NotSupported, match="limit on partitions"):
        rescaled([state(spec_of(window))], 5)


def test_counts_are_those_of_all_shards() -> None:
    kept = state(spec_of(SPREAD["sliding delta count, unlimited"]))
    before = state_of(kept).counts  # type: ignore[attr-defined]
    parts = [state_of(part) for part in rescaled([kept], 3)]
    assert {name: sum(part.counts[name] for part in parts) for name in before} == before  # type: ignore[attr-defined]
    assert before["held"] > 0
    assert all(part.counts["held"] >= 0 for part in parts)  # type: ignore[attr-defined]


def test_state_that_does_not_say_how_it_is_spread() -> None:
    kept = state(spec_of(SPREAD["tumbling count, unlimited"]))
    head: Any = list(pickle.loads(kept["operator"]))
    head[-1] = {name: value for name, value in head[-1].items() if name != "about"}
    with pytest.raises(CheckpointMismatch, match="earlier format") as caught:
        rescaled([{**kept, "operator": pickle.dumps(tuple(head))}], 3)
    assert "micro-batch" in str(caught.value)
    with pytest.raises(CheckpointDamaged, match="cannot be read"):
        rescaled([{**kept, "operator": kept["operator"][:20]}], 3)
    with pytest.raises(CheckpointDamaged, match="cannot be read"):
        merge([{"operator": b"123"}])
