"""The state of a join: the tuples of open windows, once; nothing when they have passed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tests.engines.relation_kernels import KernelRelations
from tests.kernels.relations.test_random_queries import STREAMS
from transom.kernels.bucket import Bucket
from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.relations.inputs.inputs import Input
from transom.kernels.relations.operators.join_operator import JoinOperator, JoinRecord
from transom.kernels.slices import Slice
from transom.kernels.spec import WindowedSpec
from transom.kernels.state.store import Memory, opened
from transom.language import bind_script
from transom.reference.history import Arrival
from transom.semantics.windows.every_instant import EveryInstant

SECOND = 1_000_000
KEPT_BYTES = 24
"""Of a tuple as it comes: a key, a value and a timestamp, eight bytes each."""


def record(range_seconds: int) -> JoinRecord:
    schema = pa.schema([("k:0", pa.int64()), ("t:v", pa.int64())])
    spec = WindowedSpec(
        axis=Axis(1), axis_type=pa.int64(), generating=Generating(slack=0), keys=("0",), shard_by=("0",),
        window=EveryInstant(range=range_seconds * SECOND, wattr="t"),
    )  # fmt: skip
    return JoinRecord((Input(spec, schema, spec.window), Input(spec, schema, spec.window)), "inner", ("0",), False)


def slices(about: JoinRecord, keys: np.ndarray, at: np.ndarray) -> list[Slice]:
    made = []
    for number, one in enumerate(about.inputs):
        table = pa.table({"__value": pa.array(at), "k:0": pa.array(keys + number), "t:v": pa.array(keys)})
        for _, piece in Bucket(one.spec, 1).slices(table, ("", 0, number)):
            made.append(Slice(**{**vars(piece), "input": number}))
    return made


def stored(blocks: Memory) -> int:
    return sum(len(block) for block in blocks.blocks.values())


def step(about: JoinRecord, blocks: Memory, keys: np.ndarray, at: np.ndarray) -> int:
    """A micro-batch, with the state stored and read again; how many rows are held."""
    operator = JoinOperator(about)
    operator.load(blocks)
    out = operator.step(slices(about, keys, at), blocks)
    operator.save(blocks)
    return out.held


def test_state_is_the_tuples_of_open_windows_once_and_returns_to_nothing() -> None:
    about, blocks = record(60), Memory()
    held, sizes = [], []
    for second in range(300):
        at = np.full(50, second * SECOND) + np.arange(50)
        held.append(step(about, blocks, np.arange(50) * 2 + 100 * second, at))
        sizes.append(stored(blocks))
    assert max(held) <= 2 * (2 * 50 * 62)  # a block is written anew when half of it has left
    assert max(sizes[150:]) < 1.5 * max(sizes[60:150])
    step(about, blocks, np.array([-2]), np.array([1000 * SECOND]))
    assert step(about, blocks, np.array([-4]), np.array([2000 * SECOND])) <= 4
    assert stored(blocks) < 0.05 * max(sizes)


def test_a_tuple_takes_no_more_than_its_own_bytes() -> None:
    """Its place, when it enters and leaves, and its number are told by those of its neighbours."""
    about, blocks = record(60), Memory()
    keys = 20_000
    for part in range(4):
        chosen = np.arange(part * keys // 4, (part + 1) * keys // 4)
        held = step(about, blocks, chosen * 2, 15 * part * SECOND + np.arange(len(chosen)) * 2_999)
    assert held == 2 * keys
    assert stored(blocks) <= 2 * keys * KEPT_BYTES


@pytest.mark.long
def test_a_million_keys_in_a_minute_take_at_most_their_bytes() -> None:
    about, blocks = record(60), Memory()
    keys = 1_000_000
    for part in range(10):
        chosen = np.arange(part * keys // 10, (part + 1) * keys // 10)
        held = step(about, blocks, chosen * 2, 6 * part * SECOND + np.arange(len(chosen)) * 59)
    assert held == 2 * keys
    assert stored(blocks) <= 2 * keys * KEPT_BYTES


@pytest.mark.parametrize("gives", ["ISTREAM", "RSTREAM"])
def test_instants_of_an_operator_below_are_not_kept_for_ever(gives: str) -> None:
    """One that looks at nothing needs none of them; one that does, those that are still to come."""
    query = f"SELECT {gives} a.k, x, y FROM a [RANGE 6] JOIN b [RANGE 8] ON a.k = b.k;"
    plan = bind_script(STREAMS + query).queries[-1]
    running = KernelRelations().start(plan, {})
    kept = []
    for first in range(0, 200, 20):
        rows = [{"k": "p", "x" if n % 2 == 0 else "y": n, "t": first + n} for n in range(20)]
        running.feed([("ab"[n % 2], Arrival(row)) for n, row in enumerate(rows)])
        _, about = opened(running.top.state[0].blocks["head"])  # type: ignore[attr-defined]
        kept += [len(one["instants"]) for one in about["note"]["inputs"]]
    assert max(kept) <= 20
