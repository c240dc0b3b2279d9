"""Operators with two inputs: what comes out is what the same run gives in Python, whatever the cut, and across shards."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from tests.applied.harness import kernel_rows
from transom.kernels.applied.applied_spec import AppliedSpec, InputSpec
from transom.kernels.applied.tuple_maker import TupleMaker
from transom.windowing import ByTicks, OperatorRun, count, delta, sliding
from transom.windowing.toolkit import Join, OuterJoin

NAMES = ("k", "n")
PAIRS = pa.schema([("a", pa.int64()), ("b", pa.int64())])
WINDOWS = {
    "one-sided": (sliding(count(3), count(1)), sliding(count(0), count(1))),
    "both": (sliding(count(3), count(1)), sliding(delta("n", 6), count(1))),
}


def join(kind: str) -> Join:
    gives = "a BIGINT, b BIGINT"
    made = OuterJoin if kind == "outer" else Join
    return made(gives, match=lambda x, y: (x.n + y.n) % 2 == 0, pair=lambda x, y: (x.n, y.n))


def tables(seed: int) -> list[list[pa.Table]]:
    """Micro-batches, each with the tuples of both ports."""
    random_ = random.Random(seed)
    number, found = 0, []
    for _ in range(8):
        batch = []
        for _ in range(2):
            rows = [{"k": random_.choice("xyz"), "n": (number := number + 1)} for _ in range(random_.choice((0, 1, 4)))]
            batch.append(pa.Table.from_pylist(rows, schema=pa.schema([("k", pa.string()), ("n", pa.int64())])))
        found.append(batch)
    return found


@pytest.mark.parametrize("kind", ["inner", "outer"])
@pytest.mark.parametrize("partitioned", [False, True])
@pytest.mark.parametrize("name", WINDOWS)
def test_the_first_port_comes_first_in_a_micro_batch(name: str, partitioned: bool, kind: str) -> None:
    left, right = (one.partitioned_by("k") if partitioned else one for one in WINDOWS[name])
    if kind == "outer" and name == "one-sided":
        return  # an outer join keeps what is unmatched
    batches = tables(3)
    alone = OperatorRun(join(kind), {"left": left, "right": right}, clock=ByTicks())
    make = TupleMaker(NAMES)
    for batch in batches:
        for port, table in zip(("left", "right"), batch, strict=True):
            alone.extend(make(table), port)
    outputs = ("matched", "left", "right") if kind == "outer" else ("matched",)
    for output in outputs:
        expected = [tuple(row) for row in alone.rows(output)]
        schema = PAIRS if output == "matched" else pa.schema([("k", pa.string()), ("n", pa.int64())])
        inputs = (InputSpec("left", left, NAMES), InputSpec("right", right, NAMES))
        for shards in (1, 3) if partitioned else (1,):
            spec = AppliedSpec(inputs, operator=join(kind), output=output, schema=schema, spread=shards > 1)
            found = kernel_rows(spec, batches, shards)
            assert found == expected if shards == 1 else sorted(found) == sorted(expected)
            assert found or output != "matched"


def test_ports_of_one_source_take_its_tuples_in_their_order() -> None:
    """Both ports read the same ten rows; whatever the cut, each row comes to the left and then to the right."""
    rows = pa.table({"k": ["x"] * 10, "n": list(range(10))})
    window = sliding(count(3), count(1))
    alone = OperatorRun(join("inner"), {"left": window, "right": window}, clock=ByTicks())
    for t in TupleMaker(NAMES)(rows):
        alone.insert(t, "left")
        alone.insert(t, "right")
    expected = [tuple(row) for row in alone.rows("matched")]
    assert expected
    inputs = (InputSpec("left", window, NAMES), InputSpec("right", window, NAMES))
    spec = AppliedSpec(inputs, operator=join("inner"), output="matched", schema=PAIRS, ordered=True)
    for cuts in ((10,), (1,) * 10, (3, 5, 2)):
        batches, start = [], 0
        for length in cuts:
            batches.append([rows.slice(start, length)] * 2)
            start += length
        assert kernel_rows(spec, batches, 1) == expected
