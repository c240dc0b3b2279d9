"""A frontier operator folds the sequence of a controller once for all shards: answers, late tuples and counts stay the same.

`TRANSOM_CASES=20000` runs more than the default.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.kernels.random_cases import Maker, case
from tests.kernels.random_windows import KINDS
from tests.kernels.test_random import check
from transom.errors import TransomError
from transom.kernels import bucket
from transom.kernels.bucket import FOLD, Bucket
from transom.kernels.columns.batch import OperatorOutput
from transom.kernels.columns.frontier_steps import FrontierSteps
from transom.kernels.slices import Slice
from transom.kernels.state.store import Memory
from transom.kernels.state.summary import summary
from transom.kernels.window_operator import ShardOperator
from transom.kernels.windows.frontier_operator import FrontierOperator
from transom.language import bind_script
from transom.planner import plan as planned
from transom.planner.spec_of import operator_of
from transom.planner.stage import Stage
from transom.spark.exchange.steps_wire import steps_from_bytes, steps_to_bytes

CASES = int(os.environ.get("TRANSOM_CASES", "96"))


@pytest.mark.parametrize("kind", KINDS)
def test_answers_stay_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random queries with a controller, cut into micro-batches and slices, over shards, with a restart after each micro-batch."""
    monkeypatch.setattr(bucket, "adds_up", lambda spec, rows, a: len(a) % 3 > 0)
    monkeypatch.setattr(Maker, "_generator", Maker._controlled)
    ran = 0
    for number in (n for n in range(9000, 9000 + CASES) if KINDS[n % len(KINDS)] == kind):
        try:
            one = case(number)
        except TransomError:
            continue
        try:
            ran += check(replace(one, shards=number % 4 + 1, apart=True))
        except Exception as error:
            error.add_note(f"case {number}")
            raise
    assert ran


@pytest.mark.parametrize("disorder", ["DRATIO 5%", "HEARTBEAT PER SOURCE (src)", "SLACK 3 SECONDS BFSIZE 50"])
def test_what_is_told_is_the_same(disorder: str) -> None:
    """The frontier, counts and figures of each micro-batch, through the bytes that cross the exchange."""
    spec, parts = made(disorder)
    stepped = replace(spec, generating=replace(spec.generating, stepped=True))
    alone, apart, frontier = Memory(), Memory(), Memory()
    random = np.random.default_rng(7)
    for number in range(4):
        table = tuples(random, number)
        whole = [piece for _, piece in Bucket(spec, 1, parts).slices(table, ("", 0, number))]
        sent: dict[int, list[Slice]] = {FOLD: [], 0: []}
        for shard, piece in Bucket(stepped, 1, parts).slices(table, ("", 0, number)):
            sent[shard].append(piece)
        if number == 3:
            whole[-1] = replace(whole[-1], ended=True)
            sent[FOLD][-1] = replace(sent[FOLD][-1], ended=True)
        folding = FrontierOperator(stepped, parts)
        folding.load(frontier)
        told = folding.step(sent[FOLD])
        folding.save(frontier)
        told = replace(told, steps=steps_from_bytes(memoryview(steps_to_bytes(told.steps or FrontierSteps(0)))))
        found = []
        for which, kept, slices in ((spec, alone, whole), (stepped, apart, [*sent[0], told])):
            operator = ShardOperator(which, list(parts))
            operator.load(kept)
            out = operator.step(slices, kept)
            operator.save(kept)
            found.append((out.counts, out.frontier, out.progress, out.control, out.ages, operator.progress.about(), rows(out)))
        assert found[0] == found[1]
        assert found[0][0].late > 0 or number == 0
    assert summary(frontier.blocks).kind == "FrontierOperator"  # type: ignore[union-attr]
    assert len(apart.blocks["head"]) < len(alone.blocks["head"])


def made(disorder: str) -> tuple[Any, tuple[Any, ...]]:
    sql = f"""CREATE STREAM s (k STRING, src STRING, v BIGINT, ts TIMESTAMP) ORDER BY ts {disorder};
    SELECT k, sum(v) AS s, count(*) AS n, window_end FROM s [RANGE 10 SECONDS SLIDE 5 SECONDS] GROUP BY k"""
    (plan,) = [plan for _, plan in bind_script(sql).statements if plan is not None]
    (stage,) = planned(plan).stages
    assert isinstance(stage, Stage)
    kinds = {"k": pa.string(), "v": pa.int64(), "ts": pa.timestamp("us", "UTC")}
    return operator_of(stage, {name: kinds[text.replace("`", "")] for name, text in stage.columns().items()})


def tuples(random: np.random.Generator, number: int) -> pa.Table:
    count = 500
    at = (np.arange(count) + number * count) * 100_000 - random.exponential(2e6, count).astype(np.int64)
    return pa.table(
        {
            "__value": pa.array(1_700_000_000_000_000 + at, pa.timestamp("us", "UTC")),
            "k:k": pa.array(random.choice(["a", "b"], count)),
            "x0": pa.array(random.integers(0, 9, count)),
            "__source": pa.array(random.choice(["u", "v"], count)),
        }
    )


def rows(out: OperatorOutput) -> list[Any]:
    found = [] if out.rows is None else out.rows.to_pylist()
    return sorted(found, key=str)
