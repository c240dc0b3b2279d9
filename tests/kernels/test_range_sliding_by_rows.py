"""A frame in time at every n-th tuple of the partition, with built-in aggregates: kernels against the reference."""

from __future__ import annotations

import random

import pytest

import transom as tr
from tests.engines.kernels import KernelEngine
from tests.kernels.test_sequential import STREAM, items, run
from transom.explain import explain
from transom.plan.nodes.windowed import Frames
from transom.reference.evaluate import evaluate
from transom.reference.of_plan import lower
from transom.semantics.length import Rows
from transom.semantics.time import seconds
from transom.testing.compare import difference

FRAMES = [
    "sum(x) OVER (PARTITION BY k RANGE 7 PRECEDING SLIDE 3 ROWS)",
    "max(x) OVER (PARTITION BY k RANGE 2 PRECEDING SLIDE 5 ROWS)",
    "count(DISTINCT x) OVER (RANGE 4 PRECEDING SLIDE 2 ROWS)",
    "min(x) OVER (PARTITION BY k RANGE 5 PRECEDING SLIDE 2 ROWS), sum(x) OVER (PARTITION BY k ROWS 1 PRECEDING SLIDE 2 ROWS)",
]


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
@pytest.mark.parametrize("seed", range(4))
def test_the_kernels_agree_with_the_reference(frame: str, seed: int) -> None:
    query, stream = lower(tr.sql(f"{STREAM} SELECT k, t, {frame} AS z FROM s;").plan)
    given = items(seed)
    expected = evaluate(query, stream, given).rows
    assert expected
    for engine in (KernelEngine(), KernelEngine(2, 2, seed=seed)):
        found = run(engine, query, stream, given, random.Random(seed))
        assert difference(found, expected, rel_tol=1e-9) == ([], [])


def test_in_python_and_in_explain() -> None:
    stream = tr.stream({"v": "DOUBLE", "ts": "TIMESTAMP"}, order_by="ts", name="s")
    query = stream.select(x=tr.sum("v").over(preceding=seconds(8), slide=tr.rows(5)))
    assert isinstance(query.plan, Frames)
    (frame,) = [item for _, item in query.plan.items]
    assert (frame.preceding, frame.slide) == (seconds(8), Rows(5))
    assert "RANGE 8 SECONDS PRECEDING SLIDE 5 ROWS" in explain(query.plan)
